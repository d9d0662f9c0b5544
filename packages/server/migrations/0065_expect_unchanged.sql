-- What was decided from rows as they were read is written in one trip, and only if nothing has changed since. The transaction ends
-- with nothing done otherwise, and is decided again under locks.
create or replace function expect_unchanged(is_so boolean) returns void language plpgsql as $$
begin
  if is_so is not true then
    raise exception 'a row has changed since it was read' using errcode = 'serialization_failure';
  end if;
end $$;
