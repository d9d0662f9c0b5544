-- What the operator puts into wallets and takes out of them, each under a reference of its own: the same command again,
-- after an answer that was lost or from two terminals at once, moves nothing a second time.

create table operator_movements (
  partner_id     uuid not null,
  environment    environment not null,
  reference      text not null check (reference ~ '^[A-Za-z0-9_:.-]{1,100}$'),
  kind           text not null check (kind in ('credit', 'debit')),
  amount_micro   bigint not null check (amount_micro > 0),
  reason         text not null,
  at             timestamptz not null,
  -- null: the sandbox bank was asked for it and has not confirmed it yet
  settled_at     timestamptz,
  balance_micro  bigint,
  primary key (partner_id, environment, reference),
  foreign key (partner_id, environment) references wallets,
  check ((settled_at is null) = (balance_micro is null))
);
