-- Who uses the service: partners, what they pay, who works there, and the keys that speak for them.

create type environment as enum ('sandbox', 'live');

create table partners (
  id                     uuid primary key,
  slug                   text not null unique check (slug ~ '^[a-z0-9-]{2,40}$'),
  name                   text not null check (char_length(name) between 1 and 120),
  status                 text not null default 'active' check (status in ('active', 'suspended', 'closed')),
  logo_url               text check (logo_url ~ '^https://'),
  brand_color            text check (brand_color ~ '^#[0-9a-f]{6}$'),
  enabled_countries      text[] not null default '{GB}' check (enabled_countries <@ '{GB}'),
  smallest_payout_pence  bigint not null default 100,
  largest_payout_pence   bigint not null default 2000000,
  contact_email          text,
  billing_email          text,
  verification_status    text not null default 'not_started' check
    (verification_status in ('not_started', 'in_progress', 'in_review', 'approved', 'rejected', 'suspended')),
  provider_status        text,
  continue_url           text,
  terms_url              text,
  verified_at            timestamptz,
  screening              text not null default 'clear' check (screening in ('clear', 'review', 'blocked')),
  created_at             timestamptz not null,
  check (smallest_payout_pence between 100 and largest_payout_pence and largest_payout_pence <= 2000000),
  check (verification_status <> 'approved' or verified_at is not null)
);

-- What a partner pays, from a moment on. A basis point is a hundredth of a percent.
create table plans (
  partner_id                   uuid not null references partners,
  valid_from                   timestamptz not null,
  payout_fixed_pence           bigint not null check (payout_fixed_pence >= 0),
  payout_basis_points          bigint not null check (payout_basis_points between 0 and 10000),
  bank_fixed_pence             bigint not null check (bank_fixed_pence >= 0),
  bank_basis_points            bigint not null check (bank_basis_points between 0 and 10000),
  monthly_account_pence        bigint not null check (monthly_account_pence >= 0),
  business_verification_pence  bigint not null check (business_verification_pence >= 0),
  primary key (partner_id, valid_from)
);

create table members (
  partner_id     uuid not null references partners,
  email          text not null check (email = lower(email) and char_length(email) <= 254),
  name           text,
  role           text not null check (role in ('admin', 'viewer')),
  last_login_at  timestamptz,
  created_at     timestamptz not null,
  primary key (partner_id, email)
);

-- The secret itself is never kept: a key is found by the SHA-256 of what the caller sends.
create table api_keys (
  partner_id    uuid not null references partners,
  id            uuid not null,
  environment   environment not null,
  key_hash      bytea not null unique check (octet_length(key_hash) = 32),
  key_prefix    text not null,
  label         text check (char_length(label) <= 60),
  created_at    timestamptz not null,
  last_used_at  timestamptz,
  revoked_at    timestamptz,
  primary key (partner_id, id)
);

-- One row: which secrets this database was set up with, so that a process with others refuses to start.
create table installation (
  only_row       boolean primary key default true check (only_row),
  secrets_check  bytea not null,
  created_at     timestamptz not null
);
