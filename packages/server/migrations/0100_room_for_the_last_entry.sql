-- Two entries of a payout come at once and the third when it ends, as its events do: the pages that they are looked up by keep room for it,
-- and are not split in halves. 60 bytes less per payout.

-- step: for what is written from now on.
alter index ledger_entries_key set (fillfactor = 60);
