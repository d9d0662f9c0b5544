-- A payout is at one of twelve stages (docs/payout-states.md). The columns that tell which were guarded one by one, so that
-- rows were accepted which no program writes and of which nobody could say where their money is.
alter table payouts
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
        status = 'pending' and refund_state = 'none' and completed_at is null
        and surfaced_at is null and released_at is not null
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

-- step: that the old rows keep it is looked up while everybody works.
alter table payouts validate constraint payouts_stage_check;
