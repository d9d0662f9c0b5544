-- How each endpoint does: its attempts by the hour, how it last failed, and when it first answered well. So that its page can tell
-- without reading what was sent.

-- step: new columns, all empty, take a moment.
alter table webhook_endpoints
  add column if not exists last_failed_at timestamptz,
  -- null when there was no answer
  add column if not exists last_failed_status integer,
  add column if not exists last_failed_error text,
  add column if not exists first_delivered_at timestamptz;

-- step: the attempts by the hour, kept for two days.
create table if not exists webhook_hours (
  partner_id   uuid not null,
  environment  environment not null,
  endpoint_id  uuid not null,
  hour         timestamptz not null,
  attempts     integer not null,
  delivered    integer not null,
  primary key (partner_id, environment, endpoint_id, hour),
  foreign key (partner_id, environment, endpoint_id) references webhook_endpoints on delete cascade,
  check (delivered between 0 and attempts)
);
