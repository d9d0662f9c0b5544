-- Accounts for what the operator has at the bank because of a partner's payouts. PostgreSQL lets nobody use a new value of a
-- type in the transaction that adds it: the next migration opens them.
alter type ledger_account add value if not exists 'excess_funds';
alter type ledger_account add value if not exists 'refund_diff';
alter type ledger_account add value if not exists 'operator_result';
