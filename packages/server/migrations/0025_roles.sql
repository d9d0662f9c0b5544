-- The service need not own its tables: balances follow the entries on the owner's behalf, so that whoever may write an
-- entry may still not write a balance. What each role may do is granted after every migration (storage/privileges.ts).
alter function post_ledger_entries() security definer set search_path = public, pg_temp;
