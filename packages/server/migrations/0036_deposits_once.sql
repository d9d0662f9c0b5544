-- A deposit of the bank's is credited once, to one wallet, even if the bank shows it in two names.

-- step, outside a transaction: the index is built while everybody works, and one that was left half-built is built anew.
drop index concurrently if exists deposits_once;
create unique index concurrently deposits_once on deposits (environment, deposit_ref);
