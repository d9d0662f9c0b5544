-- What a batch belongs to is looked up by one statement, and no longer by one per business: of a thousand businesses that pay at once
-- each has a payout of its own in the batch. Each is still found by its key, and locked in the same order.

-- step: as before, but for the loops.
create or replace function guard_wallets() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  missing  record;
begin
  select wallet.partner_id, wallet.environment into missing
    from (select distinct partner_id, environment from made) wallet
    left join lateral (
      select true as is_there from wallets
       where partner_id = wallet.partner_id and environment = wallet.environment limit 1) found on true
   where found.is_there is null
   limit 1;
  if missing is not null then
    raise exception 'a payout needs a wallet that exists: partner % has none in %', missing.partner_id, missing.environment
      using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;

create or replace function guard_links() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  missing  record;
begin
  select place.partner_id, place.chain into missing
    from (select distinct partner_id, chain from made order by partner_id, chain) place
    left join lateral (
      select true as is_there from audit_chains
       where partner_id = place.partner_id and chain = place.chain limit 1 for key share) found on true
   where found.is_there is null;
  if missing is not null then
    raise exception 'a link needs a chain that exists: partner % has no chain %', missing.partner_id, missing.chain
      using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;

create or replace function note_unsealed_activity() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  missing  uuid;
begin
  select business.partner_id into missing
    from (select distinct partner_id from written order by partner_id) business
    left join lateral (
      select true as is_there from partners where id = business.partner_id limit 1 for key share) found on true
   where found.is_there is null;
  if missing is not null then
    raise exception 'an entry of the log needs a partner that exists: there is no %', missing
      using errcode = 'foreign_key_violation';
  end if;
  -- So many in a row that nobody has to link much more than it wants at a time.
  insert into activity_waiting (partner_id, chain, at, id, count, entries)
  select partner_id, coalesce(environment::text, 'account'), min(at), (array_agg(id order by at, id))[1], count(*),
         string_agg(concat(moment, 'Z ', id, ' ', encode(activity_entry_hash(moment, id, environment, action, status, by, by_name,
           detail, key_id, method, path, duration_ms, ip, subject, changes), 'hex')), E'\n' order by at, id)
    from (select *, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') as moment,
                 (row_number() over (partition by partner_id, environment order by at, id) - 1) / 250 as part
            from written) entry
   group by partner_id, environment, part;
  return null;
end $$;
revoke all on function guard_wallets(), guard_links(), note_unsealed_activity() from public;
