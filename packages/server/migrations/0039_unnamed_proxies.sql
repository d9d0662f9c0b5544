-- Networks from which requests come for several callers, as a proxy forwards them, without TRUST_PROXY naming it: all those
-- callers then share the limits of one network, and only the processes that answer requests can see it.
create table unnamed_proxies (
  network      text primary key check (length(network) between 1 and 64),
  requests     bigint not null check (requests > 0),
  last_seen_at timestamptz not null
);
