-- Billing that can be proven from what happened, and invoices that keep to whom they were made out.

-- Recalls and traces, of which the bank sends no word: the operator says so, once for each payout. What a return costs
-- is charged with the return itself. A charge's cause may be one of these too.
create table bank_exceptions (
  partner_id  uuid not null references partners,
  id          uuid not null,
  payout_id   uuid not null,
  type        text not null check (type in ('recall', 'trace')),
  at          timestamptz not null,
  primary key (partner_id, id),
  unique (partner_id, payout_id, type)
);

create trigger bank_exceptions_are_kept
  before update or delete on bank_exceptions
  for each row execute function refuse_change();

-- From the time before there were charges: its network and its return were never charged. Every fee since then has been
-- written in one statement with its network charge.
alter table charges add column is_carried_over boolean not null default false;
alter table charges disable trigger charges_are_kept;
update charges c set is_carried_over = true
 where c.kind = 'payout_fees'
   and not exists (
     select 1 from charges n where n.partner_id = c.partner_id and n.cause = c.cause and n.kind = 'network_fees'
   );
alter table charges enable trigger charges_are_kept;

-- To whom invoices are made out, where that differs from the name that everybody sees.
alter table partners
  add column billing_name     text check (char_length(billing_name) between 1 and 120),
  add column billing_address  text[] not null default '{}' check (cardinality(billing_address) <= 6),
  add column vat_number       text check (char_length(vat_number) between 1 and 30);

-- The same as it was when one was issued.
alter table invoices
  add column billed_name        text,
  add column billed_address     text[] not null default '{}',
  add column billed_vat_number  text;

-- An invoice is paid or void once, and mailed once; nothing else about it ever changes, nor does that.
create or replace function guard_invoice() returns trigger language plpgsql as $$
begin
  if new.status <> old.status and not (old.status = 'issued' and new.status in ('paid', 'void')) then
    raise exception 'an invoice does not move from % to %', old.status, new.status;
  end if;
  if (new.partner_id, new.id, new.month, new.total_pence, new.issued_at, new.due_at, new.number, new.billed_name,
      new.billed_address, new.billed_vat_number)
     is distinct from
     (old.partner_id, old.id, old.month, old.total_pence, old.issued_at, old.due_at, old.number, old.billed_name,
      old.billed_address, old.billed_vat_number) then
    raise exception 'what an invoice says never changes';
  end if;
  if (old.paid_at is not null and new.paid_at is distinct from old.paid_at)
     or (old.voided_at is not null and (new.voided_at, new.void_reason) is distinct from (old.voided_at, old.void_reason))
     or (old.mailed_at is not null and new.mailed_at is distinct from old.mailed_at) then
    raise exception 'what became of an invoice never changes';
  end if;
  return new;
end $$;

-- At the end of a transaction every total is the sum of its lines, so that no line can be added later either.
create function refuse_total_without_its_lines() returns trigger language plpgsql as $$
declare
  lines bigint;
begin
  select coalesce(sum(amount_pence), 0) into lines
    from invoice_lines where partner_id = new.partner_id and invoice_id = new.invoice_id;
  if lines <> (select total_pence from invoices where partner_id = new.partner_id and id = new.invoice_id) then
    raise exception 'the total of an invoice is the sum of its lines';
  end if;
  return null;
end $$;

create constraint trigger total_is_the_sum_of_its_lines
  after insert on invoice_lines
  deferrable initially deferred
  for each row execute function refuse_total_without_its_lines();
