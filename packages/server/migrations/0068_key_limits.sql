-- Keys and members with limits: what a key may be used for, from where and until when, and what a key or a member may pay at
-- once, per day and per month in London. What was paid is counted in one row per day, and only where there is a limit: every
-- other payout is written as before.

-- step: new columns, all empty, take a moment. A key without scopes has those that its environment gives.
alter table api_keys
  add column if not exists scopes text[],
  add column if not exists allowed_ips text[],
  -- The first key of those that replaced each other: they share their limits and what was paid.
  add column if not exists spender_id uuid,
  drop constraint if exists api_keys_scopes_check,
  add constraint api_keys_scopes_check
    check (scopes <@ array['read', 'quote', 'pay', 'webhooks', 'sandbox']) not valid,
  drop constraint if exists api_keys_allowed_ips_check,
  add constraint api_keys_allowed_ips_check check (cardinality(allowed_ips) between 1 and 20) not valid;

-- step: one table at a time, since whoever writes a payout holds its table and asks for its wallet's.
-- Set once the first limit of the account is: until then nobody looks for limits.
alter table wallets add column if not exists has_spending_limits boolean not null default false;

-- step
-- Whose limit the payout counts against; null: nobody's.
alter table payouts add column if not exists spender_id uuid;

-- step: that the old rows keep the rules is looked up while everybody works.
alter table api_keys validate constraint api_keys_scopes_check;
alter table api_keys validate constraint api_keys_allowed_ips_check;

-- step: the limits, and what was paid under them.
create table if not exists spending_limits (
  partner_id           uuid not null,
  environment          environment not null,
  -- a key, by the first of those that replaced each other, or a member
  spender_id           uuid not null,
  max_per_payout_pence bigint check (max_per_payout_pence > 0),
  daily_pence          bigint check (daily_pence > 0),
  monthly_pence        bigint check (monthly_pence > 0),
  -- from when on payouts are counted
  since                timestamptz not null,
  primary key (partner_id, environment, spender_id),
  foreign key (partner_id, environment) references wallets
);

create table if not exists spend_days (
  partner_id  uuid not null,
  environment environment not null,
  spender_id  uuid not null,
  day         date not null,
  spent_pence bigint not null check (spent_pence >= 0),
  primary key (partner_id, environment, spender_id, day),
  foreign key (partner_id, environment, spender_id) references spending_limits
);

-- step: a payout that comes to nothing gives its room back, on the day that it was counted; one that is tried again, or turns
-- out to be paid after all, takes it again. Its wallet is locked by whoever changes it.
create or replace function keep_spend_days() returns trigger language plpgsql
  security definer set search_path = public, pg_temp as $$
begin
  if new.status not in ('failed', 'cancelled') and new.send_state not in ('not_sent', 'rejected') then
    insert into spend_days (partner_id, environment, spender_id, day, spent_pence)
    values (new.partner_id, new.environment, new.spender_id, (new.created_at at time zone 'Europe/London')::date,
            new.amount_pence)
    on conflict (partner_id, environment, spender_id, day)
      do update set spent_pence = spend_days.spent_pence + excluded.spent_pence;
  else
    update spend_days set spent_pence = spent_pence - new.amount_pence
     where partner_id = new.partner_id and environment = new.environment and spender_id = new.spender_id
       and day = (new.created_at at time zone 'Europe/London')::date;
  end if;
  return null;
end
$$;

create or replace trigger keep_spend_days after update of status, send_state on payouts for each row
  when (new.spender_id is not null
        and ((old.status in ('failed', 'cancelled') or old.send_state in ('not_sent', 'rejected'))
             is distinct from (new.status in ('failed', 'cancelled') or new.send_state in ('not_sent', 'rejected'))))
  execute function keep_spend_days();
