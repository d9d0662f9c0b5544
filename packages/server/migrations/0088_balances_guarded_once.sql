-- That nobody writes a balance by hand is asked once per statement and no longer of each account that a batch moves: a batch of
-- fifty wallets moves a hundred accounts per step, and each was a call.

-- step: a row of its own is asked only when it comes, goes or gets another key, which no entry does.
create or replace function refuse_handmade_update() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() > 1 then
    return null;
  end if;
  raise exception 'ledger balances change through entries only';
end $$;

create or replace trigger ledger_accounts_are_kept
  before insert or delete on ledger_accounts
  for each row execute function refuse_handmade_balance();
create or replace trigger ledger_accounts_keep_their_key
  before update of partner_id, environment, account on ledger_accounts
  for each row execute function refuse_handmade_balance();
create or replace trigger ledger_balances_follow_entries
  before update on ledger_accounts
  for each statement execute function refuse_handmade_update();
