-- Connecting a wallet to the bank is tried again less and less often, however many try and however often they restart.

-- step
alter table wallets
  add column if not exists connect_tries     integer not null default 0,
  -- the bank may keep a refusal under its key, so each one makes the next key another
  add column if not exists connect_refusals  integer not null default 0,
  -- not before; while somebody is at it, until when nobody else is
  add column if not exists connect_at        timestamptz,
  -- in words, for the operator
  add column if not exists connect_trouble   text;

-- step: what the bank still wants before a business that it knows may pay in pounds, in words for the business.
alter table partners add column if not exists verification_missing text[] not null default '{}';
