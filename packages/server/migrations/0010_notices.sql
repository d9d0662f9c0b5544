-- What admins are told by mail, so that each thing is told once.
alter table partners
  -- when they were told that the live wallet is low; null again once it no longer is
  add column low_balance_warned_at  timestamptz,
  -- live payouts that failed or came back up to this moment have been told; null: none yet
  add column undelivered_told_until  timestamptz;

-- Only those that did not arrive, so it is small, and completing a payout costs nothing more.
create index payouts_undelivered on payouts (partner_id, ended_at)
  where environment = 'live' and status in ('failed', 'returned') and surfaced_at is not null;
