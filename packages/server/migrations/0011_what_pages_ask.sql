-- What pages ask: which payouts completed or came to nothing in a time, because a month counts them by their completion
-- and a list that cannot ask for it would never add up to it; and from where a key was used.

-- Both moments change together with the status, which the index carries already, so no write costs more than before.
drop index payouts_by_time;
create index payouts_by_time on payouts (partner_id, environment, created_at, id)
  include (status, created_via, amount_pence, fee_pence, account_last4, recipient_name, reference, completed_at, ended_at)
  where surfaced_at is not null;

-- From where a key was last used: a key that is used from somewhere else is worth a question.
alter table api_keys add column last_used_ip text;
