-- The newest requests about a thing, and of an idempotency key, in the order in which they are listed. With the id instead of the
-- moment, the primary key gives the same order, and PostgreSQL may read all that a partner has in it.
drop index if exists request_bodies_by_subject;
create index request_bodies_by_subject on request_bodies (partner_id, subject_id, at) where subject_id is not null;
drop index if exists request_bodies_by_key;
create index request_bodies_by_key on request_bodies (partner_id, idempotency_key, at) where idempotency_key is not null;
-- forget_request_bodies. Not by the moment as it is: then this index, too, would give the order of the searches above.
drop index if exists request_bodies_by_age;
create index request_bodies_by_age on request_bodies ((at at time zone 'UTC'));
