-- When the admins were told that the live wallet is low; null again once it no longer is.
alter table partners add column low_balance_warned_at timestamptz;
