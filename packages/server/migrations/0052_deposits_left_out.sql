-- A deposit is credited once although the bank lists it under two ids, and not at all once the bank has undone it, whatever an
-- older row or message says later.

-- The deposit that was credited for a transaction on chain.
create table deposit_transactions (
  partner_id       uuid not null,
  environment      environment not null,
  transaction_ref  text not null,
  deposit_ref      text not null,
  primary key (partner_id, environment, transaction_ref),
  foreign key (partner_id, environment) references wallets
);

-- Deposits that are not credited by themselves any more.
create table deposits_left_out (
  environment  environment not null,
  deposit_ref  text not null,
  reason       text not null check (reason in ('undone', 'same_transaction')),
  -- when the bank said so, by its own clock; null: it does not say
  said_at      timestamptz,
  at           timestamptz not null,
  primary key (environment, deposit_ref)
);
