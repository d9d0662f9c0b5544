/** The bank's own settings, who banks here, and how far their verification has come. */
export const CUSTOMERS = `
create table bank_state (
  only_row         boolean primary key default true check (only_row),
  clock_offset_ms  bigint not null default 0 check (clock_offset_ms >= 0),
  rate             text not null default '0.79' check (rate ~ '^[0-9]{1,6}([.][0-9]{1,10})?$' and rate::numeric > 0),
  developer_id     uuid not null default gen_random_uuid(),
  -- Two random ids make 32 bytes without an extension that a server may not have.
  salt             bytea not null default
                     decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex')
);

insert into bank_state default values;

create table customers (
  seq                 bigint generated always as identity unique,
  id                  uuid primary key,
  type                text not null check (type in ('individual', 'business')),
  first_name          text,
  last_name           text,
  email               text,
  status              text not null check (status in
                        ('active', 'incomplete', 'not_started', 'rejected', 'under_review')),
  has_accepted_terms  boolean not null,
  rejection_reasons   json not null default '[]',
  created_at          timestamptz not null,
  updated_at          timestamptz not null
);

create table kyc_links (
  seq           bigint generated always as identity unique,
  id            uuid primary key,
  customer_id   uuid not null unique references customers,
  type          text not null check (type in ('individual', 'business')),
  full_name     text,
  email         text not null,
  redirect_uri  text,
  kyc_status    text not null check (kyc_status in
                  ('not_started', 'incomplete', 'under_review', 'approved', 'rejected')),
  tos_status    text not null check (tos_status in ('pending', 'approved')),
  created_at    timestamptz not null,
  updated_at    timestamptz not null
);

-- What was answered to which key. It is written in the transaction of its effect, so the two exist together or not at all.
create table idempotency_keys (
  api_key_hash  bytea not null check (octet_length(api_key_hash) = 32),
  key           text not null check (char_length(key) between 1 and 255),
  fingerprint   bytea not null check (octet_length(fingerprint) = 32),
  status        integer check (status between 200 and 299),
  body          text,
  created_at    timestamptz not null,
  -- set: until then the bank behaves as if it had not finished
  answers_from  timestamptz,
  primary key (api_key_hash, key),
  check ((status is null) = (body is null))
);
`
