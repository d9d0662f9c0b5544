-- A message of the bank says when the thing happened that it tells of, by the bank's clock. Many messages are looked up together by
-- what has changed since then; without it the list was read two minutes back each time, which at a busy bank is all of it.

-- step: a column without a value takes a moment.
alter table bank_events add column if not exists happened_at timestamptz;
