-- Events: what changed for a partner, one row per change, written by the statement that changes it, so that none is ever missing.
-- A row has what was different then, and nothing that can still be read from its subject.

-- step: what is new, which nobody waits for.
create table if not exists events (
  partner_id       uuid not null,
  environment      environment not null,
  id               uuid not null,
  -- 1, 2, 3 … in a wallet. It is given under the wallet's lock, so positions are committed in their order: a reader that goes
  -- on from a position misses nothing, however late a transaction commits.
  position         bigint not null check (position > 0),
  type             text not null,
  subject_object   text not null,
  -- the subject's id, or a hash of one that is no UUID
  subject_id       uuid not null,
  -- 1, 2, 3 … of a subject
  sequence         integer not null check (sequence > 0),
  occurred_at      timestamptz not null,
  -- the partner's own request that caused it
  request_id       uuid,

  -- how a payout stood then; what it was asked for never changes, and is read from its own row
  status           text,
  send_state       text,
  refund_state     text,
  failure_reason   text,
  provider_reason  text,
  provider_state   text,
  completed_at     timestamptz,
  refunded_at      timestamptz,
  -- any other subject, whole
  facts            jsonb,

  primary key (partner_id, environment, id),
  check ((subject_object = 'payout') = (facts is null))
);
-- note_payout_events, note_events, list_changes, and the list without a filter.
create unique index if not exists events_in_order on events (partner_id, environment, position);
-- The list of one subject, and its next number.
create unique index if not exists events_of_subject on events (partner_id, environment, subject_id, sequence);
-- The list of some types.
create index if not exists events_by_type on events (partner_id, environment, type, position);

-- step: how many events a payout has. Those from before have none yet.
alter table payouts add column if not exists event_count integer not null default 0;

-- step: open dashboards are told from the events.
drop table if exists payout_changes;
