/** What happened, who wants to hear of it, and who has heard. */
export const WEBHOOKS = `
create table webhooks (
  seq               bigint generated always as identity unique,
  id                text primary key check (id ~ '^wep_[a-f0-9]+$'),
  url               text not null,
  status            text not null check (status in ('active', 'disabled', 'deleted')),
  event_categories  text[],
  public_key        text not null,
  private_key       text not null,
  created_at        timestamptz not null
);

create table events (
  seq            bigint generated always as identity primary key,
  id             text not null unique,
  category       text not null,
  type           text not null,
  object_id      uuid not null,
  object_status  text,
  object         json not null,
  changes        json not null,
  available_at   timestamptz not null,
  created_at     timestamptz not null
);

create table deliveries (
  id                bigint generated always as identity primary key,
  webhook_id        text not null references webhooks,
  event_seq         bigint not null references events,
  object_id         uuid not null,
  state             text not null default 'waiting' check (state in ('waiting', 'done', 'given_up')),
  -- asked for through the API, outside of the queue
  is_manual         boolean not null default false,
  -- the next event about the same object may go first
  may_be_overtaken  boolean not null default false,
  attempts          integer not null default 0,
  first_attempt_at  timestamptz,
  due_at            timestamptz not null,
  lease             uuid,
  lease_until       timestamptz,
  check ((lease is null) = (lease_until is null))
);

create unique index one_queued_delivery_per_event on deliveries (webhook_id, event_seq) where not is_manual;
create index deliveries_waiting on deliveries (webhook_id, object_id, event_seq) where state = 'waiting';
create index deliveries_due on deliveries (due_at) where state = 'waiting';

create table delivery_logs (
  seq            bigint generated always as identity primary key,
  webhook_id     text not null references webhooks,
  event_id       text not null,
  status         integer not null,
  response_body  text not null,
  created_at     timestamptz not null
);

create index delivery_logs_of_webhook on delivery_logs (webhook_id, seq);

-- An event and its deliveries are one thing: whoever records the one has queued the other. A webhook that is switched
-- off keeps its queue and gets it when it is switched on.
create function queue_deliveries() returns trigger language plpgsql as $$
begin
  insert into deliveries (webhook_id, event_seq, object_id, due_at)
  select w.id, e.seq, e.object_id, e.available_at
    from new_events e
    join webhooks w on w.status <> 'deleted' and (w.event_categories is null or e.category = any (w.event_categories))
   order by e.seq;
  return null;
end $$;

create trigger queue_deliveries
  after insert on events
  referencing new table as new_events
  for each statement execute function queue_deliveries();
`
