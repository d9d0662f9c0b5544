// What reserving reads under the wallets' locks: somebody who gets no money keeps nobody waiting by it.
import { randomUUID } from 'node:crypto'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { microUsdc } from '../../src/core/money.ts'
import { duplicatesSince } from '../../src/domain/payouts/warn/payout-warnings.ts'
import type { NewPayout } from '../../src/storage/payout-reservations.ts'
import { type NewReservation, reserveNewPayouts } from '../../src/storage/reserve-new-payouts.ts'
import { aNewPayout } from '../races/a-new-payout.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner } from '../support/fixtures.ts'
import { scansOf } from './explain.ts'
import { type Owner, ownerOf } from './owner.ts'

let test: TestApp
let owner: Owner
let partner: TestPartner
beforeAll(async () => {
  test = await startTestApp()
  owner = await ownerOf(test.database.url)
  await owner.query('set enable_seqscan = off')
  partner = await aPartner(test, { usdc: '10000.00' })
})
afterAll(async () => {
  await owner.end()
  await test.close()
})

const SIZE = 5

/** To as many people and accounts, or all to one. */
const aBatch = (are: 'apart' | 'related', overrides: Partial<NewPayout>) =>
  Array.from({ length: SIZE }, (_, nth) => {
    const own = are === 'apart' ? nth : 0
    const marks = { name: Buffer.alloc(16, 10 + own), account: Buffer.alloc(16, 30 + own) }
    return { partnerId: partner.id, payout: aNewPayout({ marks, ...overrides }) }
  })

/** By the index that is read: how often, with the plan that it really has. Nothing is written. */
async function readsOf(asked: ReturnType<typeof aBatch>): Promise<Map<string, number>> {
  const now = test.clock.now()
  const times = { now, leaseUntil: now, duplicatesSince: duplicatesSince(now) }
  const scans = await owner.rolledBack(() =>
    scansOf(owner, (db) => {
      const inOneTrip: Parameters<typeof reserveNewPayouts>[0]['inOneTrip'] = async <Row>(
        all: Parameters<typeof test.deps.db.inOneTrip>[0],
      ) => {
        await db.query(...all.at(-1)!)
        return asked.map((): Pick<NewReservation, 'outcome'> => ({ outcome: 'reserved' })) as Row[]
      }
      return reserveNewPayouts({ inOneTrip }, 'sandbox', asked, times)
    }),
  )
  const reads = new Map<string, number>()
  for (const { 'Index Name': index, 'Actual Loops': loops } of scans) {
    if (index !== undefined) reads.set(index, (reads.get(index) ?? 0) + loops)
  }
  return reads
}

const readsOfRecipients = (reads: ReadonlyMap<string, number>) =>
  [...reads].filter(([index, times]) => index.startsWith('payout_recipients_') && times > 0)

it.each(['apart', 'related'] as const)('looks for what a recipient was paid before: %s', async (are) => {
  expect(readsOfRecipients(await readsOf(aBatch(are, {})))).not.toEqual([])
})

it.each([
  ['more than the wallet has', { walletSends: microUsdc(1_000_000_000_000n) }],
  ['the same, decided by limits', { walletSends: microUsdc(1_000_000_000_000n), isLimited: true }],
  ['a rail that the wallet is not on', { rail: 'provider_sandbox' }],
  ['an API key that does not work', { keyId: randomUUID() }],
] as const)('looks for nothing of the kind for those that are refused: %s', async (_why, overrides) => {
  for (const are of ['apart', 'related'] as const) {
    expect(readsOfRecipients(await readsOf(aBatch(are, overrides)))).toEqual([])
  }
})

it.each(['apart', 'related'] as const)('looks each key up once: %s', async (are) => {
  expect((await readsOf(aBatch(are, {}))).get('payouts_idempotency_key')).toBe(SIZE)
})
