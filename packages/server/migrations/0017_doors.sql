-- A mailed code guards whatever can move live money or take an account over, and what was told to admins stays bounded.

-- One code a browser: somebody with another session of the same person can neither use nor replace it. Codes last five
-- minutes, so those that are there are simply asked for again.
delete from confirm_codes;
alter table confirm_codes
  drop constraint confirm_codes_pkey,
  add column session_id uuid not null,
  add primary key (partner_id, session_id);

-- How many wrong codes were given in a session: at twenty it ends.
alter table sessions add column wrong_codes integer not null default 0 check (wrong_codes >= 0);

-- What an admin is told later and in one mail, because they had several mails about it already.
create table held_notices (
  partner_id  uuid not null references partners,
  id          uuid not null,
  email       text not null,
  words       text not null,
  created_at  timestamptz not null,
  primary key (partner_id, id)
);
create index held_notices_of_person on held_notices (partner_id, email, created_at);
