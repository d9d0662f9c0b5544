-- A sandbox that is reset: what was paid before no longer counts against limits. What was paid stays in its row, so that it can
-- still be proved by adding up the payouts; what is not counted any more stands beside it.

-- step: a new column that is 0 everywhere takes a moment.
alter table spend_days add column if not exists reset_pence bigint not null default 0;
