-- The smallest and the largest payout of an account are its environment's own: a live bank may ask for a minimum that a
-- sandbox does not have. The columns of partners stay for programs of the last release and are read by no other.

-- step: new columns and a rule for new rows take a moment.
alter table wallets
  add column if not exists smallest_payout_pence bigint not null default 100,
  add column if not exists largest_payout_pence bigint not null default 2000000,
  drop constraint if exists wallets_payout_limits_check,
  add constraint wallets_payout_limits_check check
    (smallest_payout_pence between 100 and largest_payout_pence and largest_payout_pence <= 2000000) not valid;

update wallets w set smallest_payout_pence = p.smallest_payout_pence, largest_payout_pence = p.largest_payout_pence
  from partners p
 where p.id = w.partner_id and (p.smallest_payout_pence, p.largest_payout_pence) <> (100, 2000000);

-- step: that the old rows keep the rule is looked up while everybody works.
alter table wallets validate constraint wallets_payout_limits_check;
