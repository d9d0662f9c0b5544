-- A row of the bank's list need not say which payout it is for. The transfer's own id says it too, once a payout has it.

-- step, outside a transaction: built while everybody works, and anew if it was left half-built.
drop index concurrently if exists payouts_by_transfer;
create index concurrently payouts_by_transfer on payouts (provider_ref) where provider_ref is not null;
