-- A mail whose recipient is put off by the mail server waits by itself and is no sign that mail does not go out: the figure
-- that wakes somebody must not count it, or whoever invites a made-up address wakes them. A program of the version before
-- does not write the column, and its mails count as they did.
alter table mails add column put_off_at timestamptz;
