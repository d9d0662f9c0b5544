-- A paid invoice lowers what is receivable, by an entry under its own id, so that the ledger says who still owes what.

alter table ledger_entries
  drop constraint ledger_entries_kind_check,
  drop constraint ledger_entries_check1,
  drop constraint sandbox_is_never_charged;
alter table ledger_entries
  add constraint ledger_entries_kind_check check (kind in
    ('credit', 'hold', 'release', 'capture', 'settle', 'refund', 'adjust', 'payout_fees', 'monthly_account',
     'business_verification', 'network_fees', 'bank_exceptions', 'write_off', 'payment')),
  add constraint ledger_entries_in_one_currency check (
    (from_account in ('fees_receivable', 'fees_earned', 'fees_paid'))
      = (to_account in ('fees_receivable', 'fees_earned', 'fees_paid'))),
  add constraint sandbox_is_never_charged check (
    environment = 'live' or to_account not in ('fees_receivable', 'fees_earned', 'fees_paid')),
  -- what was paid comes from what was receivable, and stays
  add constraint payments_are_of_what_is_receivable check (
    (kind = 'payment') = (to_account = 'fees_paid') and from_account <> 'fees_paid'
      and (kind <> 'payment' or from_account = 'fees_receivable'));

-- A wallet that was opened since the account is there has it already.
insert into ledger_accounts (partner_id, environment, account)
select partner_id, environment, 'fees_paid' from wallets
on conflict do nothing;

insert into ledger_entries (partner_id, environment, cause, kind, from_account, to_account, amount, at)
select partner_id, 'live', id, 'payment', 'fees_receivable', 'fees_paid', total_pence, paid_at
  from invoices where status = 'paid' and total_pence > 0 order by paid_at, id;
