-- A business that the operator vouches for where there is no bank is approved and not billed: verified_at, from which
-- billing counts, is the bank's word alone. One that is closed is billed for the month in which it ends and none after.

alter table partners
  drop constraint partners_check1,
  add constraint approved_by_the_bank_is_dated
    check (verification_status <> 'approved' or verified_at is not null or verification_ref is null),
  add column closed_at timestamptz;

update partners set closed_at = now() where status = 'closed';

alter table partners add constraint closed_is_dated check ((status = 'closed') = (closed_at is not null));
