-- That the bank has handed a payout over is a fact of its own, written once: the bank's last word, which told it before, is
-- overwritten by whatever the bank says next, and money must not be given back on the word that such a payout was stopped.

-- step: a column without a value takes a moment.
alter table payouts add column if not exists handed_over_at timestamptz;

create or replace function guard_handed_over() returns trigger language plpgsql as $$
begin
  raise exception 'that a payout was handed over stays true';
end $$;
create or replace trigger guard_handed_over before update on payouts for each row
  when (old.handed_over_at is not null and new.handed_over_at is distinct from old.handed_over_at)
  execute function guard_handed_over();

-- step: only of what is still followed does it decide anything; all else has arrived, or has its money back.
update payouts p set handed_over_at = coalesce(p.completed_at, p.bank_updated_at, p.updated_at)
  from payout_follow_ups f
 where p.partner_id = f.partner_id and p.environment = f.environment and p.id = f.payout_id and p.handed_over_at is null
   and (p.completed_at is not null or p.provider_state in
     ('payment_submitted', 'payment_processed', 'undeliverable', 'returned', 'refund_in_flight', 'refunded', 'refund_failed',
      'missing_return_policy'));
