-- A message of the bank says in which state it leaves what it names. One that tells of a state that is known already, or of an earlier
-- one, need not be read back.

-- step: a column without a value takes a moment.
alter table bank_events add column if not exists object_state text;
