-- A payout from before a sandbox was reset is among what no longer counts. When it fails, or goes on after all, what was paid
-- and what of it does not count change together: it gives back no room that it does not take.

-- step: a new column that is empty everywhere takes a moment. Empty: never reset, or by the release before, which goes on as it did.
alter table spend_days add column if not exists reset_at timestamptz;

-- step
create or replace function keep_spend_days() returns trigger language plpgsql
  security definer set search_path = public, pg_temp as $$
begin
  if new.status not in ('failed', 'cancelled') and new.send_state not in ('not_sent', 'rejected') then
    insert into spend_days (partner_id, environment, spender_id, day, spent_pence)
    values (new.partner_id, new.environment, new.spender_id, (new.created_at at time zone 'Europe/London')::date,
            new.amount_pence)
    on conflict (partner_id, environment, spender_id, day)
      do update set spent_pence = spend_days.spent_pence + excluded.spent_pence,
                    reset_pence = spend_days.reset_pence
                      + case when new.created_at <= spend_days.reset_at then excluded.spent_pence else 0 end;
  else
    update spend_days
       set spent_pence = spent_pence - new.amount_pence,
           reset_pence = case when new.created_at <= reset_at then greatest(reset_pence - new.amount_pence, 0)
                              else reset_pence end
     where partner_id = new.partner_id and environment = new.environment and spender_id = new.spender_id
       and day = (new.created_at at time zone 'Europe/London')::date;
  end if;
  return null;
end
$$;
