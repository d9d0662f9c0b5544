-- What a wallet owes because the bank took more than it held comes before what it can spend. Wallets in which both stand
-- beside each other are put right, once.

insert into ledger_entries (partner_id, environment, cause, kind, from_account, to_account, amount, at, note)
select partner_id, environment, gen_random_uuid(), 'adjust', 'available', 'suspense',
       least(held.balance, -owed.balance), now(), 'What the bank had taken beyond the balance is made good'
  from ledger_accounts held join ledger_accounts owed using (partner_id, environment)
 where held.account = 'available' and held.balance > 0 and owed.account = 'suspense' and owed.balance < 0;
