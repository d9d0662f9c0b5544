-- What a month came to, kept up to date as payouts move, and the invoices made from it.

create table usage_months (
  partner_id            uuid not null references partners,
  environment           environment not null,
  month                 date not null check (extract(day from month) = 1),
  created               bigint not null default 0,
  completed             bigint not null default 0,
  paid_pence            bigint not null default 0,
  fee_pence             bigint not null default 0,
  fee_on_invoice_pence  bigint not null default 0,
  primary key (partner_id, environment, month)
);

create table invoices (
  partner_id   uuid not null references partners,
  id           uuid not null,
  month        date not null check (extract(day from month) = 1),
  status       text not null check (status in ('draft', 'issued', 'paid', 'void')),
  total_pence  bigint not null check (total_pence >= 0),
  issued_at    timestamptz,
  due_at       timestamptz,
  primary key (partner_id, id),
  unique (partner_id, month),
  check (status = 'draft' or (issued_at is not null and due_at is not null))
);

create table invoice_lines (
  partner_id        uuid not null,
  invoice_id        uuid not null,
  position          integer not null check (position > 0),
  kind              text not null check (kind in
                      ('payout_fees', 'monthly_account', 'business_verification', 'network_fees', 'bank_exceptions')),
  description       text not null,
  quantity          bigint not null check (quantity >= 0),
  unit_price_pence  bigint,
  amount_pence      bigint not null check (amount_pence >= 0),
  period_start      date not null,
  period_end        date not null check (period_end >= period_start),
  primary key (partner_id, invoice_id, position),
  foreign key (partner_id, invoice_id) references invoices
);
