-- PostgreSQL reads the text of every CHECK of a table anew in each statement that writes to it (0062): those of payouts took it longer
-- than writing the row. All but the rule of the stages become one function, which it keeps.

-- step: the same rules. What is null breaks none, as in a CHECK.
create or replace function payout_is_sound(
  idempotency_key text, fingerprint bytea, recipient_fingerprint bytea, created_via text, created_by text, country text,
  reference text, statement_reference text, account_last4 text, warnings jsonb, amount_pence bigint, gbp_per_usd numeric,
  fee_pence bigint, fee_in_transfer_pence bigint, fee_on_invoice_pence bigint, wallet_sends_micro bigint,
  bank_sent_micro bigint, surplus_micro bigint, topped_up_micro bigint, adjustments integer, bank_attempt integer,
  send_attempts integer, endings_undone integer, status text, failure_reason text, completed_at timestamptz,
  debited_at timestamptz, send_state text, lease_token uuid, lease_until timestamptz
) returns boolean language plpgsql immutable parallel safe as $$
begin
  return octet_length(idempotency_key) between 8 and 100 and idempotency_key !~ '[^A-Za-z0-9_:.-]'
    and octet_length(fingerprint) = 32 and octet_length(recipient_fingerprint) = 32
    and created_via in ('api', 'dashboard') and char_length(created_by) <= 254 and country = 'GB'
    and char_length(reference) <= 120 and char_length(statement_reference) <= 18
    and octet_length(account_last4) = 4 and account_last4 !~ '[^0-9]'
    and jsonb_typeof(warnings) = 'array'
    and amount_pence between 100 and 2000000 and gbp_per_usd > 0
    and fee_pence >= 0 and fee_in_transfer_pence >= 0 and fee_on_invoice_pence >= 0
    and fee_pence = fee_in_transfer_pence + fee_on_invoice_pence
    and wallet_sends_micro > 0 and bank_sent_micro >= 0 and surplus_micro >= 0 and topped_up_micro >= 0
    and adjustments >= 0 and bank_attempt > 0 and send_attempts > 0
    and (endings_undone = 0 or (endings_undone > 0 and completed_at is not null))
    and (status <> 'failed' or failure_reason is not null)
    and (debited_at is null or send_state in ('not_sent', 'rejected'))
    and (lease_token is null) = (lease_until is null);
end $$;

-- step: a new rule for new rows takes a moment. Whoever takes a column of it away takes the rule with it, and has to make it anew.
alter table payouts
  drop constraint if exists payouts_sound_check,
  add constraint payouts_sound_check check (payout_is_sound(
    idempotency_key, fingerprint, recipient_fingerprint, created_via, created_by, country, reference, statement_reference,
    account_last4, warnings, amount_pence, gbp_per_usd, fee_pence, fee_in_transfer_pence, fee_on_invoice_pence,
    wallet_sends_micro, bank_sent_micro, surplus_micro, topped_up_micro, adjustments, bank_attempt, send_attempts,
    endings_undone, status, failure_reason, completed_at, debited_at, send_state, lease_token, lease_until)) not valid,
  drop constraint if exists payouts_idempotency_key_check,
  drop constraint if exists payouts_fingerprint_check,
  drop constraint if exists payouts_recipient_fingerprint_check,
  drop constraint if exists payouts_created_via_check,
  drop constraint if exists payouts_created_by_check,
  drop constraint if exists payouts_country_check,
  drop constraint if exists payouts_reference_check,
  drop constraint if exists payouts_statement_reference_check,
  drop constraint if exists payouts_account_last4_check,
  drop constraint if exists payouts_warnings_check,
  drop constraint if exists payouts_amount_pence_check,
  drop constraint if exists payouts_gbp_per_usd_check,
  drop constraint if exists payouts_fee_pence_check,
  drop constraint if exists payouts_fee_in_transfer_pence_check,
  drop constraint if exists payouts_fee_on_invoice_pence_check,
  drop constraint if exists payouts_check,
  drop constraint if exists payouts_wallet_sends_micro_check,
  drop constraint if exists payouts_bank_sent_micro_check,
  drop constraint if exists payouts_surplus_micro_check,
  drop constraint if exists payouts_topped_up_micro_check,
  drop constraint if exists payouts_adjustments_check,
  drop constraint if exists payouts_bank_attempt_check,
  drop constraint if exists payouts_send_attempts_check,
  drop constraint if exists payouts_endings_undone_check,
  drop constraint if exists payouts_check3,
  drop constraint if exists payouts_debited_at_check,
  drop constraint if exists payouts_check1;

-- step: that the old rows keep it is looked up while everybody works.
alter table payouts validate constraint payouts_sound_check;
