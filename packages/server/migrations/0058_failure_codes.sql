-- Why a payout did not stay with its recipient, as a word that programs can decide by, and when its money was back.

-- step: columns without a value take a moment.
alter table payouts
  add column if not exists failure_code text,
  add column if not exists refunded_at timestamptz;

-- step: of payouts that have ended, from what the bank said then. The program's table says the same of new ones.
update payouts p set
  failure_code = case
    when p.provider_reason ~ '\y(1114|AC01|AC03|PY01|CB_FailedModulusCheck|00000001)\y' then 'account_not_found'
    when p.provider_reason ~ '\y(1160|AC07|00000002)\y' then 'account_closed'
    when p.provider_reason ~ '\y(1161|AC06|00000003)\y' then 'account_blocked'
    when p.provider_reason ~ '\y(1162|CB_AccountNameAndNumberMismatch|00000006)\y' then 'name_mismatch'
    when p.provider_reason ~ '\y(1163|1164|CB_PaymentReferenceMissing|CB_PaymentReferenceIncorrect|00000005)\y' then 'reference_needed'
    when p.provider_reason ~ '\y(1166|CB_AccountSwitched|00000012)\y' then 'account_moved'
    when p.provider_reason ~ '\y(1165|AC09)\y' then 'currency_not_accepted'
    when p.provider_reason ~ '\y(1167|MD09)\y' then 'account_holder_deceased'
    when p.provider_reason ~ '\y(1100|1169|1170|AG01)\y' then 'refused_by_recipient'
    when p.provider_reason ~ '\y(1168|1172|1181|1909|1930|9909|991[0-3]|BE08|MS03)\y' then 'rejected_by_bank'
    when p.status = 'cancelled' then 'cancelled'
    when p.status = 'failed' and (p.provider_reason is null or p.provider_reason = 'released by the operator') then 'rejected_by_bank'
    else 'other'
  end,
  refunded_at = case when p.refund_state = 'done' then coalesce(
    (select max(e.at) from ledger_entries e
      where e.partner_id = p.partner_id and e.environment = p.environment and e.cause = p.id and e.kind in ('refund', 'release')),
    p.ended_at, p.updated_at) end
 where p.status in ('failed', 'cancelled', 'returned') and p.failure_code is null;
