-- PostgreSQL looks at a table about a minute after its first rows. Until then it takes everything that a wallet has for one row, and
-- at some ten thousand rows picks an index for other questions that happens to have a level less: each look-up reads all of it.

-- For the service, which owns nothing: has PostgreSQL look at the tables that have grown and that it knows nothing of. Answers with
-- their names. Whoever is at one already is not waited for.
create function look_at_new_tables() returns text[]
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  looked_at  text[] := '{}';
  each_name  text;
begin
  for each_name in
    select c.oid::regclass::text from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.reltuples <= 0
       and pg_has_role(c.relowner, 'usage')
       -- It had no page when PostgreSQL last looked. One that rows come to and leave has, and is not looked at again and again.
       and c.relpages = 0 and pg_relation_size(c.oid) >= 128 * 1024
     order by 1
  loop
    execute format('analyze (skip_locked) %s', each_name);
    looked_at := looked_at || each_name;
  end loop;
  return looked_at;
end $$;
