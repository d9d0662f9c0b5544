// kill -9 in the middle of linking the log, again and again, with two workers at once: one chain, no entry twice, none left out.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Home, aHome, freePort, launch, run, until } from './program.ts'
import { createPartner } from './requests.ts'

const ENTRIES = 20_000

let home: Home
let partner: { id: string; key: string }
beforeAll(async () => {
  home = await aHome()
  partner = await createPartner(home.settings, 'sealed')
  await home.owner.query(
    `insert into activity (partner_id, at, id, environment, action, status, by)
     select $1, now() - n * interval '1 millisecond', gen_random_uuid(), 'sandbox', 'balance.read', 200, 'kp_x'
       from generate_series(1, ${ENTRIES}) n`,
    [partner.id],
  )
})
afterAll(() => home.leave())

const linked = async () =>
  (await home.owner.query<{ count: number }>('select count(*)::int as count from activity_links'))[0]!.count
const aWorker = async () => launch(['worker'], { ...home.settings, ADMIN_PORT: String(await freePort()) })

describe('workers that are killed while they link', () => {
  it('leave one chain, which the next go on with', async () => {
    let kills = 0
    for (const enough of [1_000, 6_000, 12_000]) {
      const [one, other] = [await aWorker(), await aWorker()]
      await until(`${enough} entries are linked`, async () => (await linked()) >= enough, 120_000)
      for (const each of [one, other]) if ((await each.kill('SIGKILL')).signal === 'SIGKILL') kills++
    }
    expect(kills).toBe(6)
    const last = await aWorker()
    await until('all are linked', async () => (await linked()) > ENTRIES, 120_000)
    await until('the heads are signed', async () => {
      const [row] = await home.owner.query<{ count: number }>('select count(*)::int as count from audit_heads')
      return row!.count > 0
    })
    await last.kill('SIGKILL')
    const verified = await run(['audit', 'verify', '--partner', 'sealed'], home.settings)
    expect(verified.stdout).toMatch(/^\d+ entries in 2 chains of 1 business: as they were written\.\n$/)
    expect(verified.code).toBe(0)
    await home.owner.query('set session_replication_role = replica')
    await home.owner.query(
      `update activity set by = 'nobody' where id = (select id from activity_links where position = 9000)`,
    )
    const changed = await run(['audit', 'verify'], home.settings)
    expect(changed.stdout).toMatch(/^sealed \(sandbox\) entry 9000, [0-9a-f-]{36}: this entry was changed\.\n/)
    expect(changed.code).toBe(1)
  })
})
