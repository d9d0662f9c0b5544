-- The log says who acted by their name, what it was about by its name, and what was different before and after.

alter table activity add column if not exists by_name text;
alter table activity add column if not exists subject text;
alter table activity add column if not exists changes jsonb;
