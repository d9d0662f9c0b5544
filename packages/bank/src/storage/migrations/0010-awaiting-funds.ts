/** A transfer waits for the money of its wallet before the bank has it, and only then can it be cancelled. */
export const AWAITING_FUNDS = `
create or replace function transfer_may_move(from_state text, to_state text) returns boolean language sql immutable as $$
  select case from_state
    when 'awaiting_funds' then to_state in ('payment_submitted', 'in_review', 'underfunded', 'undeliverable', 'canceled')
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

create or replace function guard_transfer() returns trigger language plpgsql as $$
begin
  if new.state <> old.state and not transfer_may_move(old.state, new.state) then
    raise exception 'a transfer does not move from % to %', old.state, new.state;
  end if;
  if (new.amount_micro, new.destination_pence, new.wallet_id, new.external_account_id, new.client_reference_id)
     is distinct from
     (old.amount_micro, old.destination_pence, old.wallet_id, old.external_account_id, old.client_reference_id) then
    raise exception 'what a transfer was asked for never changes';
  end if;
  if new.is_debited <> old.is_debited and (old.is_debited or old.state <> 'awaiting_funds') then
    raise exception 'a wallet is debited once, by the time that the transfer has its money';
  end if;
  return new;
end $$;
`
