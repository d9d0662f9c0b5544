-- What a release credited that kept no transactions claims them before anything else of its wallet is credited: the bank may
-- list it a second time, under another id, and show that one first.

-- step: a column with a default takes a moment.
alter table deposits
  -- false: credited by a release that kept no transactions. The whole list is read once for these.
  add column if not exists has_claimed boolean not null default false;

alter table bank_rows_waiting
  drop constraint if exists bank_rows_waiting_reason_check,
  add constraint bank_rows_waiting_reason_check check
    (reason in ('unreadable', 'not_connected', 'nobody', 'unclaimed', 'failed', 'told')) not valid;

-- The whole list is read anew: what was read of it before was read for nobody's claims.
update bank_feeds
   set read_up_to = 'epoch', reading_since = null, reading_started_at = null, reading_cursor = null, reading_newest = null,
       reading_is_wide = null, lease_token = null, lease_until = null
 where feed = 'all_chain_deposits';

-- step
alter table bank_rows_waiting validate constraint bank_rows_waiting_reason_check;

-- step, outside a transaction: built while everybody works, and anew if it was left half-built.
drop index concurrently if exists deposits_unclaimed;
create index concurrently deposits_unclaimed on deposits (partner_id, environment, credited_at)
  where source = 'chain' and not has_claimed;
