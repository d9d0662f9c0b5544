-- A paid invoice lowers what is receivable, by an entry under its own id, so that the ledger says who still owes what.

-- step: new rules for new rows take a moment.
alter table ledger_entries
  drop constraint if exists ledger_entries_kind_check,
  drop constraint if exists ledger_entries_check1,
  drop constraint if exists ledger_entries_in_one_currency,
  drop constraint if exists sandbox_is_never_charged,
  drop constraint if exists payments_are_of_what_is_receivable,
  add constraint ledger_entries_kind_check check (kind in
    ('credit', 'hold', 'release', 'capture', 'settle', 'refund', 'adjust', 'payout_fees', 'monthly_account',
     'business_verification', 'network_fees', 'bank_exceptions', 'write_off', 'payment')) not valid,
  add constraint ledger_entries_in_one_currency check (
    (from_account in ('fees_receivable', 'fees_earned', 'fees_paid'))
      = (to_account in ('fees_receivable', 'fees_earned', 'fees_paid'))) not valid,
  add constraint sandbox_is_never_charged check (
    environment = 'live' or to_account not in ('fees_receivable', 'fees_earned', 'fees_paid')) not valid,
  -- what was paid comes from what was receivable, and stays
  add constraint payments_are_of_what_is_receivable check (
    (kind = 'payment') = (to_account = 'fees_paid') and from_account <> 'fees_paid'
      and (kind <> 'payment' or from_account = 'fees_receivable')) not valid;

-- step: that the old rows keep them is looked up while everybody works.
alter table ledger_entries
  validate constraint ledger_entries_kind_check,
  validate constraint ledger_entries_in_one_currency,
  validate constraint sandbox_is_never_charged,
  validate constraint payments_are_of_what_is_receivable;

-- step
-- A wallet that was opened since the account is there has it already.
insert into ledger_accounts (partner_id, environment, account)
select partner_id, environment, 'fees_paid' from wallets
on conflict do nothing;

insert into ledger_entries (partner_id, environment, cause, kind, from_account, to_account, amount, at)
select partner_id, 'live', id, 'payment', 'fees_receivable', 'fees_paid', total_pence, paid_at
  from invoices where status = 'paid' and total_pence > 0 order by paid_at, id;
