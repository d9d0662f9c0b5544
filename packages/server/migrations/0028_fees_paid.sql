-- An account for what partners have paid of their invoices. PostgreSQL lets nobody use a new value of a type in the
-- transaction that adds it: the next migration opens the account.
alter type ledger_account add value 'fees_paid';
