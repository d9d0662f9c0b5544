-- What was asked and answered, masked, for somebody who looks for a mistake: for fourteen days, beside the log of requests, which
-- is kept for months and never changed. A table of its own, so that forgetting it touches nothing else.

create table if not exists request_bodies (
  partner_id       uuid not null,
  -- the request's own id, as in activity
  id               uuid not null,
  at               timestamptz not null,
  -- the payout, key or other thing that it was about
  subject_id       uuid,
  idempotency_key  text check (length(idempotency_key) <= 200),
  query            text check (length(query) <= 1000),
  -- a JSON object, by name
  headers          text check (length(headers) <= 1000),
  -- Masked JSON, perhaps cut; null when there was none, or when request_left_out says why it is not kept.
  request_body     text check (length(request_body) <= 4096),
  request_bytes    integer,
  request_left_out text,
  request_cut      boolean not null,
  answer_body      text check (length(answer_body) <= 4096),
  answer_bytes     integer,
  answer_left_out  text,
  answer_cut       boolean not null,
  primary key (partner_id, id)
);
-- forget_request_bodies
create index if not exists request_bodies_by_age on request_bodies (at);
-- A search for a payout's requests, and for an idempotency key.
create index if not exists request_bodies_by_subject on request_bodies (partner_id, subject_id, id)
  where subject_id is not null;
create index if not exists request_bodies_by_key on request_bodies (partner_id, idempotency_key, id)
  where idempotency_key is not null;
