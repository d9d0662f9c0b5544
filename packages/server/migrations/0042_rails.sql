-- Which rails there are is data. Their names were in four CHECKs, so that another bank meant another schema.

-- step
create table if not exists rails (
  name         text primary key check (name ~ '^[a-z][a-z0-9_]{1,39}$'),
  -- a rail moves test money or real money, and never both
  environment  environment not null,
  unique (name, environment)
);

insert into rails (name, environment)
values ('simulated', 'sandbox'), ('provider_sandbox', 'sandbox'), ('provider_production', 'live')
on conflict (name) do nothing;

create or replace trigger rails_are_kept
  before update or delete on rails
  for each row execute function refuse_change();

create or replace trigger rails_are_not_truncated
  before truncate on rails
  for each statement execute function refuse_change();

-- A rail stays for ever as it is, so that a look is enough, once per batch: a foreign key would lock the same few rows
-- for every payout of every partner.
create or replace function guard_rails() returns trigger language plpgsql as $$
begin
  if exists (select 1 from made
              where not exists (select 1 from rails r where r.name = made.rail and r.environment = made.environment)) then
    raise exception 'a payout is on a rail of its environment' using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;

create or replace function guard_rail() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from rails r where r.name = new.rail and r.environment = new.environment) then
    raise exception '% is no rail of %', new.rail, new.environment using errcode = 'foreign_key_violation';
  end if;
  return new;
end $$;

-- step: the rules change places in a moment.
create or replace trigger guard_rails after insert on payouts referencing new table as made
  for each statement execute function guard_rails();
create or replace trigger guard_changed_rail before update on payouts for each row
  when (old.rail <> new.rail) execute function guard_rail();
alter table payouts drop constraint if exists payouts_rail_check;

-- step
alter table wallets
  drop constraint if exists wallets_rail_check,
  drop constraint if exists wallets_check,
  drop constraint if exists wallets_check2,
  drop constraint if exists wallets_rail_fkey,
  add constraint wallets_rail_fkey foreign key (rail, environment) references rails (name, environment) not valid,
  -- a sandbox is simulated, or its wallet is open at a bank
  drop constraint if exists wallets_at_bank_check,
  add constraint wallets_at_bank_check
    check (environment = 'live' or rail = 'simulated' or wallet_ref is not null) not valid;

-- step: that the old rows keep them is looked up while everybody works.
alter table wallets validate constraint wallets_rail_fkey;
alter table wallets validate constraint wallets_at_bank_check;
