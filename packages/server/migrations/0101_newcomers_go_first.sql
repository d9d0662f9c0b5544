-- Messages of the bank that were tried before let newcomers go first: many that name what the bank does not show held up all others.

-- step, outside a transaction: built while everybody works, and anew if it was left half-built.
drop index concurrently if exists bank_events_in_turn;
create index concurrently bank_events_in_turn on bank_events (environment, attempts, received_at) where handled_at is null;
-- The claims of the release before are served by the new one too.
drop index concurrently if exists bank_events_waiting;
