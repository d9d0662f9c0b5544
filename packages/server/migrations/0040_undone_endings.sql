-- A payout that had failed or come back may have been paid after all: the bank takes its word back and stands by the
-- payment. While its money is not in the wallet again, a person may say so; the ending that was none is kept.

-- step: new rules for new rows take a moment.
alter table payouts
  -- how often the payout had ended and turned out to be paid
  add column if not exists endings_undone integer not null default 0,
  drop constraint if exists payouts_endings_undone_check,
  add constraint payouts_endings_undone_check
    check (endings_undone = 0 or (endings_undone > 0 and completed_at is not null)) not valid;

-- step: that the old rows keep them is looked up while everybody works.
alter table payouts validate constraint payouts_endings_undone_check;

-- step
-- What the partner was told before, and until when it was believed.
create table undone_endings (
  partner_id      uuid not null,
  environment     environment not null,
  payout_id       uuid not null,
  nth             integer not null check (nth > 0),
  status          text not null check (status in ('failed', 'cancelled', 'returned')),
  -- whether it had arrived before it ended
  had_completed   boolean not null,
  failure_reason  text,
  ended_at        timestamptz not null,
  undone_at       timestamptz not null,
  primary key (partner_id, environment, payout_id, nth),
  foreign key (partner_id, environment) references wallets,
  check (undone_at >= ended_at)
);

create trigger undone_endings_are_kept
  before update or delete on undone_endings
  for each row execute function refuse_change();

create trigger undone_endings_are_not_truncated
  before truncate on undone_endings
  for each statement execute function refuse_change();

-- The moves of a payout's status. The program has the same table; a test compares the two, cell by cell.
create or replace function payout_may_move(from_status text, to_status text) returns boolean language sql immutable as $$
  select case from_status
    when 'pending' then to_status in ('processing', 'completed', 'failed', 'cancelled', 'returned')
    when 'processing' then to_status in ('completed', 'failed', 'cancelled', 'returned')
    when 'completed' then to_status = 'returned'
    else to_status = 'completed'
  end
$$;

-- The last line is a person's move alone: never once the money was given back, and never without its trace.
create function guard_undone_ending() returns trigger language plpgsql as $$
begin
  if not (old.status in ('failed', 'cancelled', 'returned') and new.status = 'completed'
          and old.refund_state = 'due' and new.endings_undone = old.endings_undone + 1
          and exists (select 1 from undone_endings u
                       where u.partner_id = new.partner_id and u.environment = new.environment
                         and u.payout_id = new.id and u.nth = new.endings_undone and u.status = old.status)) then
    raise exception 'a payout does not move from % to %', old.status, new.status;
  end if;
  return new;
end $$;

create trigger guard_undone_ending before update on payouts for each row
  when (old.endings_undone <> new.endings_undone
        or (old.status in ('failed', 'cancelled', 'returned') and new.status = 'completed'))
  execute function guard_undone_ending();
