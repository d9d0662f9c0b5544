-- Who asked for what, and what they were answered. Ids only: no names, no bank details.

create table activity (
  partner_id   uuid not null references partners,
  at           timestamptz not null,
  -- the request's own id, so that writing it again after a lost answer changes nothing
  id           uuid not null,
  environment  environment,
  action       text not null,
  status       integer,
  by           text not null,
  detail       text,
  primary key (partner_id, at, id)
);

create trigger activity_is_kept
  before update or delete on activity
  for each row execute function refuse_change();

create trigger activity_is_not_truncated
  before truncate on activity
  for each statement execute function refuse_change();
