// One statement decides who gets the wallet's money and what is worth a second look. The program has the same rules as plain
// functions: for random batches the two agree, and what was refused has left no trace.
import { randomInt, randomUUID } from 'node:crypto'

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { microUsdc, pence } from '../../src/core/money.ts'
import { decideReservations } from '../../src/domain/payouts/create/decide-reservations.ts'
import { BatchHistory, duplicatesSince, warningsOf } from '../../src/domain/payouts/warn/payout-warnings.ts'
import { holderVersionOf, workingKeys } from '../../src/storage/api-keys.ts'
import { readAvailable } from '../../src/storage/ledger.ts'
import { type RecipientMarks, type StoredWarning, readRecipientHistory } from '../../src/storage/payout-recipients.ts'
import type { NewPayout } from '../../src/storage/payout-reservations.ts'
import { reserveNewPayouts } from '../../src/storage/reserve-new-payouts.ts'
import { listSpending, setSpendingLimits } from '../../src/storage/spending-limits.ts'
import { type Database, statement } from '../../src/storage/sql.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { aPartner, sql } from '../support/fixtures.ts'
import { reserveIn } from '../support/reserve-in.ts'
import { stopTheClock } from '../races/stopped-clock.ts'

const SEED = Number.parseInt(process.env['SEED'] ?? '', 10) || randomInt(2 ** 31)
process.stdout.write(`reserve-new-payouts.test.ts seed=${SEED}\n`)

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
  stopTheClock(test)
})
afterAll(() => test.close())

const scopeOf = (partner: { id: string }) => ({ partnerId: partner.id, environment: 'sandbox' as const })
const mark = (number: number, key: number) => Buffer.alloc(16, 50 * key + number)

interface Wanted {
  readonly wallet: number
  readonly key: number
  readonly name: number
  readonly account: number
  readonly amount: number
  readonly sends: number
  readonly isElsewhere: boolean
  readonly spender: number
  readonly apiKey: ApiKey
  readonly isSent: boolean
}

/** A member has none. */
type ApiKey = 'none' | 'working' | 'ending' | 'expired' | 'revoked' | 'another’s'

/** Whoever asks: the first two may have limits. */
const SPENDERS = [randomUUID(), randomUUID(), randomUUID()]

const marksUnder = ({ name, account }: Wanted, key: number): RecipientMarks => ({
  name: mark(name, key),
  account: mark(account + 4, key),
})

const aPayout = (wanted: Wanted, prefix: string, older: number, keys: ApiKeys): NewPayout => ({
  id: randomUUID(),
  idempotencyKey: `${prefix}-key-${wanted.key}`,
  fingerprint: Buffer.alloc(32, 1),
  fingerprintKey: null,
  createdVia: 'api',
  createdBy: null,
  amount: BigInt(wanted.amount * 100) as NewPayout['amount'],
  country: 'GB',
  reference: null,
  statementReference: null,
  recipientName: 'A Name',
  accountLast4: String(wanted.account).padStart(4, '0'),
  recipientSealed: Buffer.from('sealed'),
  recipientFingerprint: Buffer.alloc(32, 2),
  gbpPerUsd: '0.79',
  fee: 0n as NewPayout['fee'],
  feeInTransfer: 0n as NewPayout['feeInTransfer'],
  feeOnInvoice: 0n as NewPayout['feeOnInvoice'],
  walletSends: microUsdc(BigInt(wanted.sends) * 1_000_000n),
  rail: wanted.isElsewhere ? 'provider_sandbox' : 'simulated',
  leaseToken: randomUUID(),
  keyId: keys[wanted.apiKey],
  holderVersion: null,
  spenderId: SPENDERS[wanted.spender]!,
  isLimited: false,
  marks: marksUnder(wanted, older),
  olderMarks: Array.from({ length: older }, (_, key) => marksUnder(wanted, key)),
})

/** What the plain functions say of a batch: who is reserved, and with which warnings. */
async function expected(
  scope: ReturnType<typeof scopeOf>,
  payouts: readonly NewPayout[],
  { known, isPaused }: { known: ReadonlySet<string>; isPaused: boolean },
) {
  const now = test.clock.now()
  const available = await readAvailable(test.deps.db, scope)
  const limits = await listSpending(test.deps.db, scope, SPENDERS, now)
  const histories = await readRecipientHistory(test.deps.db, scope, payouts, duplicatesSince(now))
  const seen = new Set<string>()
  const refusals = payouts.map(({ idempotencyKey }) => {
    const isRepeated = seen.has(idempotencyKey)
    seen.add(idempotencyKey)
    return known.has(idempotencyKey) ? 'known' : isRepeated ? 'repeated' : null
  })
  const asking = payouts.filter((_, index) => refusals[index] === null)
  const decisions = decideReservations(
    asking.map((payout) => ({ payout, row: 'new' })),
    { available, rail: 'simulated', isPaused, hasSpendingLimits: limits.length > 0 },
    { limits, keys: await workingKeys(test.deps.db, scope.partnerId, keysOf(payouts), now) },
  )
  const before = new BatchHistory()
  return payouts.map((payout, index) => {
    if (refusals[index] !== null) return { outcome: refusals[index], warnings: null }
    const decision = decisions[asking.indexOf(payout)]!
    if (decision.kind !== 'reserve') {
      return { outcome: decision.kind, warnings: null, ...('available' in decision && { left: decision.available }) }
    }
    const warnings = warningsOf(payout, before.with(payout, histories[index]!))
    before.add(payout, payout.id, now)
    return { outcome: 'reserved', warnings: warnings.length === 0 ? null : warnings }
  })
}

const PAUSE = statement(
  'test_pause',
  `update wallets set paused_at = case when $2 then now() end, paused_by = case when $2 then 'operator' end
    where partner_id = $1`,
)

const pounds = (number: number) => pence(BigInt(number) * 100n)

const limitTwo = (scope: ReturnType<typeof scopeOf>) =>
  test.deps.db.inTransaction(async (tx) => {
    const at = test.clock.now()
    const one = { maxPerPayout: pounds(1), daily: pounds(4), monthly: null }
    const other = { maxPerPayout: null, daily: pounds(9), monthly: pounds(7) }
    setSpendingLimits(tx, scope, { spenderId: SPENDERS[0]!, limits: one, at })
    setSpendingLimits(tx, scope, { spenderId: SPENDERS[1]!, limits: other, at })
    await tx.query(statement('', 'select 1'))
  })

type ApiKeys = Readonly<Record<ApiKey, string | null>>
const NO_KEYS: ApiKeys = { none: null, working: null, ending: null, expired: null, revoked: null, 'another’s': null }
const keysOf = (payouts: readonly NewPayout[]) => payouts.flatMap(({ keyId }) => keyId ?? [])

/** A key of each kind. */
async function apiKeys(scope: ReturnType<typeof scopeOf>): Promise<ApiKeys> {
  const now = test.clock.now()
  const { id: another } = await aPartner(test)
  const key = async (partnerId: string, expiresAt: Date | null, revokedAt: Date | null) => {
    const id = randomUUID()
    await test.owner.query(
      statement(
        '',
        `insert into api_keys (partner_id, id, environment, key_hash, key_prefix, created_at, expires_at, revoked_at)
         values ($1, $2, 'sandbox', sha256(uuid_send($2::uuid)), 'kp_sandbox_x', $3, $4, $5)`,
      ),
      [partnerId, id, now, expiresAt, revokedAt],
    )
    return id
  }
  return {
    none: null,
    working: await key(scope.partnerId, null, null),
    ending: await key(scope.partnerId, new Date(now.getTime() + 1), null),
    expired: await key(scope.partnerId, now, null),
    revoked: await key(scope.partnerId, null, now),
    'another’s': await key(another, null, null),
  }
}

interface Wallet {
  readonly scope: ReturnType<typeof scopeOf>
  readonly keys: ApiKeys
  /** The keys that belong to a payout of it. */
  readonly known: Set<string>
}

async function aWallet(usdc: string, isLimited: boolean): Promise<Wallet> {
  const scope = scopeOf(await aPartner(test, { usdc }))
  if (isLimited) await limitTwo(scope)
  return { scope, keys: await apiKeys(scope), known: new Set() }
}

const ownOf = (asked: readonly { wallet: Wallet; payout: NewPayout }[], wallet: Wallet) =>
  asked.filter((each) => each.wallet === wallet).map(({ payout }) => payout)

const WANTED = fc.record({
  wallet: fc.nat(1),
  key: fc.nat(40),
  name: fc.nat(3),
  account: fc.nat(3),
  amount: fc.integer({ min: 1, max: 2 }),
  sends: fc.integer({ min: 1, max: 9 }),
  isElsewhere: fc.nat(9).map((number) => number === 0),
  spender: fc.nat(2),
  apiKey: fc.constantFrom<ApiKey>('none', 'working', 'working', 'ending', 'expired', 'revoked', 'another’s'),
  isSent: fc.boolean(),
})
const sentAs = (id: string, now: Date) => ({
  transferRef: `sim_settle_${now.getTime()}_${id}`,
  bankState: 'settle',
  nextCheckAt: now,
  completesAt: now,
  requestId: null,
})
const FEW = { minLength: 1, maxLength: 14 }
const RELATED = fc.array(WANTED, FEW)
/** No two of a batch have anything in common, but they have with those before it. */
const APART = fc
  .tuple(fc.uniqueArray(WANTED, { ...FEW, selector: ({ key }) => key }), fc.nat(3), fc.nat(3))
  .map(([batch, names, accounts]) =>
    batch.map((wanted, nth) => ({ ...wanted, name: nth + names, account: nth + accounts })),
  )
const batchesOf = (batch: typeof RELATED) => fc.array(batch, { minLength: 3, maxLength: 4 })

/** For tests that are about something else. */
const ANY: Wanted = {
  wallet: 0,
  key: 1,
  name: 1,
  account: 1,
  amount: 1,
  sends: 1,
  isElsewhere: false,
  spender: 0,
  apiKey: 'none',
  isSent: false,
}

describe('a batch of new payouts', () => {
  it.each([
    { older: 0, funds: 'plenty', usdc: '100000.00', are: 'related' },
    { older: 0, funds: 'plenty', usdc: '100000.00', are: 'apart' },
    { older: 0, funds: 'too little', usdc: '60.00', are: 'related' },
    { older: 0, funds: 'too little', usdc: '60.00', are: 'apart' },
    { older: 1, funds: 'too little', usdc: '60.00', are: 'related' },
    { older: 1, funds: 'too little', usdc: '60.00', are: 'apart' },
    { older: 0, funds: 'a pause', usdc: '60.00', are: 'related' },
    { older: 0, funds: 'limits', usdc: '60.00', are: 'related' },
    { older: 0, funds: 'limits', usdc: '60.00', are: 'apart' },
    { older: 1, funds: 'limits', usdc: '100000.00', are: 'related' },
  ])('is decided and warned of as the rules say: $are, with $funds and $older older keys', async (given) => {
    const { older, funds, usdc, are } = given
    const ways = new Set<string>()
    const db: Pick<Database, 'inOneTrip'> = {
      inOneTrip: (all) => {
        ways.add(all.at(-1)![0].name.includes('_related_') ? 'related' : 'apart')
        return test.deps.db.inOneTrip(all)
      },
    }
    const run = async (batches: readonly (readonly Wanted[])[]) => {
      // Of the same people at the same accounts, with the same keys: neither knows of the other.
      const wallets = await Promise.all([usdc, '25.00'].map((each) => aWallet(each, funds === 'limits')))
      for (const batch of batches) {
        const asked = batch.map((wanted) => {
          const wallet = wallets[wanted.wallet]!
          return { wallet, payout: aPayout(wanted, 'any', older, wallet.keys) }
        })
        const isPaused = funds === 'a pause' && wallets[0]!.known.size > 0
        await test.owner.query(PAUSE, [wallets[0]!.scope.partnerId, isPaused])
        const wanted = await Promise.all(
          wallets.map((wallet) => {
            const paused = isPaused && wallet === wallets[0]
            return expected(wallet.scope, ownOf(asked, wallet), { known: wallet.known, isPaused: paused })
          }),
        )
        const now = test.clock.now()
        const times = { now, leaseUntil: now, duplicatesSince: duplicatesSince(now) }
        const items = asked.map(({ wallet, payout }, nth) => ({
          partnerId: wallet.scope.partnerId,
          payout,
          sent: batch[nth]!.isSent ? sentAs(payout.id, now) : null,
        }))
        const made = await reserveNewPayouts(db, 'sandbox', items, times)
        const payouts = asked.map(({ payout }) => payout)
        const stored = await sql<{ id: string; partner_id: string; warnings: StoredWarning[] | null; status: string }>(
          test,
          'select id, partner_id, warnings, status from payouts where id = any($1)',
          [payouts.map(({ id }) => id)],
        )
        const storedById = new Map(stored.map((row) => [row.id, row]))
        for (const { payout, sent } of items) {
          expect(storedById.get(payout.id)?.status).toBeOneOf([undefined, sent === null ? 'pending' : 'processing'])
        }
        wallets.forEach((wallet, nth) => {
          const own = ownOf(asked, wallet)
          expect(
            own.map((payout) => {
              const { outcome, available } = made[payouts.indexOf(payout)]!
              const row = storedById.get(payout.id)
              return {
                outcome,
                warnings: named(row?.warnings ?? null, own),
                ...(outcome === 'unfunded' && { left: available }),
                ...(outcome === 'reserved' && { in: row?.partner_id }),
              }
            }),
          ).toEqual(
            wanted[nth]!.map((each) => ({
              ...each,
              warnings: named(each.warnings, own),
              ...(each.outcome === 'reserved' && { in: wallet.scope.partnerId }),
            })),
          )
        })
        expect(storedById.size).toBe(made.filter(({ outcome }) => outcome === 'reserved').length)
        asked.forEach(({ wallet, payout }, index) => {
          if (made[index]!.outcome === 'reserved') wallet.known.add(payout.idempotencyKey)
        })
        test.clock.advance(60_000)
      }
    }
    const batches = batchesOf(are === 'related' ? RELATED : APART)
    await fc.assert(fc.asyncProperty(batches, run), { seed: SEED, numRuns: 8 })
    expect(ways.has('related')).toBe(are === 'related')
  })

  it.each([
    {
      common: 'nothing',
      other: { key: 2, name: 2, account: 2 },
      outcome: 'reserved',
      warned: ['first_payment_to_account'],
    },
    { common: 'the key', other: { name: 2, account: 2, amount: 2 }, outcome: 'repeated', warned: [] },
    {
      common: 'the person',
      other: { key: 2, account: 2, amount: 2 },
      outcome: 'reserved',
      warned: ['recipient_account_changed of the first', 'first_payment_to_account'],
    },
    { common: 'the account', other: { key: 2, name: 2, amount: 2 }, outcome: 'reserved', warned: [] },
    {
      common: 'the account and the amount',
      other: { key: 2, name: 2 },
      outcome: 'reserved',
      warned: ['possible_duplicate of the first'],
    },
    { common: 'all but the wallet', other: { wallet: 1 }, outcome: 'reserved', warned: ['first_payment_to_account'] },
  ])('in which two have $common in common is decided by that alone', async ({ other, outcome, warned }) => {
    const now = test.clock.now()
    const times = { now, leaseUntil: now, duplicatesSince: duplicatesSince(now) }
    for (const older of [0, 1]) {
      const partners = [await aPartner(test), await aPartner(test)]
      const asked = [ANY, { ...ANY, ...other }].map((wanted) => ({
        partnerId: partners[wanted.wallet]!.id,
        payout: aPayout(wanted, 'common', older, NO_KEYS),
      }))
      const [first, second] = await reserveNewPayouts(test.deps.db, 'sandbox', asked, times)
      const told = (second!.warnings ?? []).map(({ code, payout_id }) =>
        payout_id === asked[0]!.payout.id ? `${code} of the first` : code,
      )
      expect([first!.outcome, second!.outcome, told]).toEqual(['reserved', outcome, warned])
    }
  })

  it('goes to the database once, and nothing is decided here while the wallet is locked', async () => {
    const scope = scopeOf(await aPartner(test))
    const calls: string[] = []
    const watched = new Proxy(test.deps.db, {
      get: (db, name: keyof Database) => {
        if (typeof db[name] === 'function') calls.push(name)
        return db[name]
      },
    })
    for (const size of [1, 20]) {
      const payouts = Array.from({ length: size }, (_, key) => aPayout({ ...ANY, key }, `once-${size}`, 0, NO_KEYS))
      const made = await reserveIn({ db: watched, clock: test.clock }, scope, payouts)
      expect(new Set(made.map(({ kind }) => kind))).toEqual(new Set(['reserved']))
    }
    expect(calls).toEqual(['inOneTrip', 'inOneTrip'])
  })

  it('asked for by one key of which two versions are known is written once all know the present one', async () => {
    const scope = scopeOf(await aPartner(test))
    const { working } = await apiKeys(scope)
    const [present] = await sql<{ version: string }>(test, `select (${holderVersionOf('$1', '$2', '$3')}) as version`, [
      scope.partnerId,
      working,
      test.clock.now(),
    ])
    const knows = (key: number, version: string) => ({
      ...aPayout({ ...ANY, key }, 'version', 0, NO_KEYS),
      keyId: working,
      holderVersion: version,
    })
    const outcomes = async (payouts: readonly NewPayout[]) =>
      (await reserveIn(test.deps, scope, payouts)).map(({ kind }) => kind)
    const books = () =>
      sql<{ count: number }>(test, 'select count(*)::int as count from payouts where partner_id = $1', [
        scope.partnerId,
      ])
    const before = await readAvailable(test.deps.db, scope)
    expect(await outcomes([knows(1, present!.version), knows(2, 'an older one')])).toEqual(['keyless', 'keyless'])
    expect(await books()).toEqual([{ count: 0 }])
    expect(await readAvailable(test.deps.db, scope)).toBe(before)
    expect(await outcomes([knows(1, present!.version), knows(2, present!.version)])).toEqual(['reserved', 'reserved'])
    expect(await books()).toEqual([{ count: 2 }])
  })

  it('of a process of the release before, which has claimed the key and waits for the wallet, is waited for', async () => {
    const partner = await aPartner(test)
    const scope = scopeOf(partner)
    const payout = aPayout(ANY, partner.slug, 0, NO_KEYS)
    await reserveIn(test.deps, scope, [payout])
    // The look-up misses what that process commits a moment later; its claim is found all the same.
    const twice = await reserveIn(
      { ...test.deps, db: { ...test.deps.db, inOneTrip: (all) => test.deps.db.inOneTrip(blind(all)) } },
      scope,
      [{ ...payout, id: randomUUID() }],
    )
    expect(twice).toEqual([{ kind: 'retry' }])
    const [books] = await sql<{ count: number }>(
      test,
      'select count(*)::int as count from payouts where partner_id = $1',
      [partner.id],
    )
    expect(books).toEqual({ count: 1 })
  })
})

/** Payouts of one earlier batch have one moment, so a warning may name either of them; those of this batch have an order. */
function named(warnings: readonly StoredWarning[] | null, batch: readonly NewPayout[]) {
  const isOfBatch = (id: string | null) => batch.some((payout) => payout.id === id)
  const unnamed = (each: StoredWarning) =>
    each.code === 'recipient_account_changed' ? { account_last4: 'of an earlier one' } : {}
  return (
    warnings?.map((each) =>
      isOfBatch(each.payout_id) ? each : { ...each, payout_id: 'an earlier one', ...unnamed(each) },
    ) ?? null
  )
}

/** The same statements, the last of which finds no key. */
const blind = (statements: Parameters<Database['inOneTrip']>[0]): typeof statements =>
  statements.map(([{ text }, values]) => [
    { name: '', text: text.replace('case when item.bound is not null', 'case when false') },
    values,
  ])
