-- A payout has three events, and what nearly all of them say need not be written: whose they are, and that nothing went wrong. Null
-- means that (storage/event-standing.ts). Rows from before say it, and are read as they are.

-- step: for rows from now on, and nothing is read for it. Facts are what an event has that is about no payout.
alter table events
  alter column subject_object drop not null,
  drop constraint if exists events_subject_check,
  add constraint events_subject_check check ((subject_object is null or subject_object = 'payout') = (facts is null)) not valid,
  drop constraint if exists events_check;

-- step: that the old rows keep it is looked up while everybody works.
alter table events validate constraint events_subject_check;
