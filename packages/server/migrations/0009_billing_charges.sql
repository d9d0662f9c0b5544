-- Billing: every charge is an entry of the ledger, invoices have numbers without gaps, and costs have prices too.

-- What the bank charges us where it gives no receipt, and what is added to it.
alter table plans
  add column network_cost_pence             bigint not null default 2 check (network_cost_pence >= 0),
  add column network_markup_basis_points    bigint not null default 1000
               check (network_markup_basis_points between 0 and 10000),
  add column exception_cost_pence           bigint not null default 250 check (exception_cost_pence >= 0),
  add column exception_markup_basis_points  bigint not null default 2000
               check (exception_markup_basis_points between 0 and 10000);

alter table ledger_entries drop constraint ledger_entries_kind_check;
alter table ledger_entries
  add constraint ledger_entries_kind_check check (kind in
    ('credit', 'hold', 'release', 'capture', 'settle', 'refund',
     'payout_fees', 'monthly_account', 'business_verification', 'network_fees', 'bank_exceptions', 'write_off')),
  add constraint sandbox_is_never_charged
    check (environment = 'live' or to_account not in ('fees_receivable', 'fees_earned'));

-- The movements of wallets by time, for statements.
create index ledger_entries_of_wallet on ledger_entries (partner_id, environment, at, id)
  include (kind, cause, from_account, amount)
  where from_account = 'available' or to_account = 'available';

-- Which deposit a credit is for.
alter table deposits add column cause uuid;
create index deposits_cause on deposits (partner_id, cause) where cause is not null;

-- What a partner owes, each thing once. The cause is the payout, the month's invoice, or for its verification the
-- partner itself. Only live has charges.
create table charges (
  partner_id    uuid not null references partners,
  cause         uuid not null,
  kind          text not null check (kind in
                  ('payout_fees', 'monthly_account', 'business_verification', 'network_fees', 'bank_exceptions')),
  month         date not null,
  amount_pence  bigint not null check (amount_pence >= 0),
  -- what it cost us, where the price is that and a share on top
  cost_pence    bigint check (cost_pence >= 0),
  at            timestamptz not null,
  primary key (partner_id, cause, kind),
  check (month = date_trunc('month', at at time zone 'Europe/London')::date),
  check ((cost_pence is not null) = (kind in ('network_fees', 'bank_exceptions')))
);

-- A month's lines, and the payouts behind a line in order, without touching the table.
create index charges_by_month on charges (partner_id, month, kind, at, cause) include (amount_pence);

-- One row a year: the last number given out. It is locked by whoever cuts an invoice, so no number is ever skipped.
create table invoice_numbers (
  year  integer primary key,
  last  bigint not null check (last > 0)
);

alter table invoices
  add column number       text unique check (number ~ '^KP-\d{4}-\d{6,}$'),
  add column paid_at      timestamptz,
  add column voided_at    timestamptz,
  add column void_reason  text check (char_length(void_reason) between 1 and 500),
  -- when the mail about it was written; null: it is still to be
  add column mailed_at    timestamptz;

create index invoices_to_mail on invoices (issued_at) where mailed_at is null;

-- What was charged before there were charges, as the invoices of then have it.
insert into charges (partner_id, cause, kind, month, amount_pence, at)
select partner_id, id, 'payout_fees', date_trunc('month', completed_at at time zone 'Europe/London')::date,
       fee_on_invoice_pence, completed_at
  from payouts where environment = 'live' and completed_at is not null;

insert into charges (partner_id, cause, kind, month, amount_pence, at)
select i.partner_id, i.id, 'monthly_account', i.month, l.amount_pence,
       ((i.month + interval '1 month') at time zone 'Europe/London') - interval '1 millisecond'
  from invoices i join invoice_lines l on l.partner_id = i.partner_id and l.invoice_id = i.id
 where l.kind = 'monthly_account';

insert into charges (partner_id, cause, kind, month, amount_pence, at)
select p.id, p.id, 'business_verification', date_trunc('month', p.verified_at at time zone 'Europe/London')::date,
       coalesce(
         (select l.amount_pence from invoice_lines l where l.partner_id = p.id and l.kind = 'business_verification'
           order by l.period_start limit 1),
         (select plan.business_verification_pence from plans plan
           where plan.partner_id = p.id and plan.valid_from <= p.verified_at order by plan.valid_from desc limit 1),
         0),
       p.verified_at
  from partners p where p.verified_at is not null;

insert into ledger_entries (partner_id, environment, cause, kind, from_account, to_account, amount, at)
select partner_id, 'live', cause, kind, 'fees_earned', 'fees_receivable', amount_pence, at
  from charges where amount_pence > 0 order by at, cause;

update invoices i set number = numbered.number, mailed_at = i.issued_at,
       paid_at = case when i.status = 'paid' then i.issued_at end,
       voided_at = case when i.status = 'void' then i.issued_at end
  from (
    select partner_id, id, 'KP-' || year || '-' || lpad(nth::text, 6, '0') as number
      from (
        select partner_id, id, extract(year from issued_at at time zone 'Europe/London')::int as year,
               row_number() over (partition by extract(year from issued_at at time zone 'Europe/London')
                                  order by month, issued_at, id) as nth
          from invoices where issued_at is not null
      ) counted
  ) numbered
 where i.partner_id = numbered.partner_id and i.id = numbered.id;

insert into invoice_numbers (year, last)
select split_part(number, '-', 2)::int, count(*) from invoices where number is not null group by 1;

insert into ledger_entries (partner_id, environment, cause, kind, from_account, to_account, amount, at)
select partner_id, 'live', id, 'write_off', 'fees_receivable', 'fees_earned', total_pence, issued_at
  from invoices where status = 'void' and total_pence > 0;

alter table invoices
  add check (status = 'draft' or number is not null),
  add check ((status = 'paid') = (paid_at is not null)),
  add check ((status = 'void') = (voided_at is not null));

-- A month that has its invoice is closed. Whoever writes a charge and whoever cuts an invoice hold the lock of the
-- live wallet, so one always sees the other; a charge that comes too late is refused and made again in the next month.
create function refuse_charge_in_closed_month() returns trigger language plpgsql as $$
begin
  if exists (
    select 1 from new_charges c join invoices i on i.partner_id = c.partner_id and i.month = c.month
  ) then
    raise exception 'a month that has its invoice takes no more charges';
  end if;
  return null;
end $$;

create trigger charges_of_closed_months_are_refused
  after insert on charges
  referencing new table as new_charges
  for each statement execute function refuse_charge_in_closed_month();

create trigger charges_are_kept
  before update or delete on charges
  for each row execute function refuse_change();

create trigger charges_are_not_truncated
  before truncate on charges
  for each statement execute function refuse_change();

-- An invoice is paid or void once, and mailed once; nothing else about it ever changes.
create function guard_invoice() returns trigger language plpgsql as $$
begin
  if new.status <> old.status and not (old.status = 'issued' and new.status in ('paid', 'void')) then
    raise exception 'an invoice does not move from % to %', old.status, new.status;
  end if;
  if (new.partner_id, new.id, new.month, new.total_pence, new.issued_at, new.due_at, new.number)
     is distinct from
     (old.partner_id, old.id, old.month, old.total_pence, old.issued_at, old.due_at, old.number) then
    raise exception 'what an invoice says never changes';
  end if;
  return new;
end $$;

create trigger guard_invoice before update on invoices for each row execute function guard_invoice();

create trigger invoices_are_kept
  before delete on invoices
  for each row execute function refuse_change();

create trigger invoices_are_not_truncated
  before truncate on invoices
  for each statement execute function refuse_change();

create trigger invoice_lines_are_kept
  before update or delete on invoice_lines
  for each row execute function refuse_change();

create trigger invoice_lines_are_not_truncated
  before truncate on invoice_lines
  for each statement execute function refuse_change();
