-- What was asked is kept in one table for each month (UTC), so that what is older than its term goes a month at a time.
-- No row is copied: the table as it was becomes the part for everything before a bound. The guards stay: rows
-- are neither changed nor deleted, by anybody; a month goes as a whole, through keep_activity alone.

-- step: what claims to be later than the bound is set aside, if there is any, and from now on there is none. The bound is
-- the end of this month, or of the next in its last hour: nobody's rows are refused while this goes on.
create table if not exists activity_late (like activity);
do $$
declare
  bound  timestamptz := date_trunc('month', now() + interval '1 hour', 'UTC') + interval '1 month';
begin
  if exists (select 1 from activity where at >= bound) then
    alter table activity disable trigger activity_is_kept;
    with late as (delete from activity where at >= bound returning *)
    insert into activity_late select * from late;
    alter table activity enable trigger activity_is_kept;
  end if;
  alter table activity drop constraint if exists activity_is_earlier;
  execute format('alter table activity add constraint activity_is_earlier check (at < %L) not valid', bound);
end $$;

-- step: that this holds for every row is looked up while everybody works, so that nobody has to wait for it below.
alter table activity validate constraint activity_is_earlier;

-- step
alter table activity rename to activity_earlier;
alter index activity_pkey rename to activity_earlier_pkey;
alter index activity_by_id rename to activity_earlier_by_id;
alter index activity_refused rename to activity_earlier_refused;
-- The whole table's own comes back to each of its parts.
drop trigger activity_is_kept on activity_earlier;

create table activity (
  like activity_earlier including defaults including constraints,
  primary key (partner_id, at, id),
  foreign key (partner_id) references partners
) partition by range (at);
alter table activity drop constraint activity_is_earlier;

create index activity_by_id on activity (partner_id, id);
create index activity_refused on activity (partner_id, at, id) where status >= 400;

create trigger activity_is_kept
  before update or delete on activity
  for each row execute function refuse_change();

create trigger activity_is_not_truncated
  before truncate on activity
  for each statement execute function refuse_change();

-- Where a moment has no month of its own: an insert never fails for want of one.
create table activity_default partition of activity default;
create trigger activity_is_not_truncated
  before truncate on activity_default
  for each statement execute function refuse_change();

-- For the owner: the table of one month, with what stood in the default part of it.
create function make_activity_month(month timestamptz) returns void
language plpgsql set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  first_of  timestamptz := date_trunc('month', month);
  next_of   timestamptz := date_trunc('month', month) + interval '1 month';
  name      text := 'activity_' || to_char(date_trunc('month', month), 'YYYY_MM');
begin
  lock table activity in access exclusive mode;
  execute format('create table %I (like activity including defaults including constraints)', name);
  alter table activity_default disable trigger activity_is_kept;
  execute format(
    'with moved as (delete from activity_default where at >= %L and at < %L returning *)
     insert into %I select * from moved', first_of, next_of, name);
  alter table activity_default enable trigger activity_is_kept;
  execute format('alter table activity attach partition %I for values from (%L) to (%L)', name, first_of, next_of);
  execute format(
    'create trigger activity_is_not_truncated before truncate on %I
       for each statement execute function refuse_change()', name);
end $$;

-- For the service, which owns nothing: makes the months to come, and drops those that are wholly older than the term.
-- Time is the database's own and a term is never short, so that whoever takes the service over cannot remove the trace of
-- it. Null keeps everything. Answers with what was dropped. Whoever else is at work is waited for two seconds at most.
create function keep_activity(months integer) returns text[]
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

revoke all on function make_activity_month(timestamptz), keep_activity(integer) from public;

-- The table as it was, as the part before its bound: no row has to be looked at for that. What claimed to be later stands in
-- the default part, or in a month's own.
do $$
declare
  bound    timestamptz := date_trunc('month', now() + interval '1 hour', 'UTC') + interval '1 month';
  service  text;
begin
  execute format('alter table activity attach partition activity_earlier for values from (minvalue) to (%L)', bound);
  alter table activity_earlier drop constraint activity_is_earlier;
  insert into activity select * from activity_late;
  drop table activity_late;
  -- Processes of the version before go on writing: what they may do is theirs at the same moment.
  for service in
    select distinct quote_ident(r.rolname) from pg_class c, aclexplode(c.relacl) a join pg_roles r on r.oid = a.grantee
     where c.oid = 'activity_earlier'::regclass and a.grantee <> c.relowner
  loop
    execute format('grant select, insert on activity to %s', service);
    execute format('revoke all on activity_earlier from %s', service);
  end loop;
  perform keep_activity(null);
end $$;
