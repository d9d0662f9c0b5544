// The dashboard tells from the timeline where a payout's money is: its events agree with the table of stages.
import { type PayoutStatus, UNDONE } from '@kestrel/contract'
import { describe, expect, it } from 'vitest'

import { NOW, sendingRow } from '../../../../test/support/outcomes.ts'
import type { PostedEntry } from '../../../storage/ledger.ts'
import type { FollowedPayout } from '../../../storage/payouts.ts'
import { STAGES, STAGE_NAMES, type Stage, type StageName } from '../progress.ts'
import { entriesTo } from '../record/payout-entries.ts'
import { timelineOf } from './read-timeline.ts'

const SEEN = STAGE_NAMES.filter((name) => STAGES[name].isVisible).flatMap((name) =>
  STAGES[name].statuses.map((status) => ({ name, status })),
)

function rowAt(name: StageName, status: PayoutStatus): FollowedPayout {
  const { sendState, refundState, hasCompleted }: Stage = STAGES[name]
  return sendingRow({
    sendState,
    status,
    refundState,
    completedAt: hasCompleted ? NOW : null,
    endedAt: UNDONE.has(status) ? NOW : null,
    surfacedAt: NOW,
  })
}

/** What was posted on the way to a stage. */
function entriesAt(name: StageName): PostedEntry[] {
  const { transfer, hasCompleted }: Stage = STAGES[name]
  const way: StageName[] = ['sending']
  if (transfer === 'made') way.push('on_its_way')
  if (hasCompleted) way.push('completed')
  const posted = [...way.slice(1), name].flatMap((next, index) => {
    const before = way[index]!
    return entriesTo(rowAt(before, STAGES[before].statuses[0]), STAGES[next].money)
  })
  return posted.map((entry) => ({ ...entry, at: NOW }))
}

describe('the timeline', () => {
  it.each(SEEN)('of a payout at $name and $status says "refunded" exactly if the money is back', ({ name, status }) => {
    const kinds = timelineOf(rowAt(name, status), entriesAt(name)).map(({ kind }) => kind)
    expect(kinds.includes('refunded')).toBe(STAGES[name].money === 'available')
    expect(kinds.includes('completed')).toBe(STAGES[name].hasCompleted)
  })
})
