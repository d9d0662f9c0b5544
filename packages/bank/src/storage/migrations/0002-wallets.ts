/** Wallets, and every movement of money in or out of them, for ever. */
export const WALLETS = `
create table wallets (
  seq            bigint generated always as identity unique,
  id             uuid primary key,
  customer_id    uuid not null references customers,
  chain          text not null check (chain in ('base', 'ethereum', 'solana')),
  address        text not null unique,
  is_first       boolean not null,
  balance_micro  bigint not null default 0,
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  constraint wallet_is_never_negative check (balance_micro >= 0)
);

create unique index customers_have_one_first_wallet on wallets (customer_id) where is_first;
create index wallets_of_customer on wallets (customer_id, seq);

-- A movement happens once for its cause: the transfer that took the money, the deposit that brought it.
create table wallet_movements (
  seq           bigint generated always as identity primary key,
  wallet_id     uuid not null references wallets,
  kind          text not null check (kind in ('float', 'deposit', 'transfer', 'refund', 'adjustment')),
  cause         uuid not null,
  amount_micro  bigint not null check (amount_micro <> 0),
  source        text check (source in ('bank', 'onchain')),
  note          text,
  at            timestamptz not null,
  unique (kind, cause),
  check ((kind = 'deposit') = (source is not null)),
  check (kind <> 'transfer' or amount_micro < 0),
  check (kind not in ('float', 'deposit', 'refund') or amount_micro > 0)
);

create index movements_of_wallet on wallet_movements (wallet_id, seq);

-- A balance is the sum of its movements, and nothing else may write it.
create function post_wallet_movements() returns trigger language plpgsql as $$
begin
  update wallets w
     set balance_micro = w.balance_micro + change.delta,
         updated_at = greatest(w.updated_at, change.at)
    from (select wallet_id, sum(amount_micro)::bigint as delta, max(at) as at from new_movements group by wallet_id) change
   where w.id = change.wallet_id;
  return null;
end $$;

create trigger post_wallet_movements
  after insert on wallet_movements
  referencing new table as new_movements
  for each statement execute function post_wallet_movements();

create function guard_wallet_balance() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.balance_micro <> 0 then
      raise exception 'a wallet starts empty: post a movement instead';
    end if;
    return new;
  end if;
  if new.balance_micro <> old.balance_micro and pg_trigger_depth() < 2 then
    raise exception 'balances change through movements only';
  end if;
  return new;
end $$;

create trigger guard_wallet_balance before insert or update on wallets
  for each row execute function guard_wallet_balance();

-- Only the control plane's reset, which wipes the whole bank, says this word.
create function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'TRUNCATE' and current_setting('bank.wiping', true) = 'yes' then
    return null;
  end if;
  raise exception '% is append-only: % is not allowed', tg_table_name, lower(tg_op);
end $$;

create trigger movements_are_kept before update or delete on wallet_movements
  for each row execute function refuse_change();
create trigger movements_are_not_truncated before truncate on wallet_movements
  for each statement execute function refuse_change();
`
