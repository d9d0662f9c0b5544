-- The dashboard: who may sign in, by which code, in which sessions; keys that are rotated; what partners set.

-- Members are named by an id in addresses; the email stays what a person is known by.
alter table members
  add column id          uuid not null default gen_random_uuid(),
  add column invited_by  text,
  add unique (partner_id, id);
alter table members alter column id drop default;
create index members_email on members (email);

-- A rotated key works until expires_at, and says which key came in its place.
alter table api_keys
  add column created_by   text,
  add column expires_at   timestamptz,
  add column replaced_by  uuid,
  add foreign key (partner_id, replaced_by) references api_keys;

alter table partners
  add column logo_image         bytea check (octet_length(logo_image) <= 204800),
  add column logo_type          text check (logo_type in ('image/png', 'image/jpeg', 'image/webp')),
  add column logo_hash          text check (logo_hash ~ '^[0-9a-f]{16,64}$'),
  add column low_balance_micro  bigint check (low_balance_micro >= 0),
  add check ((logo_image is null) = (logo_type is null) and (logo_image is null) = (logo_hash is null));

-- One code an address: asking for another replaces it. Addresses that nobody has get a row as well, so that the
-- work is the same. The code itself is kept as a keyed hash.
create table sign_in_codes (
  email          text primary key check (email = lower(email) and char_length(email) <= 254),
  code_hash      bytea not null check (octet_length(code_hash) = 32),
  -- set when the code was asked for to sign up
  business_name  text check (char_length(business_name) between 1 and 120),
  member_name    text check (char_length(member_name) <= 120),
  attempts       integer not null default 0 check (attempts between 0 and 5),
  created_at     timestamptz not null,
  expires_at     timestamptz not null,
  used_at        timestamptz
);

-- A session speaks for one member; who is removed from the team has none left.
create table sessions (
  partner_id    uuid not null,
  id            uuid not null,
  email         text not null,
  token_hash    bytea not null unique check (octet_length(token_hash) = 32),
  user_agent    text check (char_length(user_agent) <= 300),
  ip            text not null,
  created_at    timestamptz not null,
  last_seen_at  timestamptz not null,
  expires_at    timestamptz not null,
  primary key (partner_id, id),
  foreign key (partner_id, email) references members on delete cascade
);
create index sessions_email on sessions (email);

-- The code that confirms one live payout, exactly as it was shown. One a member: asking again replaces it.
create table confirm_codes (
  partner_id   uuid not null,
  email        text not null,
  id           uuid not null,
  fingerprint  bytea not null check (octet_length(fingerprint) = 32),
  code_hash    bytea not null check (octet_length(code_hash) = 32),
  attempts     integer not null default 0 check (attempts between 0 and 5),
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  used_at      timestamptz,
  -- the Idempotency-Key that it was given with: only that request may go on with it
  used_for     text,
  primary key (partner_id, email),
  foreign key (partner_id, email) references members on delete cascade,
  check ((used_at is null) = (used_for is null))
);

-- How often something may be asked for, as the moment at which the full allowance is there again.
create table allowances (
  bucket   bytea primary key check (octet_length(bucket) = 32),
  full_at  timestamptz not null
);

-- Mail on its way out, and the latest mail when there is no mail server. Sealed: it holds codes.
create table mails (
  id           uuid primary key,
  kind         text not null,
  sealed       bytea not null,
  created_at   timestamptz not null,
  attempts     integer not null default 0,
  -- null: it is not to be sent (again)
  next_try_at  timestamptz,
  -- pointless after this moment: a code that has expired
  useful_until timestamptz,
  sent_at      timestamptz,
  given_up_at  timestamptz
);
create index mails_due on mails (next_try_at) where next_try_at is not null;
