-- Tables like ours, for the two baselines: a wallet, payouts with a unique key, a ledger of two legs per side, an audit.
drop table if exists base_audit, base_entries, base_payouts, base_wallets;
create table base_wallets (id int primary key, balance bigint not null check (balance >= 0), version bigint not null default 0)
  with (fillfactor = 50);
create table base_payouts (
  id uuid primary key default gen_random_uuid(), wallet_id int not null, idempotency_key text not null,
  amount_pence bigint not null, fee_pence bigint not null, wallet_sends bigint not null, reference text not null,
  recipient_name text not null, account_last4 text not null, recipient_sealed bytea not null, status text not null,
  created_at timestamptz not null default now(), unique (wallet_id, idempotency_key));
create index base_payouts_by_time on base_payouts (wallet_id, created_at, id);
create table base_entries (
  id bigint generated always as identity primary key, payout_id uuid not null, account text not null,
  amount bigint not null, at timestamptz not null default now());
create index base_entries_by_payout on base_entries (payout_id);
create table base_audit (
  id bigint generated always as identity primary key, wallet_id int not null, payout_id uuid not null,
  action text not null, at timestamptz not null default now());
create index base_audit_by_wallet on base_audit (wallet_id, at);
insert into base_wallets select nth, 1000000000000000 from generate_series(1, 1000) nth;

create or replace function base_create_payout(wallet int, key text, pence bigint, micro bigint) returns uuid
  language plpgsql as $$
declare made uuid;
begin
  update base_wallets set balance = balance - micro, version = version + 1 where id = wallet and balance >= micro;
  if not found then return null; end if;
  insert into base_payouts (wallet_id, idempotency_key, amount_pence, fee_pence, wallet_sends, reference,
                            recipient_name, account_last4, recipient_sealed, status)
  values (wallet, key, pence, 124, micro, 'Invoice 1042', 'Amara Okafor', '5678', decode(repeat('ab', 200), 'hex'),
          'processing')
  returning id into made;
  insert into base_entries (payout_id, account, amount)
  values (made, 'available', -micro), (made, 'held', micro), (made, 'held', -micro), (made, 'at_bank', micro);
  insert into base_audit (wallet_id, payout_id, action) values (wallet, made, 'payout.create');
  return made;
end $$;
