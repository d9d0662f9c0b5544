-- What the bank really took and gave back: the surplus of a transfer goes into the operator's own wallet at the bank, what a
-- transfer lacks comes out of it, and a refund may bring back less than was sent. The partner gets what it was told, so each
-- of these is an entry between accounts of the operator's.

-- step: new rules for new rows take a moment.
alter table payouts
  -- what the bank has put into the operator's wallet; null: it has not said
  add column if not exists surplus_micro    bigint,
  -- what the operator has added because the rate had moved
  add column if not exists topped_up_micro  bigint not null default 0,
  drop constraint if exists payouts_surplus_micro_check,
  drop constraint if exists payouts_topped_up_micro_check,
  add constraint payouts_surplus_micro_check check (surplus_micro >= 0) not valid,
  add constraint payouts_topped_up_micro_check check (topped_up_micro >= 0) not valid;

-- step: one table at a time, since whoever pays writes to both.
alter table ledger_entries
  drop constraint if exists ledger_entries_kind_check,
  drop constraint if exists operator_accounts_are_apart,
  add constraint ledger_entries_kind_check check (kind in
    ('credit', 'hold', 'release', 'capture', 'settle', 'refund', 'adjust', 'surplus', 'top_up', 'refund_diff',
     'payout_fees', 'monthly_account', 'business_verification', 'network_fees', 'bank_exceptions', 'write_off',
     'payment')) not valid,
  -- The operator's gains and losses never touch what a partner can spend or has under way.
  add constraint operator_accounts_are_apart check (
    case kind
      when 'surplus' then (from_account, to_account) in
        (('operator_result', 'excess_funds'), ('excess_funds', 'operator_result'))
      when 'top_up' then (from_account, to_account) = ('excess_funds', 'operator_result')
      when 'refund_diff' then (from_account, to_account) in
        (('refund_diff', 'operator_result'), ('operator_result', 'refund_diff'),
         ('external', 'refund_diff'), ('refund_diff', 'external'))
      else from_account not in ('excess_funds', 'refund_diff', 'operator_result')
       and to_account not in ('excess_funds', 'refund_diff', 'operator_result')
    end) not valid;

-- step: that the old rows keep them is looked up while everybody works.
alter table payouts
  validate constraint payouts_surplus_micro_check,
  validate constraint payouts_topped_up_micro_check;

-- step
alter table ledger_entries
  validate constraint ledger_entries_kind_check,
  validate constraint operator_accounts_are_apart;

-- step
-- A wallet that was opened since the accounts are there has them already.
insert into ledger_accounts (partner_id, environment, account)
select partner_id, environment, account::ledger_account
  from wallets cross join (values ('excess_funds'), ('refund_diff'), ('operator_result')) as new (account)
on conflict do nothing;

-- What the operator adds to a payout that lacks money at the bank. It is kept before the bank is asked, so that asking
-- again, after a kill or from two terminals, asks for the same.
create table payout_top_ups (
  partner_id    uuid not null,
  environment   environment not null,
  payout_id     uuid not null,
  nth           integer not null check (nth > 0),
  transfer_ref  text not null,
  amount_micro  bigint not null check (amount_micro > 0),
  asked_at      timestamptz not null,
  -- one of the two, once the bank has answered
  added_at      timestamptz,
  refused_at    timestamptz,
  primary key (partner_id, environment, payout_id, nth),
  foreign key (partner_id, environment) references wallets,
  check (added_at is null or refused_at is null)
);

-- One at a time: the next begins when the bank has answered.
create unique index payout_top_ups_one_open on payout_top_ups (partner_id, environment, payout_id)
  where added_at is null and refused_at is null;

-- What came into the bank's wallet when a payout was refunded, to be found in the wallet's history.
create table refund_checks (
  partner_id      uuid not null,
  environment     environment not null,
  payout_id       uuid not null,
  -- what the bank took
  sent_micro      bigint not null check (sent_micro >= 0),
  refunded_at     timestamptz not null,
  next_look_at    timestamptz not null,
  looks           integer not null default 0,
  -- set together, once it is known
  came_back_micro bigint check (came_back_micro >= 0),
  found_at        timestamptz,
  -- null: somebody said so
  received_at     timestamptz,
  primary key (partner_id, environment, payout_id),
  foreign key (partner_id, environment) references wallets,
  check ((came_back_micro is null) = (found_at is null))
);

create index refund_checks_due on refund_checks (next_look_at) where found_at is null;

-- What the operator itself has put into its own wallet at the bank or taken out of it: what is there besides is surplus.
create table excess_movements (
  environment   environment not null,
  reference     text not null check (reference ~ '^[A-Za-z0-9_:.-]{1,100}$'),
  -- below zero: taken out
  amount_micro  bigint not null check (amount_micro <> 0),
  reason        text not null,
  at            timestamptz not null,
  primary key (environment, reference)
);
