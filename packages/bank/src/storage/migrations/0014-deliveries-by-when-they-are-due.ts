/** What is due is found by when it is due, per webhook: what is put off, or waits for a webhook that is switched off, is not read. */
export const DELIVERIES_BY_WHEN_THEY_ARE_DUE = `
-- It begins with words of its own, so that it is used where it is asked for by them, and nowhere else.
create index deliveries_due_in_turn on deliveries (lower(webhook_id), due_at, event_seq)
  where state = 'waiting' and not is_manual and not may_be_overtaken;
create index deliveries_out_of_turn on deliveries (due_at, event_seq)
  where state = 'waiting' and (is_manual or may_be_overtaken);

-- By it all that wait were read, in their order.
drop index deliveries_in_order;

-- As before, but an event is due no sooner than the one that it has to wait for.
create or replace function queue_deliveries() returns trigger language plpgsql as $$
begin
  insert into deliveries (webhook_id, event_seq, object_id, due_at)
  select w.id, e.seq, e.object_id, greatest(e.available_at, (
           select max(earlier.due_at) from deliveries earlier
            where earlier.webhook_id = w.id and earlier.object_id = e.object_id and earlier.event_seq < e.seq
              and earlier.state = 'waiting' and not earlier.is_manual and not earlier.may_be_overtaken))
    from new_events e
    join webhooks w on w.status <> 'deleted' and (w.event_categories is null or e.category = any (w.event_categories))
   order by e.seq;
  return null;
end $$;
`
