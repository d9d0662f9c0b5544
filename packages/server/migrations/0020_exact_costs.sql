-- Costs with a share on top are kept in millionths of a penny and rounded once, per line of an invoice: 0.02 plus 10% is
-- 0.022, and a thousand of them are 22.00. What a charge posts in the ledger with itself stays in amount_pence: the whole
-- of a price of our own, nothing of a cost, which is posted line by line when the invoice is cut. Null means that
-- amount_pence is all there is to say, as in every month that has its invoice; those never change.

-- step: new rules for new rows take a moment.
alter table charges
  add column if not exists exact_micropence  bigint,
  add column if not exists cost_micropence   bigint,
  drop constraint if exists charges_exact_micropence_check,
  drop constraint if exists charges_cost_micropence_check,
  add constraint charges_exact_micropence_check check (exact_micropence >= 0) not valid,
  add constraint charges_cost_micropence_check check (cost_micropence >= 0) not valid;

-- step
alter table invoice_lines
  add column if not exists unit_price_micropence bigint,
  drop constraint if exists invoice_lines_unit_price_micropence_check,
  add constraint invoice_lines_unit_price_micropence_check check (unit_price_micropence >= 0) not valid;

-- step: that the old rows keep them is looked up while everybody works.
alter table charges
  validate constraint charges_exact_micropence_check,
  validate constraint charges_cost_micropence_check;
alter table invoice_lines validate constraint invoice_lines_unit_price_micropence_check;

-- step, outside a transaction: built while everybody works, and anew if it was left half-built.
drop index concurrently if exists charges_by_month_exactly;
create index concurrently charges_by_month_exactly
  on charges (partner_id, month, kind, at, cause) include (amount_pence, exact_micropence);

-- step
drop index charges_by_month;
alter index charges_by_month_exactly rename to charges_by_month;

-- Months that are still open: what their costs come to exactly, at the prices of the day on which each payout was made.
-- What was posted for them is set against the line when it is cut.
alter table charges disable trigger charges_are_kept;
update charges c set cost_micropence = c.cost_pence * 1000000, exact_micropence = c.cost_pence * 100 * (10000 + share.markup)
  from (
    select open.partner_id, open.cause, open.kind,
           case open.kind when 'network_fees' then plan.network_markup_basis_points
                          else plan.exception_markup_basis_points end as markup
      from charges open
      left join bank_exceptions x on x.partner_id = open.partner_id and x.id = open.cause
      join payouts p on p.partner_id = open.partner_id and p.environment = 'live'
                    and p.id = coalesce(x.payout_id, open.cause)
     cross join lateral (
       select * from plans where plans.partner_id = open.partner_id
        order by plans.valid_from <= p.created_at desc,
                 case when plans.valid_from <= p.created_at then plans.valid_from end desc, plans.valid_from limit 1
     ) plan
     where open.kind in ('network_fees', 'bank_exceptions')
       and not exists (select 1 from invoices i where i.partner_id = open.partner_id and i.month = open.month)
  ) share
 where c.partner_id = share.partner_id and c.cause = share.cause and c.kind = share.kind;
alter table charges enable trigger charges_are_kept;
