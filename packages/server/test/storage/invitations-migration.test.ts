// Members who were invited and never signed in become invitations; every other member stays one.
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { MIGRATIONS_FOLDER } from '../../src/package-root.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { type Owner, emptyDatabase, ownerOf } from './owner.ts'

const [FIRST, SECOND] = ['01a0f67a-3800-70ed-9995-31985d5d9dc9', '01a0f67a-3800-70ed-9995-31985d5d9dca']

const PAST = [
  `insert into partners (id, slug, name, created_at) values ('${FIRST}', 'acme', 'Acme', now()), ('${SECOND}', 'b2', 'B', now())`,
  `insert into members (partner_id, id, email, role, invited_by, last_login_at, created_at)
   select partner::uuid, gen_random_uuid(), email, role, invited_by, last_login_at::timestamptz, now() from (values
     ('${FIRST}', 'operators@acme.test', 'admin', null, null),
     ('${FIRST}', 'came@acme.test', 'viewer', 'operators@acme.test', '2026-06-10'),
     ('${FIRST}', 'never@acme.test', 'admin', 'operators@acme.test', null),
     ('${FIRST}', 'switched@acme.test', 'viewer', 'operators@acme.test', null),
     ('${SECOND}', 'last@b.test', 'admin', 'gone@b.test', null)
   ) as m (partner, email, role, invited_by, last_login_at)`,
  `insert into sessions (partner_id, id, email, token_hash, ip, created_at, last_seen_at, expires_at)
   values ('${FIRST}', gen_random_uuid(), 'switched@acme.test', sha256('x'), '::1', now(), now(), now())`,
]

let database: Awaited<ReturnType<typeof emptyDatabase>>
let owner: Owner
let folder: string
beforeAll(async () => {
  database = await emptyDatabase()
  owner = await ownerOf(database.url)
  folder = mkdtempSync(join(tmpdir(), 'kestrel-migrations-'))
  const files = readdirSync(MIGRATIONS_FOLDER).toSorted()
  const before = files.slice(
    0,
    files.findIndex((name) => name.endsWith('_invitations.sql')),
  )
  for (const name of before) copyFileSync(join(MIGRATIONS_FOLDER, name), join(folder, name))
  await migrate({ url: database.url, folder })
  for (const statement of PAST) await owner.query(statement)
  await migrate({ url: database.url, folder: MIGRATIONS_FOLDER })
})
afterAll(async () => {
  await owner.end()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

it('keeps whoever came, whom the operator named and the last admin, and invites the others again', async () => {
  const emails = async (table: string) =>
    (await owner.query<{ email: string }>(`select email from ${table} order by email`)).map((row) => row.email)
  expect(await emails('members')).toEqual([
    'came@acme.test',
    'last@b.test',
    'operators@acme.test',
    'switched@acme.test',
  ])
  expect(await emails('invitations')).toEqual(['never@acme.test'])
})
