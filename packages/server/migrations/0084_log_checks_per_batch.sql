-- That an entry of the log has a partner, and a link a chain, is looked up once per statement and no longer once per row: a batch
-- has hundreds of rows of one partner. The row pointed at is locked as a foreign key locks it, so the proof is the same.

-- step: what others point at stays. Whoever deletes a row waits for those who have just looked at it, and then sees what they wrote.
create or replace function keep_partner_with_log() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform 1 from activity where partner_id = old.id limit 1;
  if found then
    raise exception 'a partner stays with its log: % is not allowed', lower(tg_op) using errcode = 'foreign_key_violation';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;

create or replace function keep_chain_with_links() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform 1 from activity_links where partner_id = old.partner_id and chain = old.chain limit 1;
  if found then
    raise exception 'a chain stays with its links: % is not allowed', lower(tg_op) using errcode = 'foreign_key_violation';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
revoke all on function keep_partner_with_log(), keep_chain_with_links() from public;

create or replace trigger partners_stay_with_their_log
  before delete on partners
  for each row execute function keep_partner_with_log();
create or replace trigger partners_keep_their_key
  before update of id on partners
  for each row when (old.id is distinct from new.id) execute function keep_partner_with_log();
create or replace trigger chains_stay_with_their_links
  before delete on audit_chains
  for each row execute function keep_chain_with_links();
create or replace trigger chains_keep_their_key
  before update of partner_id, chain on audit_chains
  for each row when ((old.partner_id, old.chain) is distinct from (new.partner_id, new.chain))
  execute function keep_chain_with_links();

-- step: each statement proves it. An entry that is new has not been noted before, so nothing is in the way of noting it.
create or replace function note_unsealed_activity() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  business  uuid;
begin
  for business in select distinct partner_id from written order by partner_id loop
    perform 1 from partners where id = business for key share;
    if not found then
      raise exception 'an entry of the log needs a partner that exists: there is no %', business
        using errcode = 'foreign_key_violation';
    end if;
  end loop;
  insert into activity_unsealed (partner_id, chain, at, id)
  select partner_id, coalesce(environment::text, 'account'), at, id from written;
  return null;
end $$;

create or replace function guard_links() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  place  record;
begin
  for place in select distinct partner_id, chain from made order by partner_id, chain loop
    perform 1 from audit_chains where partner_id = place.partner_id and chain = place.chain for key share;
    if not found then
      raise exception 'a link needs a chain that exists: partner % has no chain %', place.partner_id, place.chain
        using errcode = 'foreign_key_violation';
    end if;
  end loop;
  return null;
end $$;
revoke all on function guard_links() from public;

create or replace trigger guard_links after insert on activity_links referencing new table as made
  for each statement execute function guard_links();

-- step: and no row does so any more.
alter table activity_links drop constraint if exists activity_links_partner_id_chain_fkey;

-- step: the table of today has the name with a number, because the table that it replaced had the other.
alter table activity
  drop constraint if exists activity_partner_id_fkey1,
  drop constraint if exists activity_partner_id_fkey;
