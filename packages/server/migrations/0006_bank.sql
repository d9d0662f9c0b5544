-- The banking partner: where each wallet lives there, whom it knows, what it told us, and how far we have read.

-- The simulated rail until the sandbox is connected; live is always the banking partner's.
alter table wallets
  add column rail                 text not null default 'simulated'
                                    check (rail in ('simulated', 'provider_sandbox', 'provider_production')),
  add column customer_ref         text,
  add column wallet_ref           text,
  add column virtual_account_ref  text,
  add column deposit_account      jsonb,
  add column connected_at         timestamptz,
  add check ((environment = 'live') = (rail = 'provider_production')) not valid,
  -- the customer is written down as soon as the bank has it, the rest when all of it is there
  add check (wallet_ref is null or customer_ref is not null),
  add check (rail <> 'provider_sandbox' or wallet_ref is not null);

update wallets set rail = 'provider_production' where environment = 'live';

-- News from the bank names its customer; this says whose that is.
create unique index wallets_customer on wallets (environment, customer_ref) where customer_ref is not null;

alter table partners add column verification_ref text, add column live_customer_ref text;
create unique index partners_verification on partners (verification_ref) where verification_ref is not null;

-- Recipients are registered at the bank once, found again by a keyed hash and never by their details.
create table bank_recipients (
  partner_id             uuid not null,
  environment            environment not null,
  recipient_fingerprint  bytea not null check (octet_length(recipient_fingerprint) = 32),
  recipient_ref          text not null,
  created_at             timestamptz not null,
  primary key (partner_id, environment, recipient_fingerprint),
  foreign key (partner_id, environment) references wallets
);

-- What the bank sent us, each event once. It is a hint: the truth is read back before anything is done.
create table bank_events (
  environment  environment not null,
  event_id     text not null,
  category     text not null,
  object_ref   text not null,
  received_at  timestamptz not null,
  handled_at   timestamptz,
  lease_until  timestamptz,
  attempts     integer not null default 0,
  primary key (environment, event_id)
);
create index bank_events_waiting on bank_events (received_at) where handled_at is null;

-- How far each of the bank's feeds has been read.
create table bank_feeds (
  environment  environment not null,
  feed         text not null check (feed in ('transfers', 'bank_deposits', 'chain_deposits')),
  read_up_to   timestamptz not null,
  lease_until  timestamptz,
  primary key (environment, feed)
);

-- Where the bank sends its events, and the key that proves they are the bank's.
create table bank_webhooks (
  environment  environment primary key,
  webhook_ref  text not null,
  url          text not null,
  public_key   text not null,
  created_at   timestamptz not null
);

create table deposits (
  partner_id    uuid not null,
  environment   environment not null,
  deposit_ref   text not null,
  source        text not null check (source in ('bank', 'chain')),
  amount_micro  bigint not null check (amount_micro > 0),
  received_at   timestamptz not null,
  credited_at   timestamptz not null,
  primary key (partner_id, environment, deposit_ref),
  foreign key (partner_id, environment) references wallets
);

-- The last rate that each rail gave, for when it cannot be asked.
create table rates (
  rail         text primary key,
  gbp_per_usd  numeric not null check (gbp_per_usd > 0),
  read_at      timestamptz not null
);

create table reconciliations (
  id           uuid primary key,
  started_at   timestamptz not null,
  finished_at  timestamptz,
  breaks       jsonb
);

alter table payouts add column provider_state text;
