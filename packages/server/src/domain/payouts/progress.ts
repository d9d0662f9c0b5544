// How far a payout has come, seen from inside. Its row says so in several columns at once; only these combinations of them
// are ever written, and each is a stage with a name. Whoever asks where a payout's money is, whether the bank has it or
// what its key is good for reads it here. The checks of the books do not: they would prove nothing.
import type { PayoutStatus } from '@kestrel/contract'

import { assert } from '../../core/assert.ts'
import type { UsdcAccount } from '../../storage/ledger.ts'
import type { PayoutRow, RefundState, SendState } from '../../storage/payouts.ts'

export interface Stage {
  /** What the row says. More than one value: each of them will do. */
  readonly sendState: SendState
  readonly statuses: readonly PayoutStatus[]
  readonly refundState: RefundState
  readonly hasCompleted: boolean
  readonly isReleased: readonly boolean[]

  /** Whether the partner sees it. Until then there is no payout, to the outside world. */
  readonly isVisible: boolean
  readonly money: Extract<UsdcAccount, 'available' | 'held' | 'in_transit' | 'paid_out'>
  /** Whether the bank has a transfer for it. */
  readonly transfer: 'made' | 'perhaps' | 'none'
  /** Whether the bank is asked about it again by itself; a payout that has arrived, if the bank says that more will come. */
  readonly isFollowed: 'yes' | 'if_more_will_come' | 'no'
  /** Whether the bank may be asked to stop it. */
  readonly mayBeCancelled: boolean
  /** Whether a person may find that it was paid although it had ended; never once its money was given back. */
  readonly endingMayBeUndone: boolean
  /** What another request with the same key meets. */
  readonly key: 'waits' | 'bound' | 'tries_again'
}

const HIDDEN = {
  isVisible: false,
  mayBeCancelled: false,
  endingMayBeUndone: false,
  hasCompleted: false,
  refundState: 'none',
  statuses: ['pending'],
} as const
const SEEN = {
  isVisible: true,
  mayBeCancelled: false,
  endingMayBeUndone: false,
  isReleased: [false],
  key: 'bound',
} as const
const ACCEPTED = { ...SEEN, sendState: 'accepted', transfer: 'made' } as const
const ON_ITS_WAY = {
  ...ACCEPTED,
  refundState: 'none',
  hasCompleted: false,
  money: 'in_transit',
  isFollowed: 'yes',
  mayBeCancelled: true,
} as const
const REFUND_DUE = { ...ACCEPTED, refundState: 'due', isFollowed: 'yes', endingMayBeUndone: true } as const
const REFUNDED = { ...ACCEPTED, refundState: 'done', money: 'available', isFollowed: 'no' } as const

export const STAGES = {
  /** The bank is being asked, or whoever asked it is gone. */
  sending: {
    ...HIDDEN,
    sendState: 'sending',
    isReleased: [false],
    money: 'held',
    transfer: 'perhaps',
    isFollowed: 'yes',
    key: 'waits',
  },
  /** The bank did not answer. */
  in_doubt: {
    ...SEEN,
    sendState: 'unknown',
    statuses: ['pending'],
    refundState: 'none',
    hasCompleted: false,
    money: 'held',
    transfer: 'perhaps',
    isFollowed: 'yes',
  },
  /** Certainly not sent. The key is released only when it is used for another request. */
  not_sent: {
    ...HIDDEN,
    sendState: 'not_sent',
    isReleased: [false, true],
    money: 'available',
    transfer: 'none',
    isFollowed: 'no',
    key: 'tries_again',
  },
  /** The bank does not take it. The key is released as for one that was not sent. */
  rejected: {
    ...HIDDEN,
    sendState: 'rejected',
    isReleased: [false, true],
    money: 'available',
    transfer: 'none',
    isFollowed: 'no',
    key: 'tries_again',
  },
  /** The bank has it, and has not said anything of it that we know. */
  unclear: { ...ON_ITS_WAY, statuses: ['pending'] },
  on_its_way: { ...ON_ITS_WAY, statuses: ['processing'] },
  completed: {
    ...ACCEPTED,
    statuses: ['completed'],
    refundState: 'none',
    hasCompleted: true,
    money: 'paid_out',
    isFollowed: 'if_more_will_come',
  },
  /** It never arrived, and its money is on its way back. */
  refund_due: {
    ...REFUND_DUE,
    statuses: ['failed', 'cancelled', 'returned'],
    hasCompleted: false,
    money: 'in_transit',
  },
  refunded: { ...REFUNDED, statuses: ['failed', 'cancelled', 'returned'], hasCompleted: false },
  /** It had arrived and was sent back; the money is on its way back. */
  return_due: { ...REFUND_DUE, statuses: ['returned'], hasCompleted: true, money: 'paid_out' },
  return_refunded: { ...REFUNDED, statuses: ['returned'], hasCompleted: true },
  /** It was in doubt until the bank refused it or the operator released it: nothing ever left the wallet. */
  doubt_ended: {
    ...SEEN,
    sendState: 'unknown',
    statuses: ['failed'],
    refundState: 'done',
    hasCompleted: false,
    money: 'available',
    transfer: 'none',
    isFollowed: 'no',
  },
} as const satisfies Record<string, Stage>

export type StageName = keyof typeof STAGES

export const STAGE_NAMES = Object.keys(STAGES) as readonly StageName[]

/** What of a row tells its stage; the other columns follow from it. A status without a stage does not compile here. */
export type Standing = Pick<PayoutRow, 'sendState' | 'refundState' | 'completedAt'> & {
  readonly status: (typeof STAGES)[StageName]['statuses'][number]
}

const cellOf = ({ sendState, status, refundState, completedAt }: Standing) =>
  `${sendState} ${status} ${refundState} ${completedAt !== null}`

const STAGE_AT: ReadonlyMap<string, StageName> = new Map(
  STAGE_NAMES.flatMap((name) => {
    const { statuses, hasCompleted, ...stage }: Stage = STAGES[name]
    const completedAt = hasCompleted ? new Date(0) : null
    return statuses.map((status): [string, StageName] => [cellOf({ ...stage, status, completedAt }), name])
  }),
)

/** Null: no payout is so. */
export function findStage(standing: Standing): StageName | null {
  return STAGE_AT.get(cellOf(standing)) ?? null
}

export function stageNameOf(standing: Standing): StageName {
  const name = findStage(standing)
  assert(name !== null, 'a payout is at a stage that the table has')
  return name
}

export function stageOf(standing: Standing): Stage {
  return STAGES[stageNameOf(standing)]
}
