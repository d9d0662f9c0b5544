-- What is due at an endpoint is taken from the front of an index, in its whole order, and what is under way is counted by one of
-- its own: both cost the same however much waits.

drop index if exists webhook_deliveries_due;
create index webhook_deliveries_due on webhook_deliveries (partner_id, environment, endpoint_id, next_try_at, id)
  where state = 'waiting';
create index if not exists webhook_deliveries_leased on webhook_deliveries (partner_id, environment, endpoint_id, lease_until)
  where lease_until is not null;
