-- What waits to be linked is noted once per batch of entries and no longer once per entry, with the hash of each entry: what is done to
-- it afterwards is found, and nobody has to read it again to link it.

-- step: the notes, and the hash of an entry as docs/audit-log.md has it. The service computes the same to verify (core/audit-chain.ts).
create table if not exists activity_waiting (
  partner_id  uuid not null,
  -- sandbox, live, or account: what is about neither
  chain       text not null,
  -- of the first entry
  at          timestamptz not null,
  id          uuid not null,
  count       integer not null,
  -- A line per entry, in their order: its moment, its id and its hash in hexadecimal.
  entries     text not null,
  primary key (partner_id, chain, at, id)
);
-- Hashes cannot be made shorter; to try costs more than to write them.
alter table activity_waiting alter column entries set storage external;

create or replace function changes_as_hashed(changes jsonb) returns text
language sql immutable strict as $$
  select string_agg(concat('[', coalesce(to_json(change ->> 'field')::text, 'null'), ',',
           coalesce(to_json(change ->> 'before')::text, 'null'), ',',
           coalesce(to_json(change ->> 'after')::text, 'null'), ']'), ',' order by place)
    from jsonb_array_elements(changes) with ordinality as each (change, place)
$$;
-- One expression, so that PostgreSQL puts it into the statement in place of a call. The moment is in UTC, with microseconds.
create or replace function activity_entry_hash(
  moment text, id uuid, environment environment, action text, status integer,
  by text, by_name text, detail text, key_id uuid, method text,
  path text, duration_ms integer, ip text, subject text, changes jsonb
) returns bytea language sql stable as $$
  select sha256(convert_to(concat(
    E'kestrel activity entry v1\n["', left(moment, 23), 'Z","', id, '",',
    coalesce('"' || environment::text || '"', 'null'), ',', coalesce(to_json(action)::text, 'null'), ',',
    coalesce(status::text, 'null'), ',', coalesce(to_json(by)::text, 'null'), ',',
    coalesce(to_json(by_name)::text, 'null'), ',', coalesce(to_json(detail)::text, 'null'), ',',
    coalesce('"' || key_id::text || '"', 'null'), ',', coalesce(to_json(method)::text, 'null'), ',',
    coalesce(to_json(path)::text, 'null'), ',', coalesce(duration_ms::text, 'null'), ',',
    coalesce(to_json(ip)::text, 'null'), ',', coalesce(to_json(subject)::text, 'null'), ',',
    '[', case when changes is not null then changes_as_hashed(changes) end, ']]'), 'UTF8'))
$$;
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
revoke all on function changes_as_hashed(jsonb), note_unsealed_activity(),
  activity_entry_hash(text, uuid, environment, text, integer, text, text, text, uuid, text, text, integer, text, text, jsonb) from public;
