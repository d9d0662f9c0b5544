-- Activity that partners can verify: each entry is linked by its hash to the one before it, per partner and environment. The
-- worker does that after the entry is committed, so nobody who writes an entry waits for a chain: the entry is noted here.

create table activity_unsealed (
  partner_id  uuid not null,
  -- sandbox, live, or account: what is about neither
  chain       text not null,
  at          timestamptz not null,
  id          uuid not null,
  primary key (partner_id, chain, at, id)
);

-- For the owner, so that processes of the version before may go on writing from this moment.
create function note_unsealed_activity() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into activity_unsealed (partner_id, chain, at, id)
  select partner_id, coalesce(environment::text, 'account'), at, id from written
  on conflict do nothing;
  return null;
end $$;

create trigger activity_is_sealed_later
  after insert on activity referencing new table as written
  for each statement execute function note_unsealed_activity();

-- Where a chain ends, and where it begins now that the months before are forgotten. Whoever seals holds this row's lock.
create table audit_chains (
  partner_id       uuid not null references partners,
  chain            text not null check (chain in ('sandbox', 'live', 'account')),
  position         bigint not null default 0 check (position >= 0),
  hash             bytea not null default decode(repeat('00', 32), 'hex') check (length(hash) = 32),
  forgotten        bigint not null default 0 check (forgotten between 0 and position),
  forgotten_hash   bytea not null default decode(repeat('00', 32), 'hex') check (length(forgotten_hash) = 32),
  signed_position  bigint not null default 0 check (signed_position between 0 and position),
  signed_on        date,
  primary key (partner_id, chain)
);

create table activity_links (
  partner_id  uuid not null,
  chain       text not null,
  position    bigint not null check (position > 0),
  -- the entry
  at          timestamptz not null,
  id          uuid not null,
  -- the version of the canonical form
  form        smallint not null,
  sealed_at   timestamptz not null,
  entry_hash  bytea not null check (length(entry_hash) = 32),
  hash        bytea not null check (length(hash) = 32),
  primary key (partner_id, chain, position),
  foreign key (partner_id, chain) references audit_chains
);
-- An entry has one link.
create unique index activity_links_by_entry on activity_links (partner_id, at, id);

-- The end of each chain, signed once a day (UTC) if it has grown.
create table audit_heads (
  partner_id  uuid not null,
  chain       text not null,
  day         date not null,
  position    bigint not null check (position > 0),
  hash        bytea not null check (length(hash) = 32),
  signed_at   timestamptz not null,
  key_id      text not null,
  signature   bytea not null check (length(signature) = 64),
  primary key (partner_id, chain, day),
  foreign key (partner_id, chain) references audit_chains
);

-- Public halves of the keys that this service has signed with: what an older one signed stays verifiable.
create table signing_keys (
  id          text primary key,
  public_key  bytea not null check (length(public_key) = 32),
  since       timestamptz not null
);

-- Entries from before are sealed by the worker, business by business: a row says how far it has come, and goes when it is through.
create table audit_backfills (
  partner_id  uuid primary key references partners,
  at          timestamptz not null default '-infinity',
  id          uuid not null default '00000000-0000-0000-0000-000000000000'
);
insert into audit_backfills (partner_id) select id from partners;

create trigger activity_links_are_kept
  before update on activity_links
  for each row execute function refuse_change();
create trigger activity_links_are_not_truncated
  before truncate on activity_links
  for each statement execute function refuse_change();
create trigger audit_heads_are_kept
  before update or delete on audit_heads
  for each row execute function refuse_change();
create trigger audit_heads_are_not_truncated
  before truncate on audit_heads
  for each statement execute function refuse_change();
create trigger signing_keys_are_kept
  before update or delete on signing_keys
  for each row execute function refuse_change();

revoke all on function note_unsealed_activity() from public;
