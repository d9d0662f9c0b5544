// An upgrade while payouts flow: the release before runs with two APIs and a worker, the database is migrated under it, and its
// processes are replaced one after the other. Nobody is answered with a 5xx, and nothing is lost or paid twice.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Home, type Running, type Served, aHome, launch, moment, run, serveOn, until } from './program.ts'
import { hurry } from './hurry.ts'
import { RELEASED, type Release, buildRelease, hasRelease } from './released.ts'
import { postPayout } from './requests.ts'

const isHere = hasRelease()
if (!isHere)
  process.stdout.write('rolling-upgrade.test.ts: left out, the history does not go back to the last release\n')

const CLIENTS = 4
/** The float lasts for thousands. */
const SMALL = { amount_gbp: '1.00' }
const LULL_MS = 40

interface Load {
  /** Every order with the payout that its client was told of. */
  readonly told: Map<string, string>
  /** Every answer, by its status. */
  readonly answers: Record<string, number>
  until(count: number): Promise<void>
  finish(): Promise<void>
}

/** Clients who pay one order after the other at whoever is a target then, and ask again with the same key if they have to. */
function startLoad(targets: readonly Served[], key: string): Load {
  const told = new Map<string, string>()
  const answers: Record<string, number> = {}
  const work = { isOver: false }
  let orders = 0
  let asked = 0
  const payOne = async (order: string) => {
    for (;;) {
      const target = targets[(asked += 1) % targets.length]!
      const answer = await postPayout(target.url, key, order, SMALL).catch((error: Error) => ({
        status: error.message,
      }))
      answers[answer.status] = (answers[answer.status] ?? 0) + 1
      if ('body' in answer && (answer.status === 200 || answer.status === 201)) {
        told.set(order, answer.body.id)
        return
      }
      await moment(50)
    }
  }
  const working = Array.from({ length: CLIENTS }, async () => {
    while (!work.isOver) {
      await payOne(`upgrade-order-${(orders += 1)}`)
      await moment(LULL_MS)
    }
  })
  return {
    told,
    answers,
    until: (count) => until(`${count} more are paid`, hasMore(told, count), 60_000),
    finish: async () => {
      work.isOver = true
      await Promise.all(working)
    },
  }
}

function hasMore(told: ReadonlyMap<string, string>, count: number): () => boolean {
  const before = told.size
  return () => told.size >= before + count
}

describe.skipIf(!isHere).sequential('the release before', () => {
  let home: Home
  let release: Release
  beforeAll(async () => {
    release = buildRelease()
    home = await aHome({ isMigrated: false })
  })
  afterAll(async () => {
    await home.leave()
    release.remove()
  })

  it('is upgraded under load: no 5xx, nothing lost, nothing paid twice', async () => {
    // Without a bank: the one of this checkout speaks as the real bank does now, and the release before as it did then.
    const settings = { ...home.settings, BANK_SANDBOX_URL: 'none' }
    const before = { program: release.program }
    const create = ['partner', 'create', '--name', 'Thistle Market', '--slug', 'upgraded', '--json']
    // The first to start makes the tables.
    const old = [await serveOn('api', settings, undefined, before), await serveOn('api', settings, undefined, before)]
    const applied = await home.owner.query<{ name: string }>('select max(name) as name from migrations')
    expect(applied[0]!.name.slice(0, 4)).toBe(RELEASED.lastMigration)
    const made = JSON.parse((await run(create, settings, 60_000, before)).stdout) as { sandbox_key: string }
    const oldWorker = launch(['worker'], settings, before)
    const targets: Served[] = [...old]
    const load = startLoad(targets, made.sandbox_key)
    await load.until(20)

    expect(await run(['migrate'], settings, 120_000)).toMatchObject({ code: 0 })
    // Whoever is still sent to those of the release before is served.
    await load.until(20)
    for (const [nth, each] of old.entries()) {
      targets[nth] = await serveOn('api', settings)
      await load.until(10)
      expect((await each.kill('SIGTERM')).code).toBe(0)
    }
    const worker: Running = launch(['worker'], settings)
    await oldWorker.kill('SIGTERM')
    await load.until(20)
    await load.finish()

    expect(Object.keys(load.answers).filter((status) => !['200', '201', '409'].includes(status))).toEqual([])
    await until(
      'every payout has its end',
      async () => {
        await hurry(home.owner)
        return (await home.owner.query(`select 1 from payouts where status <> 'completed' limit 1`)).length === 0
      },
      120_000,
    )
    const rows = await home.owner.query<{ id: string; key: string }>('select id, idempotency_key as key from payouts')
    expect(new Map(rows.map(({ id, key }) => [key, id]))).toEqual(load.told)
    // Each has left the wallet once, whichever of the two moved it.
    const paid = await home.owner.query<{ id: string }>(
      `select cause as id from ledger_entries where to_account = 'paid_out' order by cause`,
    )
    expect(paid.map(({ id }) => id)).toEqual([...load.told.values()].toSorted())
    for (const each of [...targets, worker]) expect((await each.kill('SIGTERM')).code).toBe(0)
    expect(await run(['reconcile'], settings)).toMatchObject({ code: 0, stdout: 'The books are right.\n' })
  })
})
