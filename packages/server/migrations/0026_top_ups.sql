-- What was put into a wallet, the newest first, without reading past its payouts.

-- step, outside a transaction: the index is built while everybody works, and one that was left half-built is built anew.
drop index concurrently if exists ledger_entries_of_top_ups;
create index concurrently ledger_entries_of_top_ups on ledger_entries (partner_id, environment, at, id)
  where kind = 'credit' and to_account = 'available';
