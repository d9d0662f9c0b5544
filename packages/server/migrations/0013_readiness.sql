-- A place where /readyz writes. A database that has become read-only still answers, and a process on it can make no
-- payout: only writing shows that. One row, written at most once in a second by each process.
create table readiness (
  only_row boolean primary key default true check (only_row),
  checked_at timestamptz not null
);
