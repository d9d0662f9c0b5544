-- Indexes that take half the room: a payout has three events and three ledger entries, each of which stood in four indexes and three,
-- with its partner and its words in full. A hash of them finds the same rows; the statement compares the words themselves.

-- step, outside a transaction: built while everybody works, and anew if it was left half-built.
-- list_events_of_types.
drop index concurrently if exists events_of_type;
create index concurrently events_of_type on events
  ((hashtextextended(type, uuid_hash_extended(partner_id, case environment when 'live' then 1 else 0 end))), position);
drop index concurrently if exists events_by_type;
-- A search of the log for an idempotency key.
drop index concurrently if exists request_bodies_of_key;
create index concurrently request_bodies_of_key on request_bodies
  ((hashtextextended(idempotency_key, uuid_hash_extended(partner_id, 0))), at) where idempotency_key is not null;
drop index concurrently if exists request_bodies_by_key;
-- No statement looks an entry up by its number: what caused it is its key. entries_of_cause, and each effect happens once.
drop index concurrently if exists ledger_entries_key;
create unique index concurrently ledger_entries_key on ledger_entries (partner_id, cause, kind, seq);

-- step: a moment, since the index is there. The rule that is dropped is the same one.
alter table ledger_entries
  drop constraint ledger_entries_pkey,
  add constraint ledger_entries_key primary key using index ledger_entries_key,
  drop constraint ledger_entries_partner_id_cause_kind_seq_key;
-- What is only ever added at the end of a wallet's or a chain's part needs no room between.
alter index events_in_order set (fillfactor = 100);
alter index events_of_type set (fillfactor = 100);
alter index ledger_entries_of_wallet set (fillfactor = 100);
alter index activity_links_pkey set (fillfactor = 100);
