// Our books against the bank's. Books that agree are never called broken, through 200 changes; and of 500 seeded
// differences of a single unit, each made straight in the bank's database, every one is found and named.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import type * as clock from '../../src/core/clock.ts'
import { someAtOnce } from '../../src/core/some-at-once.ts'
import { type BookBreak, compareTransfers, expectedAtBank } from '../../src/domain/banking/reconcile/compare-books.ts'
import { reconcile, reconcileIfDue } from '../../src/domain/banking/reconcile/reconcile.ts'
import { reconcileBank } from '../../src/domain/banking/reconcile/reconcile-bank.ts'
import { sweepDeposits } from '../../src/domain/banking/feeds/credit-deposits.ts'
import { sweepTransfers } from '../../src/domain/banking/feeds/sweep-transfers.ts'
import type { ListedTransfer } from '../../src/rail/transfer.ts'
import { type PayoutAtBank, readPayoutsAtBank } from '../../src/storage/bank-comparison.ts'
import { readAvailable } from '../../src/storage/ledger.ts'
import { listConnectedWallets } from '../../src/storage/wallets.ts'
import { type BankApp, accountAtBank, startBankApp } from '../support/bank-app.ts'
import { type TestPartner, aRecipient, createPayout, sql } from '../support/fixtures.ts'
import { manyPayouts } from '../support/many-payouts.ts'

// The pause between two looks is there for money that moves; here nothing does, unless a test says so.
const pauses = vi.hoisted(() => ({ during: null as (() => Promise<void>) | null, lengths: [] as number[] }))
vi.mock('../../src/core/clock.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof clock>()),
  sleep: async (milliseconds: number) => {
    pauses.lengths.push(milliseconds)
    await pauses.during?.()
  },
}))

const CLEAN_RUNS = 200
/** Hundreds of runs, on a machine that may have much else to do. */
const LONG_MS = 300_000
const SEEDS = 500

let test: BankApp
const partners: TestPartner[] = []

beforeAll(async () => {
  test = await startBankApp()
  await test.bank.standStill()
  for (let made = 0; made < 3; made++) partners.push(await test.aConnectedPartner())
  await payInEveryWay()
})
afterAll(() => test.close())
// A test that fails must not make the others fail.
afterEach(() => {
  pauses.during = null
})

/** What becomes of a payout at the bank before we hear of it. */
const ENDS: readonly (readonly string[])[] = [
  [],
  ['submit'],
  ['settle'],
  ['settle'],
  ['review'],
  ['settle', 'return'],
  ['settle', 'return', 'refund'],
  ['undeliver'],
  ['undeliver', 'refund'],
  ['cancel'],
]

async function payInEveryWay(): Promise<void> {
  const made: { id: string; status: string }[] = []
  // A few at a time: a machine that has much else to do must not take the bank for down.
  await someAtOnce([...Array.from({ length: 51 }).keys()], 6, async (index) => {
    const partner = partners[index % partners.length]!
    const amount_gbp = `${10 + index}.${String(index % 100).padStart(2, '0')}`
    const recipient = aRecipient({ account_number: index % 17 === 16 ? '12340000' : `9876543${index % 7}` })
    const created = await createPayout(test, partner, { amount_gbp, recipient })
    expect(created.statusCode).toBe(201)
    made[index] = created.json<{ id: string; status: string }>()
  })
  const { transfers } = await test.bank.books()
  const transferOf = new Map(transfers.map((each) => [each.client_reference_id, each.id]))
  for (const [index, { id, status }] of made.entries()) {
    if (status === 'failed') continue
    for (const step of ENDS[index % ENDS.length]!) {
      await test.bank.control('POST', `/transfers/${transferOf.get(id)}/${step}`)
    }
  }
  // Those that were refused at once come to rest by themselves.
  await test.moveClocks(1_000)
  await sweepTransfers(test.deps, 'sandbox')
  // Also payouts in doubt and payouts given up: with a lost answer, without one, not sent, and rejected.
  const fault = (mode: string) => test.bank.control('POST', '/faults', { route: 'POST /v0/transfers', mode })
  for (const partner of partners) {
    for (const mode of ['reset_after', 'reset_before', '429']) {
      await fault(mode)
      expect((await createPayout(test, partner)).statusCode).toBe(mode === '429' ? 502 : 201)
    }
    expect((await createPayout(test, partner, { reference: 'sandbox:reject' })).statusCode).toBe(422)
  }
}

/** Small, seeded and the same everywhere. */
function chance(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

function pick<T>(among: readonly T[], draw: (below: number) => number): T {
  return among[draw(among.length)]!
}

async function payoutsHere(): Promise<PayoutAtBank[]> {
  const of = partners.map(async ({ id: partnerId }) => {
    const ids = await sql<{ id: string }>(test, 'select id from payouts where partner_id = $1 and rail <> $2', [
      partnerId,
      'simulated',
    ])
    const scope = { partnerId, environment: 'sandbox' as const }
    return readPayoutsAtBank(
      test.deps.db,
      scope,
      ids.map(({ id }) => id),
    )
  })
  return (await Promise.all(of)).flat()
}

/** Payouts that came to nothing long ago, here and at the bank, where they never cost anything. */
async function payoutsOfAnotherTime(count: number): Promise<void> {
  const partner = partners[0]!
  await manyPayouts((text, values) => sql(test, text, values), partner.id, { count, newest: test.clock.now() })
  const rows = await sql<{ id: string; amount_pence: bigint; ref: string }>(
    test,
    `update payouts set rail = 'provider_sandbox', provider_ref = gen_random_uuid(), provider_state = 'refunded'
      where partner_id = $1 and idempotency_key like 'many-payouts-%'
     returning id, amount_pence, provider_ref as ref`,
    [partner.id],
  )
  const { holderRef, walletRef } = await accountAtBank(test, partner)
  await test.bank.query(
    `insert into transfers (id, client_reference_id, idempotency_key, customer_id, wallet_id, external_account_id,
       amount_micro, developer_fee_micro, exchange_fee_micro, destination_pence, rate, story, is_debited, state,
       return_reason, visible_from, created_at, updated_at)
     select ref::uuid, client, 'old ' || n, $4, $5, (select id from external_accounts limit 1), 32070000, 0, 0, pence,
            '0.79', 'settle', false, 'refunded', '1114', now(), now(), now()
       from unnest($1::text[], $2::text[], $3::bigint[]) with ordinality as old (ref, client, pence, n)`,
    [rows.map((row) => row.ref), rows.map((row) => row.id), rows.map((row) => row.amount_pence), holderRef, walletRef],
  )
}

async function forgetAnotherTime(): Promise<void> {
  await test.bank.query('alter table transfers disable trigger user')
  await test.bank.query(`delete from transfers where idempotency_key like 'old %'`)
  await test.bank.query('alter table transfers enable trigger user')
  await sql(test, `update payouts set rail = 'simulated' where idempotency_key like 'many-payouts-%'`)
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
}

describe('books that agree', () => {
  /** One thing that happens to them, heard of as the worker would. */
  async function change(draw: (below: number) => number): Promise<void> {
    const partner = pick(partners, draw)
    const kind = draw(6)
    if (kind === 0) {
      await createPayout(test, partner, { amount_gbp: `${1 + draw(20)}.${10 + draw(90)}` })
    } else if (kind === 1) {
      const { walletRef } = await accountAtBank(test, partner)
      const source = draw(2) === 0 ? 'bank' : 'onchain'
      const credit = { source, amount: `${1 + draw(50)}.${10 + draw(90)}` }
      await test.bank.control('POST', `/wallets/${walletRef}/credit`, credit)
      await sweepDeposits(test.deps, 'sandbox')
    } else {
      const { id, state } = pick((await test.bank.books()).transfers, draw)
      const drawn = pick(['submit', 'settle', 'return', 'refund', 'undeliver', 'cancel', 'review'], draw)
      // What is looked at may have been handed over before, and is then never stopped: that would be a break, and rightly.
      const step = drawn === 'cancel' && state === 'in_review' ? 'submit' : drawn
      // A step that is not allowed here changes nothing, and must not be reported as a break.
      await test.bank.control('POST', `/transfers/${id}/${step}`).catch(() => undefined)
      await sweepTransfers(test.deps, 'sandbox')
    }
  }

  it('begin with payouts in every state', async () => {
    const counts = await sql<{ is: string }>(
      test,
      `select distinct send_state || ' ' || status || ' ' || refund_state as is from payouts order by 1`,
    )
    expect(counts.map((each) => each.is)).toEqual([
      'accepted cancelled done',
      'accepted completed none',
      'accepted failed done',
      'accepted failed due',
      'accepted processing none',
      'accepted returned done',
      'accepted returned due',
      'not_sent pending none',
      'rejected pending none',
      'unknown pending none',
    ])
    expect(await payoutsHere()).toHaveLength(51 + 4 * partners.length)
  })

  it(
    `are never called broken, in ${CLEAN_RUNS} runs with a change before each (seed 7)`,
    async ({ task }) => {
      const draw = chance(7)
      const alarms = test.alarms.length
      let clean = 0
      for (let run = 0; run < CLEAN_RUNS; run++) {
        await change(draw)
        const breaks = await reconcile(test.deps)
        expect(breaks, `run ${run}`).toEqual([])
        clean += 1
      }
      expect(clean).toBe(CLEAN_RUNS)
      task.meta.cases = clean
      expect(test.alarms.slice(alarms)).toEqual([])
      const kept = await sql<{ runs: number }>(
        test,
        `select count(*)::int as runs from reconciliations where breaks = '[]'`,
      )
      expect(kept).toEqual([{ runs: CLEAN_RUNS }])
    },
    LONG_MS,
  )

  it('are not called broken because of money that moves while they are compared', async () => {
    for (const step of ['settle', 'return', 'refund']) {
      const { transfers } = await test.bank.books()
      const wanted = { settle: 'payment_submitted', return: 'payment_processed', refund: 'returned' }[step]
      const { id } = transfers.find((each) => each.state === wanted)!
      await test.bank.control('POST', `/transfers/${id}/${step}`)
      // The first look sees the difference; between the looks the news comes home.
      let looks = 0
      pauses.during = async () => {
        looks += 1
        await sweepTransfers(test.deps, 'sandbox')
      }
      expect(await reconcileBank(test.deps, 'sandbox')).toEqual([])
      expect(looks).toBe(1)
    }
    pauses.during = null
  })

  const UNREAD = ['GET /v0/transfers', 'GET /v0/customers/{customerId}/wallets/{walletId}'].flatMap((route) =>
    ['500_before', 'reset_before', '429', 'malformed_2xx'].map((mode) => ({ route, mode })),
  )

  it.each(UNREAD)('are not called sound when $route ends with $mode', async ({ route, mode }) => {
    await test.bank.control('POST', '/faults', { route, mode, times: 1_000 })
    expect(await reconcile(test.deps)).toMatchObject([{ check: 'bank_not_compared', environment: 'sandbox' }])
    expect(test.alarms.at(-1)).toEqual({ what: 'reconciliation found breaks', about: { count: 1 } })
    await test.bank.control('DELETE', '/faults')
  })

  it.each([
    ...UNREAD.map((each) => ({ ...each, ms: undefined })),
    ...['GET /v0/transfers', 'GET /v0/customers/{customerId}/wallets/{walletId}'].map((route) => ({
      route,
      mode: 'hang_before',
      ms: 50,
    })),
  ])('are compared although $route ends with $mode three times', async ({ route, mode, ms }) => {
    pauses.lengths.length = 0
    await test.bank.control('POST', '/faults', { route, mode, ...(ms === undefined ? {} : { ms }), times: 3 })
    expect(await reconcileBank(test.deps, 'sandbox')).toEqual([])
    expect((await test.bank.control<{ data: object[] }>('GET', '/faults')).data).toEqual([])
    expect(pauses.lengths).toHaveLength(3)
    // As long as the bank asks for, which is a second with a 429.
    expect(Math.min(...pauses.lengths)).toBe(mode === '429' ? 1_000 : 500)
  })

  it('are not read for ever from a bank whose list goes round', async () => {
    const real = test.deps.rails.provider_sandbox
    const listTransfers: typeof real.listTransfers = async (since, cursor) => ({
      ...(await real.listTransfers(since, null)),
      next: cursor === 'one' ? 'other' : 'one',
    })
    Object.assign(test.deps.rails, { provider_sandbox: { ...real, listTransfers } })
    const breaks = await reconcile(test.deps)
    Object.assign(test.deps.rails, { provider_sandbox: real })
    expect(breaks).toMatchObject([{ check: 'bank_not_compared', detail: 'The bank’s list goes round in a circle.' }])
  })

  it('agree although the bank shows some rows twice and leaves others out of its list', async () => {
    const real = test.deps.rails.provider_sandbox
    let left: readonly ListedTransfer[] = []
    const listTransfers: typeof real.listTransfers = async (since, cursor) => {
      const { transfers, ...page } = await real.listTransfers(since, cursor)
      const withRef = transfers.filter((each) => each.state === 'settled')
      left = withRef.slice(0, 3)
      const shown = transfers.filter((each) => !left.includes(each))
      return { ...page, transfers: [...shown, ...shown.slice(0, 20)] }
    }
    Object.assign(test.deps.rails, { provider_sandbox: { ...real, listTransfers } })
    const agreed = await reconcileBank(test.deps, 'sandbox')
    expect(left).toHaveLength(3)
    // What is left out of the list is compared all the same.
    const { transferRef, clientReference } = left[1]!
    await test.bank.query('alter table transfers disable trigger user')
    const shift = (by: number) =>
      test.bank.query('update transfers set destination_pence = destination_pence + $2 where id = $1', [
        transferRef,
        by,
      ])
    await shift(1)
    const differed = await reconcileBank(test.deps, 'sandbox')
    await shift(-1)
    await test.bank.query('alter table transfers enable trigger user')
    Object.assign(test.deps.rails, { provider_sandbox: real })
    expect(agreed).toEqual([])
    expect(differed).toMatchObject([{ check: 'received_amount_differs', about: clientReference }])
  })

  it('are compared once a day', async () => {
    const runs = async () =>
      (await sql<{ runs: number }>(test, 'select count(*)::int as runs from reconciliations'))[0]?.runs
    const before = (await runs())!
    await reconcileIfDue(test.deps)
    expect(await runs()).toBe(before)
    await test.moveClocks(24 * 60 * 60 * 1_000)
    await reconcileIfDue(test.deps)
    await reconcileIfDue(test.deps)
    expect(await runs()).toBe(before + 1)
  })

  it('are compared again within the day when the bank could not be asked', async () => {
    const last = async () =>
      (
        await sql<{ breaks: { check: string }[] }>(
          test,
          'select breaks from reconciliations order by started_at desc limit 1',
        )
      )[0]!.breaks.map(({ check }) => check)
    await test.moveClocks(25 * 60 * 60 * 1_000)
    await test.bank.control('POST', '/faults', { mode: 'down', times: 1_000 })
    await reconcileIfDue(test.deps)
    expect(await last()).toEqual(['bank_not_compared'])
    await test.bank.control('DELETE', '/faults')
    await test.moveClocks(30 * 60 * 1_000)
    await reconcileIfDue(test.deps)
    expect(await last()).toEqual(['bank_not_compared'])
    await test.moveClocks(31 * 60 * 1_000)
    await reconcileIfDue(test.deps)
    expect(await last()).toEqual([])
  })
})

describe('the books of a long time', () => {
  beforeAll(() => payoutsOfAnotherTime(1_500))
  afterAll(forgetAnotherTime)

  it('are compared a page at a time: what is held at once does not grow with what there is', async () => {
    const real = test.deps.rails.provider_sandbox
    const held: WeakRef<ListedTransfer>[] = []
    let [pagesRead, mostHeld] = [0, 0]
    const listTransfers: typeof real.listTransfers = async (since, cursor) => {
      await new Promise((resolve) => setImmediate(resolve))
      collectGarbage()
      mostHeld = Math.max(mostHeld, held.filter((each) => each.deref() !== undefined).length)
      const page = await real.listTransfers(since, cursor)
      held.push(...page.transfers.map((each) => new WeakRef(each)))
      pagesRead += 1
      return page
    }
    Object.assign(test.deps.rails, { provider_sandbox: { ...real, listTransfers } })
    const breaks = await reconcileBank(test.deps, 'sandbox')
    Object.assign(test.deps.rails, { provider_sandbox: real })
    expect(breaks).toEqual([])
    expect(pagesRead).toBeGreaterThan(15)
    expect(held.length).toBeGreaterThan(1_500)
    // Two pages of a hundred and the row that is being looked at, with room for what is not collected at once.
    expect(mostHeld).toBeLessThanOrEqual(300)
  })

  it('are asked about one payout only when the bank has lost one, and that is named', async () => {
    const [lost] = await test.bank.query<{ id: string; client_reference_id: string }>(
      `update transfers set visible_from = 'infinity' where idempotency_key = 'old 700' returning id, client_reference_id`,
    )
    const real = test.deps.rails.provider_sandbox
    const asked: string[] = []
    const readListed: typeof real.readListed = (ref) => {
      asked.push(ref)
      return real.readListed(ref)
    }
    Object.assign(test.deps.rails, { provider_sandbox: { ...real, readListed } })
    const breaks = await reconcileBank(test.deps, 'sandbox')
    Object.assign(test.deps.rails, { provider_sandbox: real })
    await test.bank.query('update transfers set visible_from = created_at where id = $1', [lost!.id])
    expect(breaks).toMatchObject([{ check: 'transfer_missing_at_bank', about: lost!.client_reference_id }])
    // Three looks at it, and at nothing else.
    expect(asked).toEqual([lost!.id, lost!.id, lost!.id])
  })
})

interface Seeded {
  readonly kind: string
  /** What must be reported: the check, and the payout, transfer or wallet that it names. */
  readonly expected: readonly Pick<BookBreak, 'check' | 'about'>[]
  readonly undo: () => Promise<unknown>
}

describe('books that differ', () => {
  let payouts: PayoutAtBank[] = []
  let transfers: readonly { id: string; client_reference_id: string | null; state: string }[] = []
  let payoutById = new Map<string, PayoutAtBank>()

  beforeAll(async () => {
    // The bank's guards are switched off: the differences to be found are those that they prevent.
    await test.bank.query('alter table transfers disable trigger user')
    payouts = await payoutsHere()
    payoutById = new Map(payouts.map((payout) => [payout.id, payout]))
    transfers = (await test.bank.books()).transfers
  })

  /** What reconcileBank reads and compares, once and without a pause. */
  async function look(): Promise<BookBreak[]> {
    const rail = test.deps.rails.provider_sandbox
    const listed: ListedTransfer[] = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof rail.listTransfers>> = await rail.listTransfers(new Date(0), cursor)
      listed.push(...page.transfers)
      cursor = page.next
    } while (cursor !== null)
    const references = new Set(listed.map((transfer) => transfer.clientReference))
    const wallets = await Promise.all(
      (await listConnectedWallets(test.deps.db, { environment: 'sandbox', rail: 'provider_sandbox' })).map(
        async (wallet): Promise<BookBreak[]> => {
          const theirs = await test.deps.banks.sandbox!.readWalletBalance(wallet)
          const own = payouts.filter((payout) => payout.partnerId === wallet.partnerId)
          const ours = expectedAtBank(await readAvailable(test.deps.db, wallet), own, (id) => references.has(id))
          const found = {
            check: 'wallet_differs',
            partnerId: wallet.partnerId,
            about: wallet.walletRef,
            detail: '',
          } as const
          return ours === theirs ? [] : [found]
        },
      ),
    )
    return [...compareTransfers(payouts, listed), ...wallets.flat()]
  }

  const column =
    (name: string, by: number) =>
    async (draw: (below: number) => number): Promise<Seeded> => {
      const transfer = pick(transfers, draw)
      const shift = (amount: number) =>
        test.bank.query(`update transfers set ${name} = ${name} + $2 where id = $1`, [transfer.id, amount])
      await shift(by)
      const check = name === 'amount_micro' ? 'sent_amount_differs' : 'received_amount_differs'
      return {
        kind: `${name} ${by}`,
        expected: [{ check, about: transfer.client_reference_id! }],
        undo: () => shift(-by),
      }
    }

  const wallet =
    (by: 1 | -1) =>
    async (draw: (below: number) => number): Promise<Seeded> => {
      const { walletRef } = await accountAtBank(test, pick(partners, draw))
      const adjust = (amount: number) =>
        test.bank.control('POST', `/wallets/${walletRef}/adjust`, { amount_micro: String(amount), reason: 'seeded' })
      await adjust(by)
      return {
        kind: `wallet ${by}`,
        expected: [{ check: 'wallet_differs', about: walletRef }],
        undo: () => adjust(-by),
      }
    }

  /** A row as it is, to be put back. */
  async function rowOf(id: string): Promise<Record<string, unknown>> {
    const [found] = await test.bank.query<{ row: Record<string, unknown> }>(
      'select to_jsonb(t) as row from transfers t where id = $1',
      [id],
    )
    return found!.row
  }
  const insert = (row: Record<string, unknown>) =>
    test.bank.query(
      'insert into transfers overriding system value select * from jsonb_populate_record(null::transfers, $1)',
      [JSON.stringify(row)],
    )
  const remove = (id: string) => test.bank.query('delete from transfers where id = $1', [id])

  async function missing(draw: (below: number) => number): Promise<Seeded> {
    const transfer = pick(transfers, draw)
    const row = await rowOf(transfer.id)
    await remove(transfer.id)
    const payout = payoutById.get(transfer.client_reference_id!)!
    const { walletRef } = await accountAtBank(test, { id: payout.partnerId, environment: 'sandbox' })
    return {
      kind: 'missing',
      // We have not been told of this one, so we cannot miss it; but the wallet has paid for it.
      expected:
        payout.sendState === 'accepted'
          ? [{ check: 'transfer_missing_at_bank', about: payout.id }]
          : [{ check: 'wallet_differs', about: walletRef }],
      undo: () => insert(row),
    }
  }

  const copy =
    (kind: 'extra' | 'nameless' | 'duplicate') =>
    async (draw: (below: number) => number): Promise<Seeded> => {
      // Of a transfer whose money is back the books have nothing to say, unless it is one too many of a payout.
      const isBack = ({ state }: { state: string }) => ['refunded', 'canceled'].includes(state)
      const transfer = pick(kind === 'duplicate' ? transfers : transfers.filter((each) => !isBack(each)), draw)
      const id = `00000000-0000-4000-8000-${String(draw(1_000_000)).padStart(12, '0')}`
      const reference = { extra: id, nameless: null, duplicate: transfer.client_reference_id }[kind]
      await insert({
        ...(await rowOf(transfer.id)),
        id,
        seq: 1_000_000 + draw(1_000_000),
        client_reference_id: reference,
      })
      return {
        kind,
        expected: [
          kind === 'duplicate'
            ? { check: 'transfer_twice_at_bank', about: transfer.client_reference_id! }
            : { check: 'transfer_unknown_here', about: id },
        ],
        undo: () => remove(id),
      }
    }

  async function swapped(draw: (below: number) => number): Promise<Seeded> {
    const known = transfers.filter((each) => payoutById.get(each.client_reference_id!)?.sendState === 'accepted')
    const one = pick(known, draw)
    const other = pick(
      known.filter((each) => each !== one),
      draw,
    )
    const name = (id: string, reference: string | null) =>
      test.bank.query('update transfers set client_reference_id = $2 where id = $1', [id, reference])
    await name(one.id, other.client_reference_id)
    await name(other.id, one.client_reference_id)
    return {
      kind: 'swapped',
      expected: [one, other].map((each) => ({
        check: 'transfer_of_another_payout',
        about: each.client_reference_id!,
      })),
      undo: async () => {
        await name(one.id, one.client_reference_id)
        await name(other.id, other.client_reference_id)
      },
    }
  }

  async function moved(draw: (below: number) => number): Promise<Seeded> {
    const open = transfers.filter((each) => ['payment_processed', 'payment_submitted'].includes(each.state))
    const transfer = pick(open, draw)
    const put = (state: string) =>
      test.bank.query('update transfers set state = $2 where id = $1', [transfer.id, state])
    await put(transfer.state === 'payment_processed' ? 'payment_submitted' : 'payment_processed')
    return {
      kind: 'moved',
      expected: [{ check: 'status_differs', about: transfer.client_reference_id! }],
      undo: () => put(transfer.state),
    }
  }

  const KINDS = [
    wallet(1),
    wallet(-1),
    column('amount_micro', 1),
    column('amount_micro', -1),
    column('destination_pence', 1),
    column('destination_pence', -1),
    missing,
    copy('extra'),
    copy('nameless'),
    copy('duplicate'),
    swapped,
    moved,
  ]

  const seeded = (seed: number): Promise<Seeded> => {
    const draw = chance(seed)
    return pick(KINDS, draw)(draw)
  }

  const named = (breaks: readonly Pick<BookBreak, 'check' | 'about'>[]) =>
    breaks.map(({ check, about }) => `${check} ${about}`)

  it(
    `are found: each of ${SEEDS} seeded differences of one unit, and nothing else (seeds 1 to ${SEEDS})`,
    async ({ task }) => {
      task.meta.cases = SEEDS
      expect(await look()).toEqual([])
      const found = new Map<string, number>()
      for (let seed = 1; seed <= SEEDS; seed++) {
        const { kind, expected, undo } = await seeded(seed)
        const breaks = await look()
        await undo()
        expect(named(breaks), `seed ${seed}, ${kind}`).toEqual(expect.arrayContaining(named(expected)))
        // Any further break is about the same fault.
        const concerned = new Set([...expected.map((each) => each.about), ...sameThing(expected)])
        expect(
          breaks.filter((each) => !concerned.has(each.about)),
          `seed ${seed}, ${kind}`,
        ).toEqual([])
        found.set(kind, (found.get(kind) ?? 0) + 1)
      }
      expect([...found.values()].reduce((sum, count) => sum + count, 0)).toBe(SEEDS)
      expect(found.size).toBe(KINDS.length)
      expect(Math.min(...found.values())).toBeGreaterThan(20)
      expect(await look()).toEqual([])
    },
    LONG_MS,
  )

  it('are found by the whole reconciliation too, and kept with their names (seeds 1 to 24)', async () => {
    for (let seed = 1; seed <= 24; seed++) {
      const { kind, expected, undo } = await seeded(seed)
      const breaks = await reconcileBank(test.deps, 'sandbox')
      await undo()
      expect(named(breaks), `seed ${seed}, ${kind}`).toEqual(expect.arrayContaining(named(expected)))
    }
    const { expected, undo } = await wallet(1)(chance(1))
    const breaks = await reconcile(test.deps)
    await undo()
    expect(breaks).toMatchObject([{ ...expected[0], environment: 'sandbox', partnerId: expect.any(String) }])
    const [kept] = await sql<{ breaks: object[] }>(
      test,
      'select breaks from reconciliations order by started_at desc limit 1',
    )
    expect(kept?.breaks).toEqual(breaks)
    expect(await reconcileBank(test.deps, 'sandbox')).toEqual([])
  })

  it('are found although the bank shows a transfer no more that it has listed, or refuses to be asked about wallets', async () => {
    const transfer = transfers.find((each) => payoutById.get(each.client_reference_id!)?.sendState === 'accepted')!
    const { undo } = await changed(transfer.id)
    pauses.during = async () => {
      await test.bank.query(`update transfers set visible_from = 'infinity' where id = $1`, [transfer.id])
    }
    const gone = await reconcileBank(test.deps, 'sandbox')
    pauses.during = null
    await test.bank.query('update transfers set visible_from = created_at where id = $1', [transfer.id])
    expect(named(gone)).toEqual([`sent_amount_differs ${transfer.client_reference_id}`])
    const route = 'GET /v0/customers/{customerId}/wallets/{walletId}'
    await test.bank.control('POST', '/faults', { route, mode: '429', times: 1_000 })
    const cut = await reconcile(test.deps)
    await test.bank.control('DELETE', '/faults')
    await undo()
    expect(cut.map(({ check }) => check)).toEqual(['sent_amount_differs', 'bank_not_compared'])
  })

  it('are looked at a second time although the bank is busy', async () => {
    const transfer = transfers.find((each) => payoutById.get(each.client_reference_id!)?.sendState === 'accepted')!
    const { undo } = await changed(transfer.id)
    await test.bank.control('POST', '/faults', { route: 'GET /v0/transfers/{transferId}', mode: '429', times: 3 })
    const breaks = await reconcileBank(test.deps, 'sandbox')
    await undo()
    expect(named(breaks)).toEqual([`sent_amount_differs ${transfer.client_reference_id}`])
  })

  async function changed(id: string): Promise<{ undo: () => Promise<unknown> }> {
    const shift = (by: number) =>
      test.bank.query('update transfers set amount_micro = amount_micro + $2 where id = $1', [id, by])
    await shift(1)
    return { undo: () => shift(-1) }
  }

  /** The payout whose transfer it is, or the wallet that the transfer was drawn on: the same fault seen twice. */
  function sameThing(expected: readonly Pick<BookBreak, 'about'>[]): string[] {
    return expected.flatMap(({ about }) => {
      const transfer = transfers.find((each) => each.id === about || each.client_reference_id === about)
      return transfer === undefined ? [] : [transfer.id, transfer.client_reference_id!]
    })
  }
})
