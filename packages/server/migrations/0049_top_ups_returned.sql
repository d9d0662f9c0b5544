-- What the operator had added to a payout that came to nothing is the operator's again: it is back in the operator's own
-- wallet at the bank, and booked there once.

-- step: new rules for new rows take a moment.
alter table payout_top_ups
  add column if not exists returned_at   timestamptz,
  -- when the operator's wallet is looked at next; null: at once
  add column if not exists next_look_at  timestamptz,
  add column if not exists looks         integer not null default 0,
  drop constraint if exists payout_top_ups_returned_check,
  add constraint payout_top_ups_returned_check check (returned_at is null or added_at is not null);

-- step: one table at a time, since whoever pays writes to both.
alter table ledger_entries
  drop constraint if exists ledger_entries_kind_check,
  drop constraint if exists operator_accounts_are_apart,
  add constraint ledger_entries_kind_check check (kind in
    ('credit', 'hold', 'release', 'capture', 'settle', 'refund', 'adjust', 'surplus', 'top_up', 'top_up_back',
     'refund_diff', 'payout_fees', 'monthly_account', 'business_verification', 'network_fees', 'bank_exceptions',
     'write_off', 'payment')) not valid,
  add constraint operator_accounts_are_apart check (
    case kind
      when 'surplus' then (from_account, to_account) in
        (('operator_result', 'excess_funds'), ('excess_funds', 'operator_result'))
      when 'top_up' then (from_account, to_account) = ('excess_funds', 'operator_result')
      when 'top_up_back' then (from_account, to_account) = ('operator_result', 'excess_funds')
      when 'refund_diff' then (from_account, to_account) in
        (('refund_diff', 'operator_result'), ('operator_result', 'refund_diff'),
         ('external', 'refund_diff'), ('refund_diff', 'external'))
      else from_account not in ('excess_funds', 'refund_diff', 'operator_result')
       and to_account not in ('excess_funds', 'refund_diff', 'operator_result')
    end) not valid;

-- step: that the old rows keep them is looked up while everybody works.
alter table ledger_entries
  validate constraint ledger_entries_kind_check,
  validate constraint operator_accounts_are_apart;
