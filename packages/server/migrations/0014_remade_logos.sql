-- Logos are read and drawn anew before anybody is shown one: a picture that somebody sent can end or hang whoever reads
-- it. What was kept as it was sent stays in the columns logo_image, logo_type and logo_hash, which nothing shows any more,
-- until the worker has made it anew or dropped it. A process from before, still running, also writes there.
alter table partners
  add column remade_logo       bytea check (octet_length(remade_logo) between 1 and 204800),
  add column remade_logo_type  text check (remade_logo_type in ('image/png', 'image/jpeg')),
  add column remade_logo_hash  text check (remade_logo_hash ~ '^[0-9a-f]{64}$'),
  add check ((remade_logo is null) = (remade_logo_type is null) and (remade_logo is null) = (remade_logo_hash is null));

create index partners_logo_as_sent on partners (id) where logo_image is not null;
