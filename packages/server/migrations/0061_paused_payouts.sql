-- A switch that stops all payouts of an account at once. It is set under the wallet's lock, under which every payout is
-- reserved, so that none passes once it is set.

-- step: two columns and a rule for new rows take a moment.
alter table wallets
  add column if not exists paused_at timestamptz,
  add column if not exists paused_by text,
  drop constraint if exists wallets_pause_check,
  add constraint wallets_pause_check check ((paused_at is null) = (paused_by is null)) not valid;

-- step: that the old rows keep the rule is looked up while everybody works.
alter table wallets validate constraint wallets_pause_check;
