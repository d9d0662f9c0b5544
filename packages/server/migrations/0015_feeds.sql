-- The bank's lists are read a page at a time, each page kept, and never past something that was not seen: a row that
-- comes late, or that cannot be dealt with, is read again.

-- step, outside a transaction: built while everybody works, and anew if it was left half-built.
-- What was handled long ago is taken away.
drop index concurrently if exists bank_events_handled;
create index concurrently bank_events_handled on bank_events (handled_at) where handled_at is not null;

-- step
alter table bank_feeds
  drop constraint bank_feeds_feed_check,
  -- the same three lists from their beginning, once a day
  add constraint bank_feeds_feed_check check (feed in
    ('transfers', 'bank_deposits', 'chain_deposits', 'all_transfers', 'all_bank_deposits', 'all_chain_deposits')),
  add column lease_token         uuid,
  -- the read under way; its cursor is null while its first page is still to come
  add column reading_since       timestamptz,
  add column reading_started_at  timestamptz,
  add column reading_cursor      text,
  add column reading_newest      timestamptz,
  add column reading_is_wide     boolean,
  add column failures            integer not null default 0,
  -- when the list was last read with the wide overlap
  add column wide_at             timestamptz,
  -- by the operator's hand
  add column rewound_at          timestamptz,
  add column rewound_from        timestamptz,
  add check ((reading_since is null) = (reading_started_at is null));

-- A mark could follow the bank's clock ahead of ours, and then nothing was seen until ours had come so far.
update bank_feeds set read_up_to = least(read_up_to, now()) - interval '1 day', lease_until = null;

-- Rows of the bank's lists that want another look: each holds up itself and nothing else, and is told of once.
create table bank_rows_waiting (
  environment    environment not null,
  feed           text not null check (feed in ('transfers', 'bank_deposits', 'chain_deposits')),
  ref            text not null,
  reason         text not null check (reason in ('unreadable', 'not_connected', 'nobody', 'failed', 'told')),
  -- what the row said when it was told of; the same again is no news
  state          text,
  -- reading from here on finds it again
  since          timestamptz not null,
  first_seen_at  timestamptz not null,
  -- null: it is looked at when it is read, and nobody reads further back for it
  next_try_at    timestamptz,
  tries          integer not null default 0,
  primary key (environment, feed, ref)
);
