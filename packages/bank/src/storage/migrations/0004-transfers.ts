/** Who is paid, what was sent to them, and how far it has come. */
export const TRANSFERS = `
create table external_accounts (
  seq                        bigint generated always as identity unique,
  id                         uuid primary key,
  customer_id                uuid not null references customers,
  bank_name                  text,
  account_owner_name         text not null,
  account_owner_type         text check (account_owner_type in ('individual', 'business')),
  first_name                 text,
  last_name                  text,
  business_name              text,
  sort_code                  text not null check (sort_code ~ '^[0-9]{6}$'),
  -- The account number itself is never kept: four digits to show, a keyed hash to recognise it by, and its one meaning.
  last_4                     text not null check (last_4 ~ '^[0-9]{4}$'),
  fingerprint                bytea not null check (octet_length(fingerprint) = 32),
  ends_in_four_zeros         boolean not null check (ends_in_four_zeros = (last_4 = '0000')),
  is_active                  boolean not null default true,
  verification_requested_at  timestamptz,
  verification_completed_at  timestamptz,
  created_at                 timestamptz not null,
  updated_at                 timestamptz not null,
  check ((verification_requested_at is null) = (verification_completed_at is null))
);

create unique index one_external_account_per_number on external_accounts (customer_id, fingerprint) where is_active;

create table transfers (
  seq                  bigint generated always as identity unique,
  id                   uuid primary key,
  client_reference_id  text check (char_length(client_reference_id) between 1 and 256),
  idempotency_key      text not null,
  customer_id          uuid not null references customers,
  wallet_id            uuid not null references wallets,
  external_account_id  uuid not null references external_accounts,
  amount_micro         bigint not null check (amount_micro > 0),
  developer_fee_micro  bigint not null check (developer_fee_micro >= 0),
  exchange_fee_micro   bigint not null check (exchange_fee_micro >= 0),
  destination_pence    bigint not null check (destination_pence > 0),
  rate                 text not null,
  reference            text check (char_length(reference) <= 18),
  story                text not null,
  is_debited           boolean not null,
  state                text not null,
  return_reason        text,
  refund_reference     text,
  -- null: it goes no further unless it is told to
  due_at               timestamptz,
  visible_from         timestamptz not null,
  created_at           timestamptz not null,
  updated_at           timestamptz not null,
  constraint one_transfer_per_client_reference unique (client_reference_id),
  check (amount_micro > developer_fee_micro + exchange_fee_micro),
  -- what was never taken ends as refunded too, without a movement
  check (state <> 'refunded' or not is_debited or refund_reference is not null),
  check (state not in ('undeliverable', 'returned') or return_reason is not null)
);

create index transfers_due on transfers (due_at) where due_at is not null;
create index transfers_updated on transfers (updated_at);
create index transfers_of_customer on transfers (customer_id, seq);

create function transfer_may_move(from_state text, to_state text) returns boolean language sql immutable as $$
  select case from_state
    when 'pending' then to_state in ('payment_submitted', 'in_review', 'undeliverable', 'canceled')
    when 'in_review' then to_state in ('payment_submitted', 'undeliverable', 'canceled')
    when 'payment_submitted' then to_state in ('payment_processed', 'in_review', 'undeliverable', 'returned')
    when 'payment_processed' then to_state = 'returned'
    when 'undeliverable' then to_state = 'refunded'
    when 'returned' then to_state = 'refunded'
    else false
  end
$$;

create function guard_transfer() returns trigger language plpgsql as $$
begin
  if new.state <> old.state and not transfer_may_move(old.state, new.state) then
    raise exception 'a transfer does not move from % to %', old.state, new.state;
  end if;
  if (new.amount_micro, new.destination_pence, new.wallet_id, new.external_account_id, new.client_reference_id, new.is_debited)
     is distinct from
     (old.amount_micro, old.destination_pence, old.wallet_id, old.external_account_id, old.client_reference_id, old.is_debited) then
    raise exception 'what a transfer was asked for never changes';
  end if;
  return new;
end $$;

create trigger guard_transfer before update on transfers for each row execute function guard_transfer();

create trigger transfers_are_kept before delete on transfers for each row execute function refuse_change();
`
