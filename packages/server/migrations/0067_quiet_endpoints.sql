-- How long a receiver has asked to be left alone: nothing is sent to it until then, not even what waits beside the message that it
-- answered so.

alter table webhook_endpoints add column if not exists quiet_until timestamptz;
