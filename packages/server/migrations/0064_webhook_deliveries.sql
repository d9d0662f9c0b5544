-- What is sent to endpoints, and every attempt. Deliveries are made from a wallet's events in their order, from a position on that
-- lies with the endpoint: whoever changes a payout writes nothing for them.

-- step: how far each endpoint has come in the events of its wallet.
alter table webhook_endpoints add column if not exists position bigint not null default 0;

-- step: the deliveries.
create table if not exists webhook_deliveries (
  partner_id    uuid not null,
  environment   environment not null,
  id            uuid not null,
  endpoint_id   uuid not null,
  event_id      uuid not null,
  event_type    text not null,
  subject_id    uuid not null,
  sequence      integer not null,
  -- made by itself, for one event again, or for all of a time again
  cause         text not null check (cause in ('event', 'redelivery', 'replay')),
  state         text not null check (state in ('waiting', 'delivered', 'failed')),
  attempts      integer not null default 0,
  created_at    timestamptz not null,
  -- until then it waits for earlier events of its subject
  in_order_until timestamptz not null,
  next_try_at   timestamptz,
  lease_token   uuid,
  lease_until   timestamptz,
  ended_at      timestamptz,
  -- Also the list of an endpoint's. Every index begins with the endpoint, so that no plan reads all that a partner has.
  primary key (partner_id, environment, endpoint_id, id),
  foreign key (partner_id, environment, endpoint_id) references webhook_endpoints,
  check ((state = 'waiting') = (next_try_at is not null)),
  check ((state = 'waiting') = (ended_at is null))
);
-- What is due at an endpoint.
create index if not exists webhook_deliveries_due on webhook_deliveries (partner_id, environment, endpoint_id, next_try_at)
  where state = 'waiting';
-- Whether an earlier event of the subject is still under way.
create index if not exists webhook_deliveries_in_order
  on webhook_deliveries (partner_id, environment, endpoint_id, subject_id, sequence) where state = 'waiting';
-- What became of an event.
create index if not exists webhook_deliveries_of_event
  on webhook_deliveries (partner_id, environment, endpoint_id, event_id);

create table if not exists webhook_attempts (
  partner_id    uuid not null,
  environment   environment not null,
  endpoint_id   uuid not null,
  delivery_id   uuid not null,
  number        integer not null,
  at            timestamptz not null,
  ms            integer not null,
  -- null when there was no answer
  status        integer,
  -- null when it was delivered
  error         text,
  answer        text not null,
  primary key (partner_id, environment, endpoint_id, delivery_id, number),
  foreign key (partner_id, environment, endpoint_id, delivery_id) references webhook_deliveries on delete cascade
);
