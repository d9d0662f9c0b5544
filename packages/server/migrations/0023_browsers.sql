-- A sign-in code is for the browser that asked: nobody else can try it, spend it or replace it. Codes last ten minutes, so
-- those that are there are simply asked for again.
delete from sign_in_codes;
alter table sign_in_codes
  drop constraint sign_in_codes_pkey,
  add column browser_hash bytea not null check (octet_length(browser_hash) = 32),
  add primary key (email, browser_hash);

-- The browsers in which a person has signed in before. They keep an allowance of codes that no stranger can use up, and a
-- sign-in from any other is told.
create table known_browsers (
  email         text not null,
  browser_hash  bytea not null check (octet_length(browser_hash) = 32),
  created_at    timestamptz not null,
  last_used_at  timestamptz not null,
  primary key (email, browser_hash)
);
