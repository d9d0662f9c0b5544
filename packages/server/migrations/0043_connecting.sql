-- Connecting a wallet to the bank is tried again less and less often, however many try and however often they restart.

alter table wallets
  add column connect_tries     integer not null default 0,
  -- the bank may keep a refusal under its key, so each one makes the next key another
  add column connect_refusals  integer not null default 0,
  -- not before; while somebody is at it, until when nobody else is
  add column connect_at        timestamptz,
  -- in words, for the operator
  add column connect_trouble   text;

-- What the bank still wants before a business that it knows may pay in pounds, in words for the business.
alter table partners add column verification_missing text[] not null default '{}';
