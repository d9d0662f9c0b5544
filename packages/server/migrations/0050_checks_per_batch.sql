-- What an entry and a payout belong to is looked up once per batch and no longer once per row: eight of the statements of each
-- payout were such look-ups, each of which locked the same few rows. A look is enough, because wallets and accounts stay for
-- ever as they are: nobody deletes one or gives it another key, and the database's owner does not either.

-- step: what others point at stays.
create or replace function keep_wallet() returns trigger language plpgsql as $$
begin
  raise exception 'a wallet stays with its ledger: % is not allowed', lower(tg_op);
end $$;

create or replace trigger wallets_are_kept
  before delete on wallets
  for each row execute function keep_wallet();
create or replace trigger wallets_keep_their_key
  before update of partner_id, environment on wallets
  for each row when ((old.partner_id, old.environment) is distinct from (new.partner_id, new.environment))
  execute function keep_wallet();
create or replace trigger wallets_are_not_truncated
  before truncate on wallets
  for each statement execute function refuse_change();

create or replace function refuse_handmade_balance() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.balance <> 0 then
      raise exception 'a ledger account starts at zero: post an entry instead';
    end if;
    return new;
  end if;
  if tg_op = 'UPDATE' and pg_trigger_depth() > 1
     and (new.partner_id, new.environment, new.account) = (old.partner_id, old.environment, old.account) then
    return new;
  end if;
  raise exception 'ledger balances change through entries only';
end $$;

-- step: each batch proves it. An account is found by its key whatever PostgreSQL believes of the size of its tables.
create or replace function post_ledger_entries() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  change  record;
begin
  for change in
    select partner_id, environment, account, sum(amount)::bigint as delta
      from (
        select partner_id, environment, from_account as account, -amount as amount from new_entries
        union all
        select partner_id, environment, to_account, amount from new_entries
      ) legs
     group by partner_id, environment, account
     order by partner_id, environment, account
  loop
    update ledger_accounts set balance = balance + change.delta
     where partner_id = change.partner_id and environment = change.environment and account = change.account;
    if not found then
      raise exception 'an entry needs two accounts that exist: partner % has no account % in %',
        change.partner_id, change.account, change.environment using errcode = 'foreign_key_violation';
    end if;
  end loop;
  return null;
end $$;

create or replace function guard_wallets() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  wallet  record;
begin
  for wallet in select distinct partner_id, environment from made loop
    perform 1 from wallets where partner_id = wallet.partner_id and environment = wallet.environment;
    if not found then
      raise exception 'a payout needs a wallet that exists: partner % has none in %', wallet.partner_id, wallet.environment
        using errcode = 'foreign_key_violation';
    end if;
  end loop;
  return null;
end $$;
revoke all on function guard_wallets() from public;

create or replace function keep_in_wallet() returns trigger language plpgsql as $$
begin
  raise exception 'a payout stays in its wallet' using errcode = 'foreign_key_violation';
end $$;

create or replace trigger guard_wallets after insert on payouts referencing new table as made
  for each statement execute function guard_wallets();
create or replace trigger keep_in_wallet
  before update of partner_id, environment on payouts
  for each row when ((old.partner_id, old.environment) is distinct from (new.partner_id, new.environment))
  execute function keep_in_wallet();

-- step: and no row does so any more.
alter table payouts drop constraint if exists payouts_partner_id_environment_fkey;

-- step
alter table ledger_entries
  drop constraint if exists ledger_entries_partner_id_environment_from_account_fkey,
  drop constraint if exists ledger_entries_partner_id_environment_to_account_fkey;
