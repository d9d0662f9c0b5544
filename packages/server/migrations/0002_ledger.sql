-- The ledger: every movement of money, each out of one account and into another, for ever.

create type ledger_account as enum (
  -- USDC, in millionths
  'external', 'available', 'held', 'in_transit', 'paid_out', 'fx_diff', 'suspense',
  -- GBP, in pence
  'fees_receivable', 'fees_earned'
);

create table wallets (
  partner_id   uuid not null references partners,
  environment  environment not null,
  chain        text not null default 'base',
  address      text,
  created_at   timestamptz not null,
  primary key (partner_id, environment)
);

create table ledger_accounts (
  partner_id   uuid not null,
  environment  environment not null,
  account      ledger_account not null,
  balance      bigint not null default 0,
  primary key (partner_id, environment, account),
  foreign key (partner_id, environment) references wallets,
  constraint ledger_account_not_overdrawn check (
    balance >= 0 or account not in ('available', 'held', 'in_transit', 'paid_out')
  )
);

-- An entry takes an amount out of one account and puts it into another. It cannot be out of balance,
-- because it has only one amount; and its cause is unique, so that each effect happens once.
create table ledger_entries (
  partner_id    uuid not null,
  environment   environment not null,
  id            bigint generated always as identity,
  cause         uuid not null,
  kind          text not null check (kind in
                  ('credit', 'hold', 'release', 'capture', 'settle', 'refund')),
  seq           integer not null default 1 check (seq > 0),
  from_account  ledger_account not null,
  to_account    ledger_account not null,
  amount        bigint not null check (amount > 0),
  at            timestamptz not null,
  note          text,
  primary key (partner_id, environment, id),
  unique (partner_id, cause, kind, seq),
  foreign key (partner_id, environment, from_account) references ledger_accounts,
  foreign key (partner_id, environment, to_account) references ledger_accounts,
  check (from_account <> to_account),
  check ((from_account in ('fees_receivable', 'fees_earned')) = (to_account in ('fees_receivable', 'fees_earned')))
);

-- Balances follow the entries, a whole batch at a time. The application locks the wallet's `available`
-- row first, so two batches of one wallet never wait for each other in two orders.
create function post_ledger_entries() returns trigger language plpgsql as $$
begin
  update ledger_accounts a
     set balance = a.balance + change.delta
    from (
      select partner_id, environment, account, sum(amount)::bigint as delta
        from (
          select partner_id, environment, from_account as account, -amount as amount from new_entries
          union all
          select partner_id, environment, to_account, amount from new_entries
        ) legs
       group by partner_id, environment, account
    ) change
   where a.partner_id = change.partner_id
     and a.environment = change.environment
     and a.account = change.account;
  return null;
end $$;

create trigger post_ledger_entries
  after insert on ledger_entries
  referencing new table as new_entries
  for each statement execute function post_ledger_entries();

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: % is not allowed', tg_table_name, lower(tg_op);
end $$;

create trigger ledger_entries_are_kept
  before update or delete on ledger_entries
  for each row execute function refuse_change();

create trigger ledger_entries_are_not_truncated
  before truncate on ledger_entries
  for each statement execute function refuse_change();

-- A balance is the sum of its entries and nothing else may write it.
create function refuse_handmade_balance() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.balance <> 0 then
      raise exception 'a ledger account starts at zero: post an entry instead';
    end if;
    return new;
  end if;
  if tg_op = 'UPDATE' and pg_trigger_depth() > 1 then
    return new;
  end if;
  raise exception 'ledger balances change through entries only';
end $$;

create trigger ledger_balances_follow_entries
  before insert or update or delete on ledger_accounts
  for each row execute function refuse_handmade_balance();

create trigger ledger_accounts_are_not_truncated
  before truncate on ledger_accounts
  for each statement execute function refuse_change();
