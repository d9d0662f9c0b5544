-- The mail about an invoice that cannot be made is tried again after a while, longer each time.
alter table invoices
  add column mail_attempts  integer not null default 0 check (mail_attempts >= 0),
  add column mail_after     timestamptz;
