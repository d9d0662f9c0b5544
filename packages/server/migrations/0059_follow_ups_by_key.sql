-- A follow-up is looked up by its key and by nothing else. The table is empty whenever everything is at rest; PostgreSQL that has
-- looked at it then takes any index whose columns a statement names, and a look-up by key read what everybody had under way.
-- These indexes begin with expressions, which only the statements that they are for name, and none has the payout.

-- step, outside a transaction: built while everybody works, and anew if it was left half-built.
-- due_payouts: what is to be looked at, the longest overdue first.
drop index concurrently if exists payout_follow_ups_next;
create index concurrently payout_follow_ups_next
  on payout_follow_ups ((case environment when 'live' then 1 else 0 end), next_check_at);
-- list_payouts_pending, list_payouts_processing: what is under way, the newest first.
drop index concurrently if exists payout_follow_ups_under_way;
create index concurrently payout_follow_ups_under_way
  on payout_follow_ups ((partner_id::text), (case environment when 'sandbox' then 1 else 0 end), created_at);
drop index concurrently if exists payout_follow_ups_due;
drop index concurrently if exists payout_follow_ups_by_time;
