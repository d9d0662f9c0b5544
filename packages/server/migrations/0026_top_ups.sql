-- What was put into a wallet, the newest first, without reading past its payouts.
create index ledger_entries_of_top_ups on ledger_entries (partner_id, environment, at, id)
  where kind = 'credit' and to_account = 'available';
