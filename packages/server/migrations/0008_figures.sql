-- What the dashboard reads: figures and searches over payouts, what changed lately, richer activity, branding.

-- Filters, sums and searches all run over this one index without touching the table: whatever a filter asks for is in
-- it. It replaces the index of the list, so a payout costs no more insertions than before.
drop index payouts_by_time;
create index payouts_by_time on payouts (partner_id, environment, created_at, id)
  include (status, created_via, amount_pence, fee_pence, account_last4, recipient_name, reference)
  where surfaced_at is not null;

-- Who asked for a payout (the start of a key, or an email), and when it came to nothing or came back.
alter table payouts
  add column created_by  text check (char_length(created_by) <= 254),
  add column ended_at    timestamptz;

-- What changed lately, for those who are looking at a page that shows it.
create index payouts_by_change on payouts (partner_id, environment, updated_at) where surfaced_at is not null;

-- What was asked, from where and how long it took; never a body, and never what stood in the query.
alter table activity
  add column method       text,
  add column path         text,
  add column duration_ms  integer check (duration_ms >= 0),
  add column ip           text,
  add column key_id       uuid;

create index activity_by_id on activity (partner_id, id);
-- Refusals are few among very many.
create index activity_refused on activity (partner_id, at, id) where status >= 400;
