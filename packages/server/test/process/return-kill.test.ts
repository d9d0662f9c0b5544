// kill -9 of the worker and of the operator's command while the bank says that payouts came back, stands by them, and
// sends them back again: none is refunded twice, none is lost, and every ending that was none is undone once.
import { randomInt } from 'node:crypto'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestBank, startTestBank } from '../support/bank.ts'
import { endAllLeases } from './hurry.ts'
import { type Home, type Running, type Settings, aHome, launch, moment, run, serveOn, until } from './program.ts'
import { createPartner, postPayout, sandboxWallet } from './requests.ts'

const SEED = Number.parseInt(process.env['SEED'] ?? '', 10) || randomInt(2 ** 31)
process.stdout.write(`return-kill.test.ts seed=${SEED}\n`)
let state = SEED >>> 0
const draw = (below: number) => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}

const PAYOUTS = 2

let home: Home
let bank: TestBank
let settings: Settings
let partner: { id: string; key: string }
beforeAll(async () => {
  ;[home, bank] = await Promise.all([aHome(), startTestBank()])
  await bank.query('alter table transfers disable trigger user')
  await bank.standStill()
  const { baseUrl, apiKey } = bank.provider
  settings = {
    ...home.settings,
    BANK_SANDBOX_URL: baseUrl,
    BANK_SANDBOX_API_KEY: apiKey,
    BANK_SWEEP_SECONDS: '1',
  }
  partner = await createPartner(settings, 'returns')
})
afterAll(async () => {
  await home.leave()
  await bank.close()
})

/** Nobody is left who holds one, so the test need not wait for its end. */
async function forgetTheDead(): Promise<void> {
  await endAllLeases(home.owner)
  await home.owner.query(
    `update bank_feeds set lease_until = now() - interval '1 second' where lease_until is not null`,
  )
}

const says = (change: string) =>
  bank.query(`update transfers set ${change}, updated_at = greatest(updated_at, now()) + interval '1 second'`)

const howMany = async (condition: string) =>
  (await home.owner.query<{ count: number }>(`select count(*)::int as count from payouts where ${condition}`))[0]!.count

/** The bank says so of all of them; the worker is killed some time while it hears that, and the next one goes on. */
async function heardThroughKills(worker: Running, change: string, condition: string): Promise<Running> {
  await says(change)
  await moment(draw(1_500))
  expect((await worker.kill('SIGKILL')).signal).toBe('SIGKILL')
  await forgetTheDead()
  const next = launch(['worker'], settings)
  await until(condition, async () => (await howMany(condition)) === PAYOUTS, 60_000)
  return next
}

/** The command is killed at some moment, and given again, by two at once, until it says that all is well. */
async function resolvedThroughKills(id: string): Promise<void> {
  const args = ['payout', 'resolve', id, '--completed', '--reason', 'the bank stands by it']
  const cut = launch(args, settings)
  await moment(300 + draw(2_500))
  await cut.kill('SIGKILL')
  await until(
    `${id} is completed`,
    async () => {
      await forgetTheDead()
      const both = await Promise.all([run(args, settings, 60_000), run(args, settings, 60_000)])
      return both.every(({ code }) => code === 0)
    },
    120_000,
  )
}

describe('payouts that come back, do not, and come back', () => {
  it('are refunded once, whatever is killed when', async () => {
    let worker = launch(['worker'], settings)
    await until('the wallet is at the bank', async () => {
      const rows = await home.owner.query(`select 1 from wallets where rail = 'provider_sandbox'`)
      return rows.length > 0
    })
    const api = await serveOn('api', settings)
    for (let index = 0; index < PAYOUTS; index++) {
      expect((await postPayout(api.url, partner.key, `order-${index}-${SEED}`)).status).toBe(201)
    }
    await api.kill('SIGTERM')
    const ids = (await home.owner.query<{ id: string }>('select id from payouts order by id')).map(({ id }) => id)
    worker = await heardThroughKills(worker, `state = 'payment_processed'`, `status = 'completed'`)
    const back = `return_reason = 'Closed (00000002)'`
    worker = await heardThroughKills(worker, `state = 'returned', ${back}`, `status = 'returned'`)
    worker = await heardThroughKills(
      worker,
      `state = 'payment_processed', return_reason = null`,
      `status = 'returned' and provider_state = 'payment_processed'`,
    )
    await worker.kill('SIGKILL')
    for (const id of ids) await resolvedThroughKills(id)
    expect(await howMany(`status = 'completed' and endings_undone = 1 and ended_at is null`)).toBe(PAYOUTS)
    expect(await home.owner.query('select nth, status from undone_endings')).toEqual(
      ids.map(() => ({ nth: 1, status: 'returned' })),
    )
    const told = await home.owner.query(`select 1 from activity where action = 'payout.resolve'`)
    expect(told).toHaveLength(PAYOUTS)

    worker = launch(['worker'], settings)
    worker = await heardThroughKills(worker, `state = 'returned', ${back}`, `status = 'returned'`)
    for (const { id } of await bank.query<{ id: string }>('select id from transfers')) {
      await bank.control('POST', `/transfers/${id}/refund`)
    }
    worker = await heardThroughKills(worker, back, `refund_state = 'done'`)
    const entries = await home.owner.query<{ kind: string; count: string }>(
      `select kind, count(*) from ledger_entries where cause = any($1) group by kind order by kind`,
      [ids],
    )
    expect(entries).toEqual(['capture', 'hold', 'refund', 'settle'].map((kind) => ({ kind, count: String(PAYOUTS) })))
    expect(await sandboxWallet(home.owner, partner.id)).toEqual({
      available: 10_000_000_000n,
      held: 0n,
      in_transit: 0n,
      paid_out: 0n,
    })
    // The last one may only just have begun, and a signal that comes before it listens ends it like any program.
    await home.owner.query('delete from job_rounds')
    await until('the last one comes round', async () => (await home.owner.query('select 1 from job_rounds')).length > 0)
    expect((await worker.kill('SIGTERM')).code).toBe(0)
    expect((await run(['reconcile'], settings, 60_000)).stdout).toBe('The books are right.\n')
  }, 300_000)
})
