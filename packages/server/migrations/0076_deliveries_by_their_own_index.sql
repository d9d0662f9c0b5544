-- Deliveries are looked up by the index that is for it, whatever PostgreSQL believes of the table: a new or a suddenly grown one is
-- taken for small, and then any index whose first columns a statement names costs the same. Only the primary key begins with the
-- partner; the others begin with something that only the statements that they are for name.

-- step: one worker at a time sends to an endpoint, and nobody counts what others have under way.
alter table webhook_endpoints
  add column if not exists served_by uuid,
  add column if not exists served_until timestamptz;

-- step, outside a transaction: built while everybody works, and anew if it was left half-built.
-- busy_webhook_endpoints, claim_webhook_deliveries, oldest_webhook_delivery: what is due at an endpoint, in its order.
drop index concurrently if exists webhook_deliveries_next;
create index concurrently webhook_deliveries_next
  on webhook_deliveries ((endpoint_id::text), next_try_at, id) where state = 'waiting';
-- claim_webhook_deliveries: whether an earlier event of the subject still waits, said in other words than above.
drop index concurrently if exists webhook_deliveries_by_subject;
create index concurrently webhook_deliveries_by_subject
  on webhook_deliveries ((subject_id::text), sequence) where ended_at is null;
-- list_webhook_deliveries_of_subject, failed_event_ids_of_a_time: what became of an event.
drop index concurrently if exists webhook_deliveries_by_event;
create index concurrently webhook_deliveries_by_event
  on webhook_deliveries ((endpoint_id::text || event_id::text) collate "C");
drop index concurrently if exists webhook_deliveries_due;
drop index concurrently if exists webhook_deliveries_leased;
drop index concurrently if exists webhook_deliveries_in_order;
drop index concurrently if exists webhook_deliveries_of_event;
