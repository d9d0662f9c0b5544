-- What is kept of requests and answers takes a fifth of the room: the program packs it (storage/packed-bodies.ts). PostgreSQL does
-- not compress a row below 2 kB, and knows nothing of what such rows have in common.

-- step: a new column that is empty everywhere takes a moment. Rows from before have their texts, until they are forgotten.
alter table request_bodies add column if not exists packed bytea;

-- step: a new rule for new rows does, too. Four texts at their longest, each character of which may take four bytes.
alter table request_bodies drop constraint if exists request_bodies_packed_check;
alter table request_bodies add constraint request_bodies_packed_check check (octet_length(packed) <= 65536) not valid;

-- step: that the old rows keep it is looked up while everybody works.
alter table request_bodies validate constraint request_bodies_packed_check;
