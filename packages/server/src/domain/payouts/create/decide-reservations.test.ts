import { randomInt } from 'node:crypto'

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { type MicroUsdc, type Pence, microUsdc, pence } from '../../../core/money.ts'
import type { NewPayout } from '../../../storage/payout-reservations.ts'
import type { PayoutRow, SendState } from '../../../storage/payouts.ts'
import type { Spending } from '../../../storage/spending-limits.ts'
import { type Candidate, decideReservations as decide } from './decide-reservations.ts'

const SEED = Number.parseInt(process.env['SEED'] ?? '', 10) || randomInt(2 ** 31)
process.stdout.write(`decide-reservations.test.ts seed=${SEED}\n`)

/** All on one rail, as a wallet's payouts are. */
const decideReservations = (candidates: readonly Candidate[], available: MicroUsdc) =>
  decide(candidates, { available, rail: 'simulated', isPaused: false, hasSpendingLimits: false })

const PRINT = Buffer.alloc(32, 1)
const OTHER_PRINT = Buffer.alloc(32, 2)

function asking(id: string, walletSends: bigint, fingerprint = PRINT): NewPayout {
  return {
    id,
    walletSends: microUsdc(walletSends),
    fingerprint,
    rail: 'simulated',
    keyId: null,
    holderVersion: null,
  } as unknown as NewPayout
}

function rowOf(id: string, sendState: SendState = 'sending', fingerprint = PRINT): PayoutRow {
  return {
    id,
    status: 'pending',
    sendState,
    refundState: 'none',
    completedAt: null,
    fingerprint,
    debitedAt: null,
  } as PayoutRow
}

/** A request whose key is new. */
function fresh(id: string, walletSends: bigint): Candidate {
  return { payout: asking(id, walletSends), row: 'new' }
}

const kinds = (candidates: readonly Candidate[], balance: bigint) =>
  decideReservations(candidates, microUsdc(balance)).map((decision) => decision.kind)

describe('a payout that is asked for with an API key', () => {
  const wallet = { available: microUsdc(10n), rail: 'simulated', isPaused: true, hasSpendingLimits: false } as const
  const asked = (keyId: string | null) => ({ payout: { ...asking('p', 5n), keyId }, row: 'new' as const })

  it('is refused before anything else if the key has stopped', () => {
    const keys = new Set(['works'])
    const decided = decide([asked('works'), asked('stopped'), asked(null)], { ...wallet, isPaused: false }, { keys })
    expect(decided.map(({ kind }) => kind)).toEqual(['reserve', 'keyless', 'reserve'])
    expect(decide([asked('stopped'), asked('works')], wallet, { keys }).map(({ kind }) => kind)).toEqual([
      'keyless',
      'paused',
    ])
  })
})

describe('who gets the wallet’s money', () => {
  it.each([
    { wants: [10n], balance: 10n, given: ['reserve'], why: 'to the last millionth' },
    { wants: [10n], balance: 9n, given: ['unfunded'], why: 'but not one more' },
    { wants: [4n, 4n, 4n], balance: 8n, given: ['reserve', 'reserve', 'unfunded'], why: 'in order of arrival' },
    { wants: [9n, 2n, 1n], balance: 3n, given: ['unfunded', 'reserve', 'reserve'], why: 'the large do not block' },
    { wants: [3n, 3n, 1n], balance: 4n, given: ['reserve', 'unfunded', 'reserve'], why: 'nor do they use it up' },
    { wants: [1n, 1n], balance: 0n, given: ['unfunded', 'unfunded'], why: 'nothing is nothing' },
    { wants: [], balance: 5n, given: [], why: 'nobody asks' },
  ])('$wants of $balance: $given, $why', ({ wants, balance, given }) => {
    expect(
      kinds(
        wants.map((want, index) => fresh(`p${index}`, want)),
        balance,
      ),
    ).toEqual(given)
  })

  it('is told to whoever is refused: what was left when the turn came', () => {
    const decisions = decideReservations([fresh('a', 6n), fresh('b', 5n), fresh('c', 4n)], microUsdc(10n))
    expect(decisions).toEqual([{ kind: 'reserve' }, { kind: 'unfunded', available: 4n }, { kind: 'reserve' }])
  })

  it('never goes to more than there is, and nobody is refused who could be paid, for 500 random batches', () => {
    const batches = fc.array(fc.bigInt({ min: 1n, max: 1_000n }), { maxLength: 60 })
    fc.assert(
      fc.property(batches, fc.bigInt({ min: 0n, max: 10_000n }), (wants, balance) => {
        const decisions = decideReservations(
          wants.map((want, index) => fresh(`p${index}`, want)),
          microUsdc(balance),
        )
        let left = balance
        decisions.forEach((decision, index) => {
          const want = wants[index]!
          const isCovered = want <= left
          expect(decision).toEqual(isCovered ? { kind: 'reserve' } : { kind: 'unfunded', available: left })
          if (isCovered) left -= want
        })
        const given = wants.filter((_, index) => decisions[index]!.kind === 'reserve')
        expect(given.reduce((sum, want) => sum + want, 0n) + left).toBe(balance)
      }),
      { numRuns: 500, seed: SEED },
    )
  })
})

describe('a key that is not free', () => {
  it.each(['sending', 'unknown', 'accepted'] as const)(
    'is taken while its payout is %s, and costs the wallet nothing',
    (sendState) => {
      const row = rowOf('old', sendState)
      const decisions = decideReservations([{ payout: asking('new', 7n), row }, fresh('next', 10n)], microUsdc(10n))
      expect(decisions).toEqual([{ kind: 'taken', row }, { kind: 'reserve' }])
    },
  )

  it.each(['not_sent', 'rejected'] as const)('whose attempt was %s is tried again at today’s price', (sendState) => {
    const row = rowOf('old', sendState)
    const again = { payout: asking('new', 7n), row }
    expect(decideReservations([again, fresh('next', 4n)], microUsdc(10n))).toEqual([
      { kind: 'revive', row },
      { kind: 'unfunded', available: 3n },
    ])
    expect(kinds([again], 6n)).toEqual(['unfunded'])
  })

  it.each(['not_sent', 'rejected'] as const)('whose attempt was %s makes room for another body', (sendState) => {
    const row = rowOf('old', sendState, OTHER_PRINT)
    expect(decideReservations([{ payout: asking('new', 7n), row }, fresh('next', 10n)], microUsdc(10n))).toEqual([
      { kind: 'supersede', row },
      { kind: 'reserve' },
    ])
  })
})

describe('a key whose attempt the operator has paid for by hand', () => {
  it.each([PRINT, OTHER_PRINT])('is closed to every request, and costs the wallet nothing', (print) => {
    const row = { ...rowOf('old', 'not_sent', print), debitedAt: new Date() }
    expect(decideReservations([{ payout: asking('new', 7n), row }, fresh('next', 10n)], microUsdc(10n))).toEqual([
      { kind: 'closed', row },
      { kind: 'reserve' },
    ])
  })
})

describe('a key that was given back between the two looks at it', () => {
  it('is asked for again, and costs the wallet nothing', () => {
    const freed: Candidate = { payout: asking('new', 7n), row: undefined }
    expect(decideReservations([freed, fresh('next', 10n)], microUsdc(10n))).toEqual([
      { kind: 'freed' },
      { kind: 'reserve' },
    ])
  })
})

describe('two of one batch with one key', () => {
  it('find it taken while its payout is being sent, even the one that has its id', () => {
    const row = rowOf('a')
    const batch = [
      { payout: asking('a', 4n), row },
      { payout: asking('b', 4n), row },
    ]
    expect(kinds(batch, 100n)).toEqual(['taken', 'taken'])
  })

  it('revive a payout once', () => {
    const row = rowOf('old', 'not_sent')
    const batch = [
      { payout: asking('a', 4n), row },
      { payout: asking('b', 4n), row },
      { payout: asking('c', 4n, OTHER_PRINT), row },
    ]
    expect(kinds(batch, 100n)).toEqual(['revive', 'taken', 'taken'])
  })

  it('do not both make room', () => {
    const row = rowOf('old', 'not_sent')
    const batch = [
      { payout: asking('a', 4n, OTHER_PRINT), row },
      { payout: asking('b', 4n), row },
    ]
    expect(kinds(batch, 100n)).toEqual(['supersede', 'taken'])
  })
})

describe('a wallet that was connected to the bank meanwhile', () => {
  it('sends nobody over the rail it has left, and spends nothing on them', () => {
    const batch = [fresh('a', 6n), fresh('b', 4n)]
    expect(
      decide(batch, { available: microUsdc(10n), rail: 'provider_sandbox', isPaused: false, hasSpendingLimits: false }),
    ).toEqual([{ kind: 'moved' }, { kind: 'moved' }])
  })
})

describe('a wallet whose payouts are paused', () => {
  it('makes none and revives none, and answers keys that have a payout as ever', () => {
    const [row, given] = [rowOf('sent'), rowOf('old', 'not_sent')]
    const batch = [fresh('a', 6n), { payout: asking('b', 4n), row: given }, { payout: asking('c', 4n), row }]
    expect(
      decide(batch, { available: microUsdc(10n), rail: 'simulated', isPaused: true, hasSpendingLimits: false }),
    ).toEqual([{ kind: 'paused' }, { kind: 'paused' }, { kind: 'taken', row }])
  })
})

describe('whoever has a spending limit', () => {
  /** Pays a pound with a dollar, so that the wallet and the limit are told apart by what they have. */
  const paying = (spenderId: string | null, amount: bigint, row: Candidate['row'] = 'new'): Candidate => ({
    payout: { ...asking('p', amount), spenderId, amount: pence(amount) },
    row,
  })
  const limitsOf = (spenderId: string, limits: Partial<Record<keyof Spending, bigint>>): Spending => ({
    spenderId,
    maxPerPayout: null,
    daily: null,
    monthly: null,
    spentToday: pence(0n),
    spentThisMonth: pence(0n),
    since: new Date(0),
    ...(limits as Record<string, Pence>),
  })
  const wallet = { rail: 'simulated', isPaused: false, hasSpendingLimits: true } as const
  const decided = (candidates: readonly Candidate[], limits: readonly Spending[], available = 1_000n) =>
    decide(candidates, { ...wallet, available: microUsdc(available) }, { limits }).map(({ kind }) => kind)

  it.each([
    { limits: { maxPerPayout: 50n }, pays: [50n, 51n, 50n], given: ['reserve', 'over_limit', 'reserve'] },
    { limits: { daily: 50n }, pays: [50n, 1n], given: ['reserve', 'over_limit'] },
    { limits: { daily: 50n, spentToday: 20n }, pays: [31n, 30n, 1n], given: ['over_limit', 'reserve', 'over_limit'] },
    { limits: { daily: 50n, spentThisMonth: 49n }, pays: [50n], given: ['reserve'] },
    { limits: { monthly: 50n }, pays: [20n, 30n, 1n], given: ['reserve', 'reserve', 'over_limit'] },
    { limits: { monthly: 50n, spentThisMonth: 49n, spentToday: 9n }, pays: [2n, 1n], given: ['over_limit', 'reserve'] },
    {
      limits: { maxPerPayout: 9n, daily: 50n, monthly: 10n },
      pays: [9n, 2n, 1n],
      given: ['reserve', 'over_limit', 'reserve'],
    },
    { limits: { maxPerPayout: 0n }, pays: [1n], given: ['over_limit'] },
    { limits: {}, pays: [400n, 600n], given: ['reserve', 'reserve'] },
  ])('of $limits pays $pays: $given', ({ limits, pays, given }) => {
    const batch = pays.map((amount) => paying('key', amount))
    expect(decided(batch, [limitsOf('key', limits)])).toEqual(given)
  })

  it('has its own room, and who has no limit needs none', () => {
    const limits = [limitsOf('one', { daily: 10n }), limitsOf('two', { daily: 20n })]
    const batch = [
      paying('one', 10n),
      paying('two', 20n),
      paying('one', 1n),
      paying('two', 1n),
      paying(null, 100n),
      paying('three', 100n),
    ]
    expect(decided(batch, limits)).toEqual(['reserve', 'reserve', 'over_limit', 'over_limit', 'reserve', 'reserve'])
  })

  it('uses up no room with what the wallet cannot pay, and no money with what is over the limit', () => {
    const limits = [limitsOf('key', { daily: 30n })]
    expect(decided([paying('key', 30n), paying('key', 20n)], limits, 20n)).toEqual(['unfunded', 'reserve'])
    expect(decided([paying('key', 31n), paying(null, 35n)], limits, 35n)).toEqual(['over_limit', 'reserve'])
  })

  it('needs room for what is tried again, and none for what is answered with its payout', () => {
    const limits = [limitsOf('key', { daily: 5n })]
    const [failed, sent] = [rowOf('failed', 'not_sent'), rowOf('sent')]
    expect(decided([paying('key', 6n, failed), paying('key', 5n)], limits)).toEqual(['over_limit', 'reserve'])
    expect(decided([paying('key', 5n, failed), paying('key', 1n)], limits)).toEqual(['revive', 'over_limit'])
    expect(decided([paying('key', 6n, sent), paying('key', 5n)], limits)).toEqual(['taken', 'reserve'])
  })
})

describe('a request whose fingerprint was made with an earlier key of ours', () => {
  it('is the same request: its attempt is tried again', () => {
    const row = rowOf('old', 'not_sent', OTHER_PRINT)
    const payout = { ...asking('new', 7n), olderFingerprints: [Buffer.alloc(32, 3), OTHER_PRINT] }
    expect(kinds([{ payout, row }], 10n)).toEqual(['revive'])
    expect(kinds([{ payout: { ...payout, olderFingerprints: [Buffer.alloc(32, 3)] }, row }], 10n)).toEqual([
      'supersede',
    ])
  })
})
