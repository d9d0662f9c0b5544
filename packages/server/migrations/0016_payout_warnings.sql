-- Before money leaves: has this account been paid before, has this person, and was the same sum asked for a moment ago?
-- Recipients are sealed, so the questions are asked of keyed marks of the name and of the account, never of either.

-- step: what is new, which nobody waits for.
-- Written once, when the money of a payout is held. A table of its own: a payout's row changes two or three times, and
-- each time every index on it is written again.
create table if not exists payout_recipients (
  partner_id    uuid not null,
  environment   environment not null,
  payout_id     uuid not null,
  name_mark     bytea not null check (octet_length(name_mark) = 16),
  account_mark  bytea not null check (octet_length(account_mark) = 16),
  amount_pence  bigint not null,
  created_at    timestamptz not null,
  primary key (partner_id, environment, payout_id)
);
create index if not exists payout_recipients_account on payout_recipients
  (partner_id, environment, account_mark, amount_pence, created_at);
create index if not exists payout_recipients_name on payout_recipients (partner_id, environment, name_mark, created_at);

-- Payouts whose marks are still to be made. The key is outside the database, so the program makes them; empty is done.
create table if not exists payout_recipients_due (
  partner_id   uuid not null,
  environment  environment not null,
  payout_id    uuid not null,
  primary key (partner_id, environment, payout_id)
);

-- step: every payout is read, and nothing is held.
insert into payout_recipients_due select partner_id, environment, id from payouts where released_at is null
on conflict do nothing;

-- step: a new rule for new rows takes a moment.
-- What was worth a second look when the payout was made: a fact of that moment, which never changes afterwards.
alter table payouts
  add column if not exists warnings jsonb,
  drop constraint if exists payouts_warnings_check,
  add constraint payouts_warnings_check check (jsonb_typeof(warnings) = 'array') not valid;

-- step: that the old rows keep it is looked up while everybody works.
alter table payouts validate constraint payouts_warnings_check;
