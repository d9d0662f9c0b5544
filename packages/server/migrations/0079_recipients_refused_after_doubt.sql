-- A refusal for the recipient that ends a doubt says the same as one that comes at once: the bank does not pay this recipient.
-- Spaces and letters beside a code are those of ASCII, as in the program.

create or replace function failure_code_of(status text, reason text) returns text
language sql immutable parallel safe as $$
  select case
    when status not in ('failed', 'cancelled', 'returned') then null
    when reason ~ '(^|[^A-Za-z0-9_])(AC01|AC03|PY01|CB_FailedModulusCheck)($|[^A-Za-z0-9_])|(^|[(:])[ \t\r\n]*(1114|00000001)($|[ \t\r\n):,;])' then 'account_not_found'
    when reason ~ '(^|[^A-Za-z0-9_])(AC07)($|[^A-Za-z0-9_])|(^|[(:])[ \t\r\n]*(1160|00000002)($|[ \t\r\n):,;])' then 'account_closed'
    when reason ~ '(^|[^A-Za-z0-9_])(AC06)($|[^A-Za-z0-9_])|(^|[(:])[ \t\r\n]*(1161|00000003)($|[ \t\r\n):,;])' then 'account_blocked'
    when reason ~ '(^|[^A-Za-z0-9_])(CB_AccountNameAndNumberMismatch)($|[^A-Za-z0-9_])|(^|[(:])[ \t\r\n]*(1162|00000006)($|[ \t\r\n):,;])' then 'name_mismatch'
    when reason ~ '(^|[^A-Za-z0-9_])(CB_PaymentReferenceMissing|CB_PaymentReferenceIncorrect)($|[^A-Za-z0-9_])|(^|[(:])[ \t\r\n]*(1163|1164|00000005)($|[ \t\r\n):,;])' then 'reference_needed'
    when reason ~ '(^|[^A-Za-z0-9_])(CB_AccountSwitched)($|[^A-Za-z0-9_])|(^|[(:])[ \t\r\n]*(1166|00000012)($|[ \t\r\n):,;])' then 'account_moved'
    when reason ~ '(^|[^A-Za-z0-9_])(AC09)($|[^A-Za-z0-9_])|(^|[(:])[ \t\r\n]*(1165|00000008)($|[ \t\r\n):,;])' then 'currency_not_accepted'
    when reason ~ '(^|[^A-Za-z0-9_])(MD09)($|[^A-Za-z0-9_])|(^|[(:])[ \t\r\n]*(1167|00000004)($|[ \t\r\n):,;])' then 'account_holder_deceased'
    when reason ~ '(^|[^A-Za-z0-9_])(AG01)($|[^A-Za-z0-9_])|(^|[(:])[ \t\r\n]*(1100|1169|1170|00000009|00000010|00000013)($|[ \t\r\n):,;])' then 'refused_by_recipient'
    when reason ~ '(^|[^A-Za-z0-9_])(BE08|MS03)($|[^A-Za-z0-9_])|(^|[(:])[ \t\r\n]*(1168|1172|1181|1909|1930|9909|9910|9911|9912|9913|00000011)($|[ \t\r\n):,;])' then 'rejected_by_bank'
    when starts_with(reason, 'refused after doubt, for the account: ') then 'account_not_found'
    when starts_with(reason, 'refused after doubt, for the recipient: ') then 'invalid_recipient'
    when starts_with(reason, 'refused after doubt: ') then 'rejected_by_bank'
    when status = 'cancelled' then 'cancelled'
    when status = 'failed' and (reason is null or reason = 'released by the operator') then 'rejected_by_bank'
    else 'other'
  end
$$;
