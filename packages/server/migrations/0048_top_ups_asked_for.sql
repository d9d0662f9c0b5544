-- What the operator has asked the bank to add to a payout and the bank has not answered: the bank may have added it, and count
-- it as sent. Null: nothing. A payout whose addition was never answered is one of few, so the old rows are gone through once.
alter table payouts add column if not exists topping_up_micro bigint;

update payouts p set topping_up_micro = t.amount_micro
  from payout_top_ups t
 where t.added_at is null and t.refused_at is null
   and p.partner_id = t.partner_id and p.environment = t.environment and p.id = t.payout_id;
