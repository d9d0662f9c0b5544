-- A rail without a bank behind it says beforehand when a payout completes. Kept beside the payout, so that it need not be asked again.

-- step: a new column that is empty everywhere takes a moment. Empty: the rail is asked, as the release before does of every payout.
alter table payout_follow_ups add column if not exists completes_at timestamptz;
