-- A bank that refuses a payout may have made it all the same. A refused attempt keeps its key for the same request, is
-- looked for in the bank's list before anything is sent under that key, and is never sent once an operator has paid for it.

-- step: new rules for new rows take a moment.
alter table payouts
  -- by when the bank's list has to have what a refused attempt made, if it made anything
  add column if not exists listed_by   timestamptz,
  -- when an operator took the money of what the bank had made all the same out of the books
  add column if not exists debited_at  timestamptz,
  drop constraint if exists payouts_debited_at_check,
  -- whose money is held or with the bank has been paid for already
  add constraint payouts_debited_at_check check (debited_at is null or send_state in ('not_sent', 'rejected')) not valid,
  drop constraint if exists payouts_stage_check,
  add constraint payouts_stage_check check (
    case send_state
      when 'sending' then
        status = 'pending' and refund_state = 'none' and completed_at is null
        and surfaced_at is null and released_at is null
      when 'unknown' then
        (status, refund_state) in (('pending', 'none'), ('failed', 'done')) and completed_at is null
        and surfaced_at is not null and released_at is null
      when 'not_sent' then
        status = 'pending' and refund_state = 'none' and completed_at is null and surfaced_at is null
      when 'rejected' then
        status = 'pending' and refund_state = 'none' and completed_at is null and surfaced_at is null
      when 'accepted' then
        surfaced_at is not null and released_at is null
        and case status
              when 'pending' then refund_state = 'none' and completed_at is null
              when 'processing' then refund_state = 'none' and completed_at is null
              when 'completed' then refund_state = 'none' and completed_at is not null
              when 'failed' then refund_state in ('due', 'done') and completed_at is null
              when 'cancelled' then refund_state in ('due', 'done') and completed_at is null
              when 'returned' then refund_state in ('due', 'done')
              else false
            end
      else false
    end) not valid;

-- step: that the old rows keep them is looked up while everybody works.
alter table payouts
  validate constraint payouts_debited_at_check,
  validate constraint payouts_stage_check;

-- step, outside a transaction: built while everybody works, and anew if it was left half-built.
-- The attempts that the bank refused and whose key another request has taken: few, and none is written here at first.
drop index concurrently if exists payouts_refused_before;
create index concurrently payouts_refused_before on payouts (partner_id, environment, idempotency_key)
  where released_at is not null and bank_attempt > 1;
