/** Who may use the bank: what a customer is approved for, and one customer per email. */
export const ENDORSEMENTS = `
alter table customers drop constraint customers_status_check, add constraint customers_status_check check (status in
  ('active', 'awaiting_questionnaire', 'awaiting_ubo', 'incomplete', 'not_started', 'offboarded', 'paused', 'rejected',
   'under_review'));
alter table kyc_links drop constraint kyc_links_kyc_status_check, add constraint kyc_links_kyc_status_check check
  (kyc_status in ('not_started', 'incomplete', 'awaiting_questionnaire', 'awaiting_ubo', 'under_review', 'approved',
   'rejected', 'paused', 'offboarded'));

create table endorsements (
  customer_id  uuid not null references customers,
  name         text not null check (name in ('base', 'sepa', 'spei', 'cards', 'faster_payments')),
  status       text not null check (status in ('incomplete', 'approved', 'revoked')),
  -- what the bank still asks the customer for
  missing      text[] not null default '{}',
  primary key (customer_id, name)
);

-- Until now every customer had both of these, and an active one could use them.
insert into endorsements (customer_id, name, status)
select id, name, case when status = 'active' then 'approved' else 'incomplete' end
  from customers, unnest(array['base', 'faster_payments']) as name;

-- In small letters, and null for a second customer of an email from before there was this rule.
alter table customers add column claimed_email text unique;
update customers set claimed_email = lower(email)
 where seq in (select min(seq) from customers where email is not null group by lower(email));
`
