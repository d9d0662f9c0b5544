-- A pattern that counts ("8 to 100 of these") follows a hundred places at each character, and every write of a payout checks
-- it again: that was an eighth of what PostgreSQL did for a payout. The same rules, with the length apart.

-- step: a new rule for new rows takes a moment.
alter table payouts
  drop constraint if exists payouts_idempotency_key_check,
  drop constraint if exists payouts_account_last4_check,
  add constraint payouts_idempotency_key_check
    check (octet_length(idempotency_key) between 8 and 100 and idempotency_key !~ '[^A-Za-z0-9_:.-]') not valid,
  add constraint payouts_account_last4_check
    check (octet_length(account_last4) = 4 and account_last4 !~ '[^0-9]') not valid;

-- step: that the old rows keep them is looked up while everybody works.
alter table payouts validate constraint payouts_idempotency_key_check;
alter table payouts validate constraint payouts_account_last4_check;
