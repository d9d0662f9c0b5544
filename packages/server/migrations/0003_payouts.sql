-- Payouts: what was asked for, what it costs, how far it has come, and who is working on it.

create table payouts (
  partner_id                 uuid not null,
  environment                environment not null,
  id                         uuid not null,
  idempotency_key            text not null check (idempotency_key ~ '^[A-Za-z0-9_:.-]{8,100}$'),
  fingerprint                bytea not null check (octet_length(fingerprint) = 32),
  created_via                text not null check (created_via in ('api', 'dashboard')),

  -- what was asked for; the recipient's details are sealed, only the name and four digits are readable
  amount_pence               bigint not null check (amount_pence between 100 and 2000000),
  country                    text not null check (country = 'GB'),
  reference                  text check (char_length(reference) <= 120),
  statement_reference        text check (char_length(statement_reference) <= 18),
  recipient_name             text not null,
  account_last4              text not null check (account_last4 ~ '^\d{4}$'),
  recipient_sealed           bytea not null,
  recipient_fingerprint      bytea not null check (octet_length(recipient_fingerprint) = 32),

  -- what it costs
  gbp_per_usd                numeric not null check (gbp_per_usd > 0),
  fee_pence                  bigint not null check (fee_pence >= 0),
  fee_in_transfer_pence      bigint not null check (fee_in_transfer_pence >= 0),
  fee_on_invoice_pence       bigint not null check (fee_on_invoice_pence >= 0),
  wallet_sends_micro         bigint not null check (wallet_sends_micro > 0),

  -- how far it has come
  status                     text not null default 'pending' check
                               (status in ('pending', 'processing', 'completed', 'failed', 'cancelled', 'returned')),
  failure_reason             text,
  provider_reason            text,
  refund_state               text not null default 'none' check (refund_state in ('none', 'due', 'done')),
  created_at                 timestamptz not null,
  updated_at                 timestamptz not null,
  completed_at               timestamptz,
  -- null: to the outside world this payout does not exist (yet)
  surfaced_at                timestamptz,
  -- set: the attempt came to nothing and its key may be used again
  released_at                timestamptz,

  -- how the bank was asked, and who may ask or record next
  rail                       text not null check (rail in ('simulated', 'provider_sandbox', 'provider_production')),
  send_state                 text not null default 'sending' check
                               (send_state in ('sending', 'unknown', 'accepted', 'not_sent', 'rejected')),
  send_attempts              integer not null default 1 check (send_attempts > 0),
  provider_ref               text,
  lease_token                uuid,
  lease_until                timestamptz,
  next_check_at              timestamptz,
  checks                     integer not null default 0,

  primary key (partner_id, environment, id),
  foreign key (partner_id, environment) references wallets,
  check (fee_pence = fee_in_transfer_pence + fee_on_invoice_pence),
  check ((lease_token is null) = (lease_until is null)),
  check (status = 'pending' or surfaced_at is not null),
  check (status <> 'failed' or failure_reason is not null),
  check (status <> 'completed' or completed_at is not null),
  check (surfaced_at is null or send_state in ('accepted', 'unknown')),
  check (surfaced_at is null or released_at is null)
);

-- A key belongs to one payout for ever, unless that payout never came to be.
create unique index payouts_idempotency_key on payouts (partner_id, environment, idempotency_key)
  where released_at is null;

-- The list, the newest first, and its filters. Most payouts are completed, so only the others are worth an index.
create index payouts_by_time on payouts (partner_id, environment, created_at, id) where surfaced_at is not null;
create index payouts_not_completed on payouts (partner_id, environment, status, created_at, id)
  where status <> 'completed' and surfaced_at is not null;
create index payouts_reference on payouts (partner_id, environment, reference, created_at, id)
  where reference is not null and surfaced_at is not null;

create index payouts_due on payouts (next_check_at) where next_check_at is not null;

-- The moves of a payout's status. The program has the same table; a test compares the two, cell by cell.
create function payout_may_move(from_status text, to_status text) returns boolean language sql immutable as $$
  select case from_status
    when 'pending' then to_status in ('processing', 'completed', 'failed', 'cancelled', 'returned')
    when 'processing' then to_status in ('completed', 'failed', 'cancelled', 'returned')
    when 'completed' then to_status = 'returned'
    else false
  end
$$;

create function guard_payout() returns trigger language plpgsql as $$
begin
  if new.status <> old.status and not payout_may_move(old.status, new.status) then
    raise exception 'a payout does not move from % to %', old.status, new.status;
  end if;
  if old.surfaced_at is not null and
     (new.partner_id, new.environment, new.id, new.reference, new.recipient_name, new.account_last4,
      new.amount_pence, new.fee_pence, new.fee_in_transfer_pence, new.fee_on_invoice_pence, new.gbp_per_usd,
      new.wallet_sends_micro, new.fingerprint, new.idempotency_key, new.recipient_sealed, new.surfaced_at)
     is distinct from
     (old.partner_id, old.environment, old.id, old.reference, old.recipient_name, old.account_last4,
      old.amount_pence, old.fee_pence, old.fee_in_transfer_pence, old.fee_on_invoice_pence, old.gbp_per_usd,
      old.wallet_sends_micro, old.fingerprint, old.idempotency_key, old.recipient_sealed, old.surfaced_at) then
    raise exception 'what a payout was asked for and what it costs never change';
  end if;
  return new;
end $$;

create trigger guard_payout before update on payouts for each row execute function guard_payout();

-- Only an attempt that never came to be visible may be taken away again.
create function guard_payout_removal() returns trigger language plpgsql as $$
begin
  if old.surfaced_at is not null then
    raise exception 'a payout is never deleted';
  end if;
  return old;
end $$;

create trigger guard_payout_removal before delete on payouts for each row execute function guard_payout_removal();

create trigger payouts_are_not_truncated
  before truncate on payouts
  for each statement execute function refuse_change();
