-- Where a partner's events are sent, and the sealed secrets that sign them. A deleted one keeps its row, without secrets,
-- until nothing that was sent to it is shown any more.

create table webhook_endpoints (
  partner_id             uuid not null,
  environment            environment not null,
  id                     uuid not null,
  url                    text not null check (length(url) <= 4000),
  description            text,
  events                 text[] not null check (cardinality(events) between 1 and 40),
  status                 text not null check (status in ('active', 'paused', 'disabled')),
  disabled_reason        text check (disabled_reason in ('gone', 'asked', 'failing')),
  disabled_at            timestamptz,
  secret_sealed          bytea,
  previous_secret_sealed bytea,
  previous_secret_until  timestamptz,
  failing_since          timestamptz,
  -- When the admins were told that it fails, so that they are told once.
  told_at                timestamptz,
  created_at             timestamptz not null,
  created_by             text not null,
  deleted_at             timestamptz,
  primary key (partner_id, environment, id),
  foreign key (partner_id, environment) references wallets,
  check ((status = 'disabled') = (disabled_at is not null) and (disabled_at is null) = (disabled_reason is null)),
  check ((secret_sealed is null) = (deleted_at is not null)),
  check ((previous_secret_sealed is null) = (previous_secret_until is null))
);
