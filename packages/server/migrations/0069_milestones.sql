-- What a business's program has done for the first time, such as repeating a request under its key: the checklist for going
-- live asks, and the log of requests is too long to be searched for it. A row per kind and environment, written once.

create table milestones (
  partner_id   uuid not null,
  environment  environment not null,
  name         text not null check (name ~ '^[a-z_]{1,40}$'),
  at           timestamptz not null,
  primary key (partner_id, environment, name),
  foreign key (partner_id, environment) references wallets
);
