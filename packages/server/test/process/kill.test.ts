// kill -9 in the middle of payouts, again and again, and a start on the same database each time.
import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { CANARY, CANARY_SHAPES } from '../support/canaries.ts'
import { aRecipient } from '../support/fixtures.ts'
import { checkEvents } from './event-checks.ts'
import { endAllLeases } from './hurry.ts'
import { type Home, type Served, aHome, moment, run, serveOn, until } from './program.ts'
import { type Answer, postPayout, sandboxWallet } from './requests.ts'

const SEED = Number.parseInt(process.env['SEED'] ?? '', 10) || randomInt(2 ** 31)
process.stdout.write(`kill.test.ts seed=${SEED}\n`)

let home: Home
beforeAll(async () => {
  home = await aHome()
})
afterAll(() => home.leave())

/** Which payouts are made, and how each must end, whatever is killed when. */
const STORIES = [
  { reference: 'plain', account: '12345678', end: 'completed' },
  { reference: 'sandbox:late', account: '12345678', end: 'completed' },
  { reference: 'sandbox:fail', account: '12345678', end: 'failed' },
  { reference: 'sandbox:return', account: '12345678', end: 'returned' },
  { reference: 'sandbox:cancel', account: '12345678', end: 'cancelled' },
  { reference: 'no account', account: '12340000', end: 'failed' },
] as const

const ROUNDS = 3
const EACH_ROUND = 48

interface Order {
  readonly key: string
  readonly story: (typeof STORIES)[number]
  readonly ids: Set<string>
  readonly statuses: number[]
}

/** Asks for an order's payout; a connection that breaks is no answer. */
async function ask(order: Order, server: Served, apiKey: string): Promise<Answer | null> {
  const recipient = aRecipient({ account_number: order.story.account })
  const body = { reference: order.story.reference, recipient }
  const answer = await postPayout(server.url, apiKey, order.key, body).catch(() => null)
  if (answer !== null) {
    order.statuses.push(answer.status)
    if (answer.status === 200 || answer.status === 201) order.ids.add(answer.body.id)
  }
  return answer
}

/** A lease lasts 30 s; nobody is left who holds one, so the test need not wait for its end. */
async function forgetTheDead(): Promise<void> {
  await endAllLeases(home.owner)
  await home.owner.query('update wallets set connect_at = null')
}

describe('a server that is killed in the middle of payouts', () => {
  it('strands none, loses none and pays none twice, and every hold ends as it should', async ({ task }) => {
    let state = SEED >>> 0
    const draw = (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return Math.floor((state / 2 ** 32) * below)
    }
    let server = await serveOn('serve', home.settings)
    const apiKey = /kp_sandbox_[0-9a-f]{48}/.exec(server.output.stdout)![0]
    const orders: Order[] = []
    let unanswered = 0

    for (let round = 0; round < ROUNDS; round++) {
      const fresh = Array.from({ length: EACH_ROUND }, (_, index): Order => {
        const story = STORIES[index % STORIES.length]!
        return { key: `order-${round}-${index}-${SEED}`, story, ids: new Set(), statuses: [] }
      })
      orders.push(...fresh)
      const open = orders.filter((order) => order.ids.size === 0)
      const answers = open.map(async (order) => {
        await moment(draw(60))
        return ask(order, server, apiKey)
      })
      await moment(20 + draw(80))
      const { signal } = await server.kill('SIGKILL')
      expect(signal).toBe('SIGKILL')
      unanswered += (await Promise.all(answers)).filter((answer) => answer === null).length
      await forgetTheDead()
      server = await serveOn('serve', home.settings)
    }
    expect(unanswered, 'some requests were really cut').toBeGreaterThan(0)

    // Each caller repeats its request with the same key until it has its payout.
    await Promise.all(
      orders.map((order) =>
        until(`${order.key} is answered`, async () => {
          const answer = await ask(order, server, apiKey)
          return answer?.status === 200 || answer?.status === 201
        }),
      ),
    )
    task.meta.cases = orders.length
    expect(orders.filter((order) => order.ids.size !== 1)).toEqual([])
    expect(
      orders.flatMap((order) => order.statuses).filter((status) => ![200, 201, 409, 503].includes(status)),
    ).toEqual([])
    await everythingIsAtRest()
    await walletIsAtTheBank()
    await checkBooks(orders)
    await checkEvents(home.owner)
    expect((await server.kill('SIGTERM')).code).toBe(0)
  }, 240_000)

  it('has its books right, says the command line', async () => {
    expect(await run(['reconcile'], home.settings)).toEqual({
      code: 0,
      signal: null,
      stdout: 'The books are right.\n',
      stderr: '',
    })
  })

  it('wrote no bank detail and no key into its log', () => {
    const log = readFileSync(join(home.dataDir, 'kestrel.log'), 'utf8')
    expect(log).toContain('"route":"/v1/payouts"')
    for (const canary of Object.values(CANARY)) expect(log).not.toContain(canary)
    for (const shape of Object.values(CANARY_SHAPES)) expect(log).not.toMatch(shape)
  })
})

const walletIsAtTheBank = () =>
  until('the wallet is at the bank', async () => {
    const rows = await home.owner.query(`select 1 from wallets where environment = 'sandbox' and rail = 'simulated'`)
    return rows.length === 0
  })

const everythingIsAtRest = () =>
  until('every payout is at rest', async () => {
    const rows = await home.owner.query(
      // A payout that completed is at rest here, whatever its bank has in mind for it.
      `select 1 from payouts p where exists (select 1 from payout_follow_ups f where f.payout_id = p.id)
          or (surfaced_at is null and send_state = 'sending')
          or (status = 'completed' and reference = 'sandbox:return')`,
    )
    return rows.length === 0
  })

async function checkBooks(orders: readonly Order[]): Promise<void> {
  const payouts = await home.owner.query<{
    id: string
    partner_id: string
    idempotency_key: string
    status: string
    sends: string
    rail: string
  }>(
    `select id, partner_id, idempotency_key, status, wallet_sends_micro as sends, rail from payouts
      where surfaced_at is not null`,
  )
  expect(payouts).toHaveLength(orders.length)
  const byKey = new Map(payouts.map((payout) => [payout.idempotency_key, payout]))
  const wrong = orders.filter((order) => {
    const payout = byKey.get(order.key)
    return payout === undefined || !order.ids.has(payout.id) || payout.status !== order.story.end
  })
  expect(wrong.map((order) => ({ key: order.key, found: byKey.get(order.key)?.status }))).toEqual([])

  // No step twice: at most one capture, one settlement and one refund for each payout.
  const doubled = await home.owner.query(
    `select cause, kind, count(*) from ledger_entries where kind in ('capture', 'settle', 'refund')
      group by cause, kind having count(*) > 1`,
  )
  expect(doubled).toEqual([])
  const paidOver = (rails: readonly string[]) =>
    payouts
      .filter(({ status, rail }) => status === 'completed' && rails.includes(rail))
      .reduce((sum, { sends }) => sum + BigInt(sends), 0n)
  const paid = paidOver(['simulated', 'provider_sandbox'])
  expect(paid).toBeGreaterThan(0n)
  expect(await sandboxWallet(home.owner, payouts[0]!.partner_id)).toEqual({
    // Payouts from before the wallet was at the bank were simulated, and made good when it was connected.
    available: 10_000_000_000n - paidOver(['provider_sandbox']),
    held: 0n,
    in_transit: 0n,
    paid_out: paid,
  })
}
