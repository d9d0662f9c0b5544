// The bank's messages make payouts end sooner, never differently. The same stories are told with every message
// arriving, lost, doubled, late, out of order, badly signed or stale: the ends and the money are the same each time.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { handleBankEvents } from '../../src/domain/banking/feeds/bank-events.ts'
import { reconcileBank } from '../../src/domain/banking/reconcile/reconcile-bank.ts'
import { sweepTransfers } from '../../src/domain/banking/feeds/sweep-transfers.ts'
import { type BankApp, accountAtBank, balanceAtBank, startBankApp } from '../support/bank-app.ts'
import { CANARY } from '../support/canaries.ts'
import { StandingClock } from '../support/clock.ts'
import { type TestPartner, aRecipient, balanceOf, createPayout, get, sql } from '../support/fixtures.ts'

const FLOAT = 10_000_000_000n
const SENT = 32_070_000n
const PAYOUTS_A_STORY = 6

const BACK = 'Nothing was charged and the money is back in the wallet.'
const STORIES = [
  { story: 'settle', status: 'completed', failure_reason: null, isBack: false },
  { story: 'late', status: 'completed', failure_reason: null, isBack: false },
  { story: 'hold', status: 'processing', failure_reason: null, isBack: false },
  { story: 'return', status: 'returned', failure_reason: 'The account is closed.', isBack: true },
  { story: 'fail', status: 'failed', failure_reason: `The account is blocked. ${BACK}`, isBack: true },
  {
    story: 'cancel',
    status: 'cancelled',
    failure_reason: `The payment was cancelled before it was sent. ${BACK}`,
    isBack: true,
  },
  {
    story: 'refuse',
    status: 'failed',
    failure_reason: `The bank rejected the account details: the sort code or account number is not known. ${BACK}`,
    isBack: true,
  },
] as const

type Story = (typeof STORIES)[number]

/** All that happens in any story happens within these: handed over, settled, sent back, refunded, and the late ones. */
const STEPS_MS = [600, 1_500, 2_000, 1_000, 2_000]
const DELAY_MS = 60_000

const MODES = [
  { mode: 'none', name: 'arrives', isHeard: true, answers: [200] },
  { mode: 'duplicate', name: 'arrives twice', isHeard: true, answers: [200] },
  { mode: 'delay', name: 'arrives a minute late', isHeard: true, answers: [200] },
  { mode: 'reorder', name: 'is overtaken by the next', isHeard: true, answers: [200] },
  { mode: 'drop', name: 'is lost', isHeard: false, answers: [] },
  { mode: 'bad_signature', name: 'is badly signed', isHeard: false, answers: [401] },
  { mode: 'stale', name: 'is stale', isHeard: false, answers: [401] },
] as const

async function tellStory(test: BankApp, partner: TestPartner, { story }: Story): Promise<string> {
  const reference = story === 'settle' || story === 'refuse' ? 'Invoice 1042' : `sandbox:${story}`
  const account_number = story === 'refuse' ? '12340000' : CANARY.accountNumber
  const created = await createPayout(test, partner, { reference, recipient: aRecipient({ account_number }) })
  expect(created.statusCode).toBe(201)
  return created.json<{ id: string }>().id
}

/** Until the bank has tried everything that can be tried at this moment. */
async function untilBankIsQuiet(test: BankApp): Promise<void> {
  await vi.waitFor(
    async () => {
      const [row] = await test.bank.query<{ due: number }>(
        `with world as (select $1::timestamptz + clock_offset_ms * interval '1 ms' as now from bank_state)
         select count(*)::int as due from deliveries d, world
          where d.state = 'waiting'
            and (d.lease_until is not null or ((d.due_at <= world.now or (d.may_be_overtaken and exists (
                  select from deliveries newer where newer.object_id = d.object_id
                     and newer.event_seq > d.event_seq and newer.state = 'done')))
                and (d.may_be_overtaken or not exists (
                  select from deliveries earlier where earlier.object_id = d.object_id
                     and earlier.event_seq < d.event_seq and earlier.state = 'waiting'
                     and not earlier.may_be_overtaken))))`,
        [bankClock.now()],
      )
      expect(row?.due).toBe(0)
    },
    { timeout: 20_000, interval: 25 },
  )
}

let test: BankApp
let messages = 0
/** On a busy machine a payout would be settled before the test has said what becomes of its messages. */
const bankClock = new StandingClock()
beforeAll(async () => {
  test = await startBankApp({ bankClock })
  await test.listen()
  test.app.server.on('request', () => (messages += 1))
})
afterAll(() => test.close())

/** The events of one partner's transfers at the bank, with what the bank was answered, in the order of its asking. */
const TOLD = `
  from delivery_logs l join events e on e.id = l.event_id join transfers t on t.id = e.object_id
 where e.category = 'transfer' and t.customer_id = $1`

// Nobody says in public whether the bank tries again after a 401.
describe.each([
  { webhook_401_is_retried: true, heard: 'completed' },
  { webhook_401_is_retried: false, heard: 'processing' },
])('a message that was refused as badly signed, where %j', ({ heard, ...reading }) => {
  it('is heard when it comes again, or the list tells of its payout', async () => {
    await test.bank.control('POST', '/readings', reading)
    const partner = await test.aConnectedPartner()
    const { id } = (await createPayout(test, partner)).json<{ id: string }>()
    const status = async () => (await get(test, partner, `/v1/payouts/${id}`)).json<{ status: string }>().status
    const hear = async () => {
      await untilBankIsQuiet(test)
      while ((await handleBankEvents(test.deps)) > 0);
    }
    await hear()
    // Handed over and settled: both messages.
    await test.bank.control('POST', '/faults', { mode: 'bad_signature', times: 2 })
    for (const milliseconds of [2_500, 2_000, 6_000, 31_000]) {
      await test.moveClocks(milliseconds)
      await hear()
    }
    expect((await test.bank.control<{ data: object[] }>('GET', '/faults')).data).toEqual([])
    expect(await status()).toBe(heard)
    await sweepTransfers(test.deps, 'sandbox')
    expect([await status(), await balanceOf(test, partner)]).toEqual(['completed', FLOAT - SENT])
    await test.bank.control('DELETE', '/readings')
  })
})

// In this order: a message that was refused is tried again later, and would arrive in a world where all do.
describe.each(MODES)('when every message $name', ({ mode, isHeard, answers }) => {
  let partner: TestPartner
  let holderRef: string
  const stories = new Map<string, Story>()

  beforeAll(async () => {
    partner = await test.aConnectedPartner()
    ;({ holderRef } = await accountAtBank(test, partner))
    await untilBankIsQuiet(test)
    await test.bank.control('DELETE', '/faults')
    messages = 0
  })

  const goWrong = (times: number) =>
    test.bank.control('POST', '/faults', { mode, times, ...(mode === 'delay' ? { ms: DELAY_MS } : {}) })

  /** With messages, they alone bring the news; without them the sweep alone does. */
  const bringHome = async () => {
    if (isHeard) while ((await handleBankEvents(test.deps)) > 0);
    else await sweepTransfers(test.deps, 'sandbox')
  }

  it('42 payouts of seven stories are told', async () => {
    // A message that is put aside lets the next one of its payout go first: only the first ones are.
    if (mode !== 'none') await goWrong(mode === 'reorder' ? STORIES.length * PAYOUTS_A_STORY : 1_000_000)
    for (let round = 0; round < PAYOUTS_A_STORY; round++) {
      const ids = await Promise.all(STORIES.map((story) => tellStory(test, partner, story)))
      ids.forEach((id, index) => stories.set(id, STORIES[index]!))
    }
    for (const milliseconds of STEPS_MS) {
      await test.moveClocks(milliseconds)
      await untilBankIsQuiet(test)
      await bringHome()
    }
    // Delayed messages arrive now; lost ones stay lost.
    if (isHeard) await test.bank.control('DELETE', '/faults')
    await test.moveClocks(mode === 'delay' ? DELAY_MS + 1_000 : 6_000)
    await untilBankIsQuiet(test)
    await bringHome()
    expect(stories.size).toBe(42)
  })

  it('each payout ends as its story says, and each reason is the same', async () => {
    const { data } = (await get(test, partner, '/v1/payouts?limit=100')).json<{
      data: { id: string; status: string; failure_reason: string | null }[]
    }>()
    const ends = data.map(({ id, status, failure_reason }) => ({
      story: stories.get(id)?.story,
      status,
      failure_reason,
    }))
    const expected = data.map(({ id }) => {
      const { story, status, failure_reason } = stories.get(id)!
      return { story, status, failure_reason }
    })
    expect(ends).toEqual(expected)
    expect(ends).toHaveLength(42)
  })

  it('the money is back once for each payout that did not stay, and for no other', async () => {
    const kept = BigInt([...stories.values()].filter((story) => !story.isBack).length)
    expect(kept).toBe(18n)
    expect(await balanceOf(test, partner)).toBe(FLOAT - kept * SENT)
    expect(await balanceAtBank(test, partner)).toBe(FLOAT - kept * SENT)
    const given = await sql<{ kind: string; times: number }>(
      test,
      `select kind, count(*)::int as times from ledger_entries
        where partner_id = $1 and to_account = 'available' and kind <> 'credit' group by kind order by kind`,
      [partner.id],
    )
    // A payout refused at once has its hold released; one that was under way is refunded.
    expect(given).toEqual([
      { kind: 'refund', times: 18 },
      { kind: 'release', times: 6 },
    ])
  })

  it('the bank’s books have one transfer per payout, and agree with ours', async () => {
    const { transfers } = await test.bank.books()
    const own = transfers.filter((each) => each.customer_id === holderRef)
    expect(own.map((each) => each.client_reference_id ?? '').toSorted()).toEqual([...stories.keys()].toSorted())
    expect(await reconcileBank(test.deps, 'sandbox')).toEqual([])
    expect(test.alarms).toEqual([])
  })

  it('the messages were what they were meant to be', async () => {
    const heard = await test.bank.query<{ status: number }>(`select distinct l.status ${TOLD}`, [holderRef])
    expect(heard.map(({ status }) => status)).toEqual(answers)
    const [made] = await test.bank.query<{ count: number }>(
      `select count(*)::int as count from events e join transfers t on t.id = e.object_id where t.customer_id = $1`,
      [holderRef],
    )
    const events = made?.count ?? 0
    expect(events).toBeGreaterThan(100)
    // Each is kept once and handled once, however often it came; and none that is not the bank's is kept.
    const [kept] = await sql<{ count: number; handled: number }>(
      test,
      `select count(*)::int as count, count(handled_at)::int as handled from bank_events
        where object_ref in (select provider_ref from payouts where partner_id = $1)`,
      [partner.id],
    )
    expect(kept).toEqual(isHeard ? { count: events, handled: events } : { count: 0, handled: 0 })
    // Each refund is told of as the wallet's activity, too.
    const [ofWallet] = await test.bank.query<{ count: number }>(
      `select count(*)::int as count from events e join wallets w on w.id::text = e.object ->> 'bridge_wallet_id'
        where e.category = 'bridge_wallet.activity' and w.customer_id = $1`,
      [holderRef],
    )
    const all = events + (ofWallet?.count ?? 0)
    const came = { none: all, duplicate: 2 * all, delay: all, reorder: all, drop: 0 }
    expect(mode in came ? messages : all).toBe(came[mode as keyof typeof came] ?? all)
    const overtaken = await test.bank.query(
      `select 1 ${TOLD} and exists (
         select from delivery_logs before join events newer on newer.id = before.event_id
          where newer.object_id = e.object_id and newer.seq > e.seq and before.seq < l.seq) limit 1`,
      [holderRef],
    )
    expect(overtaken).toHaveLength(mode === 'reorder' ? 1 : 0)
  })
})
