import { PAYOUT_STATUSES, UNDER_WAY, UNDONE } from '@kestrel/contract'
import { describe, expect, it } from 'vitest'

import { STAGES, STAGE_NAMES, type Stage, findStage } from './progress.ts'

const SEND_STATES = ['sending', 'unknown', 'accepted', 'not_sent', 'rejected'] as const
const REFUND_STATES = ['none', 'due', 'done'] as const

const COMBINATIONS = SEND_STATES.flatMap((sendState) =>
  PAYOUT_STATUSES.flatMap((status) =>
    REFUND_STATES.flatMap((refundState) =>
      [null, new Date(0)].map((completedAt) => ({ sendState, status, refundState, completedAt })),
    ),
  ),
)

describe('the stages of a payout', () => {
  it('never share a combination, so that a row is at one of them', () => {
    const cells = STAGE_NAMES.flatMap((name) =>
      STAGES[name].statuses.map((status) => {
        const { sendState, refundState, hasCompleted } = STAGES[name]
        return `${sendState} ${status} ${refundState} ${hasCompleted}`
      }),
    )
    expect(new Set(cells).size).toBe(cells.length)
    expect(COMBINATIONS.filter((standing) => findStage(standing) !== null)).toHaveLength(cells.length)
  })

  it('have a place for every status, and for every send state and refund', () => {
    const stages: Stage[] = STAGE_NAMES.map((name) => STAGES[name])
    expect(new Set(stages.flatMap(({ statuses }) => statuses))).toEqual(new Set(PAYOUT_STATUSES))
    expect(new Set(stages.map(({ sendState }) => sendState))).toEqual(new Set(SEND_STATES))
    expect(new Set(stages.map(({ refundState }) => refundState))).toEqual(new Set(REFUND_STATES))
  })

  const each = STAGE_NAMES.map((name): [string, Stage] => [name, STAGES[name]])

  it.each(each)('%s: the money is out of the wallet exactly while the bank has it, or may', (_, stage) => {
    const isBack = stage.refundState === 'done' || stage.transfer === 'none'
    expect(stage.money === 'available').toBe(isBack)
    expect(stage.money === 'held').toBe(stage.transfer === 'perhaps')
    expect(stage.money === 'paid_out').toBe(stage.hasCompleted && !isBack)
  })

  it.each(each)('%s: what the partner sees keeps its key, and what it never saw is pending', (_, stage) => {
    expect(stage.key === 'bound').toBe(stage.isVisible)
    expect(stage.isVisible && stage.isReleased.includes(true)).toBe(false)
    expect(stage.isVisible || stage.statuses.every((status) => status === 'pending')).toBe(true)
    expect(stage.key === 'tries_again').toBe(!stage.isVisible && stage.transfer === 'none')
  })

  it.each(each)('%s: it may be stopped while the bank has it and nobody knows how it ends', (_, stage) => {
    const isUnderWay = stage.statuses.every((status) => UNDER_WAY.has(status))
    expect(stage.mayBeCancelled).toBe(isUnderWay && stage.transfer === 'made')
  })

  it.each(each)('%s: a refund is due or done exactly when it is undone', (_, stage) => {
    for (const status of stage.statuses) expect(stage.refundState !== 'none').toBe(UNDONE.has(status))
  })

  it.each(each)('%s: it is followed until its money has arrived or is back', (_, stage) => {
    const isUnderWay = stage.statuses.some((status) => UNDER_WAY.has(status)) && stage.transfer !== 'none'
    expect(stage.isFollowed === 'yes').toBe(isUnderWay || stage.refundState === 'due')
    expect(stage.isFollowed === 'no').toBe(stage.money === 'available')
  })
})
