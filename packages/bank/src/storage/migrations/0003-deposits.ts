/** The two ways money comes in: pounds to a virtual account, USDC to a liquidation address. */
export const DEPOSITS = `
create table virtual_accounts (
  seq                    bigint generated always as identity unique,
  id                     uuid primary key,
  customer_id            uuid not null references customers,
  wallet_id              uuid not null references wallets,
  account_holder_name    text not null,
  sort_code              text not null check (sort_code ~ '^[0-9]{6}$'),
  account_number         text not null unique check (account_number ~ '^[0-9]{8}$'),
  developer_fee_percent  text not null,
  created_at             timestamptz not null
);

create sequence virtual_account_numbers start 50000001;
create index virtual_accounts_of_wallet on virtual_accounts (wallet_id, seq);

create table bank_deposits (
  id                  uuid primary key,
  virtual_account_id  uuid not null references virtual_accounts,
  amount_pence        bigint not null check (amount_pence > 0),
  amount_micro        bigint not null check (amount_micro > 0),
  rate                text not null,
  at                  timestamptz not null
);

create table virtual_account_events (
  seq         bigint generated always as identity unique,
  id          uuid primary key,
  deposit_id  uuid not null references bank_deposits,
  type        text not null check (type in ('funds_received', 'payment_submitted', 'payment_processed')),
  created_at  timestamptz not null,
  unique (deposit_id, type)
);

create table liquidation_addresses (
  seq             bigint generated always as identity unique,
  id              uuid primary key,
  customer_id     uuid not null references customers,
  wallet_id       uuid not null references wallets,
  chain           text not null,
  currency        text not null check (currency = 'usdc'),
  address         text not null unique,
  return_address  text,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  constraint one_liquidation_address_per_destination unique (customer_id, chain, currency, wallet_id)
);

create table drains (
  seq                     bigint generated always as identity unique,
  id                      uuid primary key,
  liquidation_address_id  uuid not null references liquidation_addresses,
  amount_micro            bigint not null check (amount_micro > 0),
  state                   text not null check (state in ('funds_received', 'payment_processed')),
  deposit_tx_hash         text not null,
  destination_tx_hash     text not null,
  from_address            text not null,
  created_at              timestamptz not null,
  updated_at              timestamptz not null
);
`
