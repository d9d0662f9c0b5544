-- Nobody is a member before accepting: an invitation is a thing of its own until then.
create table invitations (
  partner_id  uuid not null references partners,
  id          uuid not null,
  email       text not null check (email = lower(email) and char_length(email) <= 254),
  name        text,
  role        text not null check (role in ('admin', 'viewer')),
  invited_by  text not null,
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  -- the latest mail about it; null when none could be sent, because the address has had several
  mailed_at   timestamptz,
  primary key (partner_id, id),
  unique (partner_id, email)
);
create index invitations_of_person on invitations (email);

-- Who was invited by somebody and has never come is invited still, for a fortnight. Whom the operator named is a member,
-- and so is whoever would leave a business without an admin.
insert into invitations (partner_id, id, email, name, role, invited_by, created_at, expires_at, mailed_at)
select m.partner_id, m.id, m.email, m.name, m.role, m.invited_by, m.created_at, now() + interval '14 days', m.created_at
  from members m
 where m.invited_by is not null and m.last_login_at is null
   and not exists (select from sessions s where s.partner_id = m.partner_id and s.email = m.email)
   and exists (select from members a
                where a.partner_id = m.partner_id and a.role = 'admin'
                  and (a.invited_by is null or a.last_login_at is not null));
delete from members m using invitations i where i.partner_id = m.partner_id and i.id = m.id;
