-- What is held back for somebody stays few rows, whoever makes how much of it: the newest are kept, and the latest of them
-- stands for those that went as well. A program of the version before writes neither column, and needs neither.
alter table held_notices
  add column stands_for integer not null default 1 check (stands_for >= 1),
  -- since when something has been waiting that this row stands for; null: since the row was made
  add column held_since timestamptz;
