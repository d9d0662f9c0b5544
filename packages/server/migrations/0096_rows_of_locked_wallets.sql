-- A row of the bank's list whose wallet somebody has locked waits by itself, and holds up no row of anybody else.

-- step: a check that looks at no row yet takes a moment.
alter table bank_rows_waiting
  drop constraint if exists bank_rows_waiting_reason_check,
  add constraint bank_rows_waiting_reason_check check
    (reason in ('unreadable', 'not_connected', 'nobody', 'unclaimed', 'locked', 'failed', 'told')) not valid;

-- step
alter table bank_rows_waiting validate constraint bank_rows_waiting_reason_check;
