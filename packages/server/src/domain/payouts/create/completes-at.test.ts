import { SANDBOX_STORIES } from '@kestrel/bank/outcomes'
import { describe, expect, it } from 'vitest'

import { BEFORE, NOW, sendingRow } from '../../../../test/support/outcomes.ts'
import { microUsdc } from '../../../core/money.ts'
import { createSimulatedRail } from '../../../rail/simulated-rail.ts'
import type { TransferSnapshot } from '../../../rail/transfer.ts'
import type { PayoutChange } from '../../../storage/payout-records.ts'
import { decideOutcome } from '../record/decide-outcome.ts'
import { rowAfter } from '../record/row-after.ts'
import { completesAt } from './completes-at.ts'

const { readAt } = createSimulatedRail({ now: () => NOW })
const later = (transferRef: string, at: Date) => readAt?.(transferRef, at) ?? null

const row = sendingRow({ createdAt: NOW })
const said = (transfer: TransferSnapshot) => ({ answer: { kind: 'accepted', transfer }, isFirstHand: false }) as const
const refOf = (story: string) => `sim_${story}_${NOW.getTime()}_${row.id}`

/** The payout as it is once the rail has taken it. */
function sentBy(story: string) {
  const decision = decideOutcome(row, said(later(refOf(story), NOW)!), NOW)
  return { change: decision.change, sent: rowAfter({ row, decision }) }
}

/** What completing changes, and the statement writes (storage/foretold-ends.ts). */
const WRITTEN: ReadonlySet<string> = new Set<keyof PayoutChange>([
  'fromStatus',
  'status',
  'completedAt',
  'updatedAt',
  'nextCheckAt',
  'checks',
])

const without = (change: PayoutChange) =>
  Object.fromEntries(Object.entries(change).filter(([column]) => !WRITTEN.has(column)))

/** Whether a look at that moment would do what the statement does, and nothing else. */
function isPlainEnd(story: string, at: Date): boolean {
  const { change, sent } = sentBy(story)
  const { change: then, entries, ...more } = decideOutcome(sent, said(later(refOf(story), at)!), at)
  try {
    expect(then).toMatchObject({ status: 'completed', completedAt: at, updatedAt: at, nextCheckAt: null })
    expect(entries).toMatchObject([
      { kind: 'settle', seq: 1, from: 'in_transit', to: 'paid_out', amount: row.walletSends },
    ])
    expect([more, without(then)]).toEqual([{}, without(change)])
    return true
  } catch {
    return false
  }
}

describe('when a payout completes', () => {
  it.each(['settle', 'refuse', ...SANDBOX_STORIES])('is known of sandbox:%s if a look would do that alone', (story) => {
    const { change } = sentBy(story)
    const at = completesAt('sandbox', change, later)
    const isKnown = change.nextCheckAt !== null && isPlainEnd(story, change.nextCheckAt)
    expect(at).toEqual(isKnown ? change.nextCheckAt : null)
  })

  it('is known where nothing else is to come', () => {
    expect(completesAt('sandbox', sentBy('settle').change, later)).toEqual(new Date(NOW.getTime() + 2_000))
    expect(completesAt('sandbox', sentBy('return').change, later)).toBeNull()
    expect(completesAt('sandbox', sentBy('hold').change, later)).toBeNull()
  })

  it('is not known in live, where a completion is charged', () => {
    expect(completesAt('live', sentBy('settle').change, later)).toBeNull()
  })

  it('is not known of a rail that says nothing beforehand', () => {
    expect(completesAt('sandbox', sentBy('settle').change, () => null)).toBeNull()
  })

  const MORE: readonly Partial<TransferSnapshot>[] = [
    { refund: 'in_flight' },
    { reason: 'Beneficiary account closed' },
    { bankState: 'another' },
    { transferRef: 'another' },
    { nextChangeAt: BEFORE },
    { receipt: {} },
    { send: microUsdc(1n) },
    { surplus: microUsdc(1n) },
    { updatedAt: BEFORE },
    { handedOverWords: new Set(['settle']) },
    { clientReference: 'another' },
  ]

  it.each(MORE)('is not known where the rail says %o as well', (more) => {
    const says = (ref: string, at: Date) => ({ ...later(ref, at)!, ...more })
    expect(completesAt('sandbox', sentBy('settle').change, says)).toBeNull()
  })
})
