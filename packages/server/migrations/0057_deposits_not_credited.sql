-- Whose a deposit is that was left out although the bank shows it as arrived, and how much: if it is money after all, it is
-- in the bank's wallet, and must not be taken for a refund.

create table deposits_not_credited (
  partner_id    uuid not null,
  environment   environment not null,
  deposit_ref   text not null,
  amount_micro  bigint not null check (amount_micro > 0),
  at            timestamptz not null,
  primary key (partner_id, environment, deposit_ref),
  foreign key (partner_id, environment) references wallets
);
