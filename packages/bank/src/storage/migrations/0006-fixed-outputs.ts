/** What a transfer sends too much belongs to the developer, what it sends too little is asked for, and the bank's terms. */
export const FIXED_OUTPUTS = `
alter table bank_state
  -- the developer's own wallet, "Fixed Outputs Excess Funds", which is opened when something first goes into it
  add column excess_wallet_id    uuid not null default gen_random_uuid(),
  add column smallest_pence      bigint not null default 100 check (smallest_pence > 0),
  add column deposits_shown_in   text not null default 'usdc' check (deposits_shown_in in ('usdc', 'gbp')),
  add column refunds_return      text not null default 'everything' check (refunds_return in ('everything', 'converted')),
  add column amount_shows        text not null default 'source' check (amount_shows in ('source', 'source_and_top_ups')),
  add column not_enabled         text[] not null default '{}' check (not_enabled <@ array['gbp', 'fixed_outputs']);

-- null: the developer's own
alter table wallets alter column customer_id drop not null;

alter table wallet_movements
  drop constraint wallet_movements_kind_check,
  add constraint wallet_movements_kind_check check (kind in
    ('float', 'deposit', 'transfer', 'refund', 'adjustment', 'surplus', 'surplus_back', 'top_up', 'top_up_back'));

alter table transfers
  -- null: not exchanged yet
  add column surplus_micro    bigint check (surplus_micro >= 0),
  add column topped_up_micro  bigint not null default 0 check (topped_up_micro >= 0),
  -- what its amount shows, where that is more than the wallet was debited
  add column shown_micro      bigint check (shown_micro >= amount_micro),
  add column missing_micro    bigint check (missing_micro > 0),
  add column refunded_micro   bigint check (refunded_micro >= 0),
  add check ((state = 'underfunded') = (missing_micro is not null));

-- What earlier versions kept for the bank stays as they showed it.
update transfers set surplus_micro = 0 where state not in ('pending', 'in_review');

alter table bank_deposits add column shown_in text not null default 'usdc' check (shown_in in ('usdc', 'gbp'));

create table top_ups (
  id            uuid primary key,
  transfer_id   uuid not null references transfers,
  wallet_id     uuid not null references wallets,
  amount_micro  bigint not null check (amount_micro > 0),
  created_at    timestamptz not null
);

create or replace function transfer_may_move(from_state text, to_state text) returns boolean language sql immutable as $$
  select case from_state
    when 'pending' then to_state in ('payment_submitted', 'in_review', 'underfunded', 'undeliverable', 'canceled')
    when 'in_review' then to_state in ('payment_submitted', 'underfunded', 'undeliverable', 'canceled')
    when 'underfunded' then to_state in ('payment_submitted', 'canceled')
    when 'payment_submitted' then to_state in ('payment_processed', 'in_review', 'undeliverable', 'returned')
    when 'payment_processed' then to_state = 'returned'
    when 'undeliverable' then to_state = 'refunded'
    when 'returned' then to_state = 'refunded'
    else false
  end
$$;
`
