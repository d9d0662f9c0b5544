// What happened to a payout, step by step: the row says how it stands, the ledger when its money moved.
import type { PayoutEvent, PayoutStatus } from '@kestrel/contract'

import type { MicroUsdc } from '../../../core/money.ts'
import type { Scope } from '../../../core/scope.ts'
import { type PostedEntry, listEntriesOf } from '../../../storage/ledger.ts'
import { type UndoneEnding, listUndoneEndings } from '../../../storage/undone-endings.ts'
import type { Deps } from '../../deps.ts'
import type { Payout } from '../payout.ts'
import { type StageName, stageNameOf } from '../progress.ts'
import { isCancelable } from './is-cancelable.ts'
import { readPayout } from './read-payout.ts'

export interface TimelineEvent {
  readonly at: Date
  readonly kind: PayoutEvent['kind']
  readonly by: string | null
  readonly usdc: MicroUsdc | null
  readonly detail: string | null
}

export interface Timeline {
  readonly payout: Payout
  readonly events: readonly TimelineEvent[]
  readonly isCancellable: boolean
  readonly next: string | null
}

export async function readTimeline(deps: Pick<Deps, 'db' | 'rails'>, scope: Scope, id: string): Promise<Timeline> {
  const payout = await readPayout(deps, scope, id)
  const entries = await listEntriesOf(deps.db.lookup, scope, payout.id)
  const undone = payout.endingsUndone === 0 ? [] : await listUndoneEndings(deps.db.lookup, scope, payout.id)
  const events = timelineOf(payout, entries, undone)
  return {
    payout,
    events,
    isCancellable: isCancelable(deps, payout),
    next: NEXT[stageNameOf(payout)],
  }
}

export function timelineOf(
  payout: Payout,
  entries: readonly PostedEntry[],
  undone: readonly UndoneEnding[] = [],
): TimelineEvent[] {
  const find = (kind: PostedEntry['kind']) =>
    // An attempt that came to nothing before this one is no part of the story: nobody was told of it.
    entries.find((entry) => entry.kind === kind && (kind === 'capture' || entry.seq === attemptOf(payout, kind)))
  const [hold, capture, settle] = [find('hold'), find('capture'), find('settle')]
  const back = find('refund') ?? find('release')
  const moved = (entry: PostedEntry | undefined, kind: TimelineEvent['kind'], detail: string) =>
    entry === undefined ? [] : [{ at: entry.at, kind, by: null, usdc: entry.amount, detail }]
  return [
    { at: payout.createdAt, kind: 'created', by: payout.createdBy, usdc: null, detail: SOURCES[payout.createdVia] },
    ...moved(hold, 'reserved', 'Set aside in the wallet.'),
    ...waiting(payout, capture),
    ...moved(capture, 'sent', 'Sent to the bank, for Faster Payments.'),
    ...arrived(settle, undone),
    ...ended(payout, back),
    ...moved(back, 'refunded', 'Back in the wallet.'),
  ]
}

/** Each ending that turned out to be none is told, and that it was none; the money moved at the first completion. */
function arrived(settle: PostedEntry | undefined, undone: readonly UndoneEnding[]): TimelineEvent[] {
  if (settle === undefined) return []
  const usdc = settle.amount
  const told = undone.flatMap(({ status, hadCompleted, endedAt, undoneAt, failureReason }): TimelineEvent[] => [
    { at: endedAt, kind: END_OF[status] ?? 'returned', by: null, usdc: null, detail: failureReason },
    { at: undoneAt, kind: 'completed', by: null, usdc: hadCompleted ? null : usdc, detail: TAKEN_BACK },
  ])
  if (undone[0]?.hadCompleted === false) return told
  return [{ at: settle.at, kind: 'completed', by: null, usdc, detail: 'In the recipient’s account.' }, ...told]
}

const TAKEN_BACK = 'The bank took that back: the payment stands.'
const WAITING_FOR_THE_BANK = 'We keep asking the bank until it confirms. Nothing has to be done.'
const COMING_BACK = 'The money is on its way back to the wallet.'

/** What the partner is told to expect. A payout that it does not see has no timeline. */
const NEXT: Readonly<Record<StageName, string | null>> = {
  sending: null,
  in_doubt: WAITING_FOR_THE_BANK,
  not_sent: null,
  rejected: null,
  unclear: WAITING_FOR_THE_BANK,
  on_its_way: 'It usually arrives within minutes.',
  completed: null,
  refund_due: COMING_BACK,
  refunded: null,
  return_due: COMING_BACK,
  return_refunded: null,
  doubt_ended: null,
}

const SOURCES = { api: 'Through the API.', dashboard: 'From the dashboard.' } as const

/** Holds and releases are counted by attempt; anything else happens once. */
function attemptOf(payout: Payout, kind: PostedEntry['kind']): number {
  return kind === 'hold' || kind === 'release' ? payout.sendAttempts : 1
}

/** The bank left us in doubt, when the payout was to be seen before the bank had confirmed it. */
function waiting(payout: Payout, capture: PostedEntry | undefined): TimelineEvent[] {
  const since = payout.surfacedAt
  const wasInDoubt =
    capture === undefined ? payout.sendState === 'unknown' : since !== null && capture.at.getTime() > since.getTime()
  if (!wasInDoubt || since === null) return []
  return [{ at: since, kind: 'waiting', by: null, usdc: null, detail: 'The bank did not confirm it at once.' }]
}

/** Which event tells of a status; that it is completed is told by the money. */
const END_OF = {
  pending: null,
  processing: null,
  completed: null,
  failed: 'failed',
  cancelled: 'cancelled',
  returned: 'returned',
} as const satisfies Record<PayoutStatus, PayoutEvent['kind'] | null>

function ended(payout: Payout, back: PostedEntry | undefined): TimelineEvent[] {
  const kind = END_OF[payout.status]
  if (kind === null) return []
  // Payouts that ended before the moment was kept are told by what followed.
  const at = payout.endedAt ?? back?.at ?? payout.updatedAt
  return [{ at, kind, by: null, usdc: null, detail: payout.failureReason }]
}
