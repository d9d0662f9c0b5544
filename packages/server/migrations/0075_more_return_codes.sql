-- More of the codes with which recipients' banks send payments back mean something to programs. What is stored is the bank's own
-- text, so payouts from before say it too.

create or replace function failure_code_of(status text, reason text) returns text
language sql immutable parallel safe as $$
  select case
    when status not in ('failed', 'cancelled', 'returned') then null
    when reason ~ '\y(AC01|AC03|PY01|CB_FailedModulusCheck)\y|(^|[(:])\s*(1114|00000001)($|[\s):,;])' then 'account_not_found'
    when reason ~ '\y(AC07)\y|(^|[(:])\s*(1160|00000002)($|[\s):,;])' then 'account_closed'
    when reason ~ '\y(AC06)\y|(^|[(:])\s*(1161|00000003)($|[\s):,;])' then 'account_blocked'
    when reason ~ '\y(CB_AccountNameAndNumberMismatch)\y|(^|[(:])\s*(1162|00000006)($|[\s):,;])' then 'name_mismatch'
    when reason ~ '\y(CB_PaymentReferenceMissing|CB_PaymentReferenceIncorrect)\y|(^|[(:])\s*(1163|1164|00000005)($|[\s):,;])' then 'reference_needed'
    when reason ~ '\y(CB_AccountSwitched)\y|(^|[(:])\s*(1166|00000012)($|[\s):,;])' then 'account_moved'
    when reason ~ '\y(AC09)\y|(^|[(:])\s*(1165|00000008)($|[\s):,;])' then 'currency_not_accepted'
    when reason ~ '\y(MD09)\y|(^|[(:])\s*(1167|00000004)($|[\s):,;])' then 'account_holder_deceased'
    when reason ~ '\y(AG01)\y|(^|[(:])\s*(1100|1169|1170|00000009|00000010|00000013)($|[\s):,;])' then 'refused_by_recipient'
    when reason ~ '\y(BE08|MS03)\y|(^|[(:])\s*(1168|1172|1181|1909|1930|9909|9910|9911|9912|9913|00000011)($|[\s):,;])' then 'rejected_by_bank'
    when status = 'cancelled' then 'cancelled'
    when status = 'failed' and (reason is null or reason = 'released by the operator') then 'rejected_by_bank'
    else 'other'
  end
$$;
