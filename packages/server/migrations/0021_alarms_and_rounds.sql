-- What an alarm needs is in tables, so that any process can tell it: alarms that ring are rows until somebody has dealt
-- with them, and each of the worker's jobs leaves the moment of its last round.

create table alarms (
  id             uuid primary key,
  what           text not null check (char_length(what) between 1 and 200),
  -- ids, words and numbers; never details
  about          jsonb not null check (jsonb_typeof(about) = 'object' and char_length(about::text) <= 2000),
  first_seen_at  timestamptz not null,
  last_seen_at   timestamptz not null check (last_seen_at >= first_seen_at),
  count          bigint not null check (count > 0),
  closed_at      timestamptz
);
create unique index alarms_open on alarms (what, about) where closed_at is null;
create index alarms_closed on alarms (closed_at) where closed_at is not null;

create table job_rounds (
  job              text primary key,
  last_round_at    timestamptz,
  last_failure_at  timestamptz
);
