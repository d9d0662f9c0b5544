-- A new month refers to partners, so making one locks both. Whoever changes a partner and says so in activity goes to
-- partners first: so does this now, and two never wait for each other in a circle. Readers and references go on.

create or replace function keep_activity(months integer) returns text[]
language plpgsql security definer
set search_path = public, pg_temp set timezone = 'UTC' set datestyle = 'ISO' set lock_timeout = '2s' as $$
declare
  this_month  timestamptz := date_trunc('month', now());
  last_ahead  timestamptz := date_trunc('month', now()) + interval '3 months';
  missing     timestamptz[];
  old         text[];
  each_month  timestamptz;
  each_name   text;
begin
  if months < 3 then
    raise exception 'activity is kept for at least 3 months, not %', months using errcode = 'check_violation';
  end if;
  -- One at a time: two that have both looked would each wait for the other's look to end.
  perform pg_advisory_xact_lock(hashtext('keep_activity'));
  for attempt in 1..2 loop
    with parts as (
      select c.relname::text as name,
             substring(pg_get_expr(c.relpartbound, c.oid) from $re$TO \('([^']+)'\)$re$)::timestamptz as ends
        from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = 'activity'::regclass
    ), covered as (
      select max(ends) as ends from parts
    ), wanted as (
      select m from covered, generate_series(coalesce(covered.ends, this_month), last_ahead, interval '1 month') as m
      union
      select date_trunc('month', at) from activity_default
       where at >= '2000-01-01' and at < last_ahead + interval '1 month'
    )
    select (select array_agg(m order by m) from wanted),
           (select coalesce(array_agg(name order by ends), '{}') from parts
             where ends <= this_month - make_interval(months => months))
      into missing, old;
    exit when missing is null and old = '{}';
    -- Others may be doing the same: who has the lock looks again, and then acts.
    if attempt = 1 then
      lock table partners in share row exclusive mode;
      lock table activity in access exclusive mode;
      continue;
    end if;
    foreach each_month in array coalesce(missing, '{}') loop
      perform make_activity_month(each_month);
    end loop;
    foreach each_name in array old loop
      execute format('drop table %I', each_name);
    end loop;
  end loop;
  return old;
end $$;
