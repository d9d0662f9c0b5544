-- What the bank really took and when it last said something, so that news which does not fit is told and booked and never
-- dropped; how the bank was asked, so that a refusal can end a payout in doubt; and what somebody was told of already.

-- step: new rules for new rows take a moment.
alter table payouts
  -- the bank is asked under a key of its own for each attempt; the next begins only when the last came to nothing
  add column if not exists bank_attempt     integer not null default 1,
  -- when the bank was last asked without an answer
  add column if not exists unanswered_at    timestamptz,
  -- what the bank says it took, where that is not what was reserved
  add column if not exists bank_sent_micro  bigint,
  add column if not exists adjustments      integer not null default 0,
  add column if not exists bank_updated_at  timestamptz,
  drop constraint if exists payouts_bank_attempt_check,
  drop constraint if exists payouts_bank_sent_micro_check,
  drop constraint if exists payouts_adjustments_check,
  add constraint payouts_bank_attempt_check check (bank_attempt > 0) not valid,
  add constraint payouts_bank_sent_micro_check check (bank_sent_micro >= 0) not valid,
  add constraint payouts_adjustments_check check (adjustments >= 0) not valid;

-- step: that the old rows keep them is looked up while everybody works.
alter table payouts
  validate constraint payouts_bank_attempt_check,
  validate constraint payouts_bank_sent_micro_check,
  validate constraint payouts_adjustments_check;

-- step
-- The difference between what was reserved and what the bank took. The old rows are looked at when the last kind is added.
alter table ledger_entries
  drop constraint ledger_entries_kind_check,
  add constraint ledger_entries_kind_check check (kind in
    ('credit', 'hold', 'release', 'capture', 'settle', 'refund', 'adjust',
     'payout_fees', 'monthly_account', 'business_verification', 'network_fees', 'bank_exceptions', 'write_off'))
    not valid;

-- Alarms about one thing and one cause are raised once, whichever process meets it again.
create table told_alarms (
  partner_id   uuid not null,
  environment  environment not null,
  about        text not null,
  cause        text not null,
  told_at      timestamptz not null,
  primary key (partner_id, environment, about, cause),
  foreign key (partner_id, environment) references wallets
);
