-- A payout that is reserved and sent at once passes through `held`: what comes in goes out in the same statement. Such an
-- account must exist, as any other, and is not written: a batch of fifty wallets has fifty of them.

-- step: as before, except for accounts whose balance stays as it is.
create or replace function post_ledger_entries() returns trigger language plpgsql
  security definer set search_path = public, pg_temp
  set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  missing  bigint;
  leg      record;
begin
  with change as materialized (
    select partner_id, environment, account, sum(amount)::bigint as delta
      from (
        select partner_id, environment, from_account as account, -amount as amount from new_entries
        union all
        select partner_id, environment, to_account, amount from new_entries
      ) legs
     group by partner_id, environment, account
     order by partner_id, environment, account
  ), moved as (
    update ledger_accounts a set balance = a.balance + change.delta
      from change
     where change.delta <> 0
       and a.partner_id = change.partner_id and a.environment = change.environment and a.account = change.account
    returning 1
  )
  select count(*) filter (where change.delta <> 0) - (select count(*) from moved)
         + count(*) filter (where change.delta = 0 and not exists (
             select from ledger_accounts a
              where a.partner_id = change.partner_id and a.environment = change.environment
                and a.account = change.account))
    into missing from change;
  if missing = 0 then
    return null;
  end if;
  select partner_id, environment, account into leg
    from (select partner_id, environment, from_account as account from new_entries
          union all
          select partner_id, environment, to_account from new_entries) legs
   where not exists (select from ledger_accounts a
                      where a.partner_id = legs.partner_id and a.environment = legs.environment and a.account = legs.account)
   order by partner_id, environment, account limit 1;
  raise exception 'an entry needs two accounts that exist: partner % has no account % in %',
    leg.partner_id, leg.account, leg.environment using errcode = 'foreign_key_violation';
end $$;
