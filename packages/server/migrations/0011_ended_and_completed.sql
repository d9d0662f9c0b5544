-- Payouts are found by when they completed and by when they came to nothing: a month's figures count them by their
-- completion, and a list that cannot ask for it would never add up to them.

-- Both moments change together with the status, which the index carries already, so no write costs more than before.
drop index payouts_by_time;
create index payouts_by_time on payouts (partner_id, environment, created_at, id)
  include (status, created_via, amount_pence, fee_pence, account_last4, recipient_name, reference, completed_at, ended_at)
  where surfaced_at is not null;
