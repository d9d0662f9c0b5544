-- What the bank really took and when it last said something, so that news which does not fit is told and booked and never
-- dropped; how the bank was asked, so that a refusal can end a payout in doubt; and what somebody was told of already.

alter table payouts
  -- the bank is asked under a key of its own for each attempt; the next begins only when the last came to nothing
  add column bank_attempt     integer not null default 1 check (bank_attempt > 0),
  -- when the bank was last asked without an answer
  add column unanswered_at    timestamptz,
  -- what the bank says it took, where that is not what was reserved
  add column bank_sent_micro  bigint check (bank_sent_micro >= 0),
  add column adjustments      integer not null default 0 check (adjustments >= 0),
  add column bank_updated_at  timestamptz;

-- The difference between what was reserved and what the bank took.
alter table ledger_entries drop constraint ledger_entries_kind_check;
alter table ledger_entries
  add constraint ledger_entries_kind_check check (kind in
    ('credit', 'hold', 'release', 'capture', 'settle', 'refund', 'adjust',
     'payout_fees', 'monthly_account', 'business_verification', 'network_fees', 'bank_exceptions', 'write_off'));

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
