// Records the bank's news of payouts, in any order and however often. It needs no lease: under the rows' locks, the
// table of moves lets through what is new and nothing else. An alarm tells of what it refuses.
import { groupBy } from '../../../core/group-by.ts'
import type { Scope } from '../../../core/scope.ts'
import type { TransferSnapshot } from '../../../rail/transfer.ts'
import { lockWalletOnRail, waitShortlyForLocks } from '../../../storage/ledger.ts'
import { lockPayouts } from '../../../storage/payout-records.ts'
import type { FollowedPayout } from '../../../storage/payouts.ts'
import type { Deps } from '../../deps.ts'
import { decideOutcome } from './decide-outcome.ts'
import { isGivenUp } from './in-doubt.ts'
import { anotherTransfer, anothersName, concernsOf, madeThoughGivenUp, namesAnother } from './news-concerns.ts'
import { type Concern, tellOnce } from './tell-once.ts'
import { rowAfter } from './row-after.ts'
import { tellOfUnknownReasons } from './unknown-reasons.ts'
import { type Decided, plansToCharge, writeDecisions } from './write-decisions.ts'

export interface NewsOfPayout {
  readonly payoutId: string
  readonly transfer: TransferSnapshot
  /** The partner's own request that made us ask for it. */
  readonly requestId?: string | undefined
  /** Asked of the locked row: news that no bank has said is dropped, and nobody told, if the payout has moved on meanwhile. */
  readonly onlyIf?: (row: FollowedPayout) => boolean
}

/** Returns the payouts as they are now, by id. */
export async function recordNews(
  deps: Pick<Deps, 'db' | 'clock' | 'onAlarm'>,
  scope: Scope,
  news: readonly NewsOfPayout[],
  /** Whether locks are waited for only for a moment. */
  { isShort = false }: { isShort?: boolean } = {},
): Promise<ReadonlyMap<string, FollowedPayout>> {
  const now = deps.clock.now()
  const newsOf = groupBy(news, (each) => each.payoutId)
  return deps.db.inTransaction(async (tx) => {
    if (isShort) waitShortlyForLocks(tx)
    const [rows, { rail, available }, plans] = await Promise.all([
      lockPayouts(tx, scope, [...newsOf.keys()]),
      lockWalletOnRail(tx, scope),
      plansToCharge(tx, scope),
    ])
    const known = new Set(rows.map((row) => row.id))
    const strangers = news.filter(({ payoutId }) => !known.has(payoutId))
    const heard = rows.map((row) => {
      const [first, ...more] = newsOf.get(row.id)!.filter(({ onlyIf }) => onlyIf?.(row) ?? true)
      if (first === undefined) return { decided: [], concerns: [] }
      const { decided, concerns } = hear(
        row,
        [first, ...more].map(({ transfer }) => transfer),
        now,
      )
      return { decided: decided.map((each) => ({ ...each, requestId: first.requestId })), concerns }
    })
    await tellOnce(deps, tx, scope, [...strangers.map(unknownHere), ...heard.flatMap(({ concerns }) => concerns)])
    const decided = heard.flatMap((each) => each.decided)
    writeDecisions(tx, scope, { decided, rail, plans, now, available })
    tellOfUnknownReasons(deps, tx, scope, decided)
    const changed = new Map(decided.map((each) => [each.row.id, rowAfter(each)]))
    return new Map(rows.map((row) => [row.id, changed.get(row.id) ?? row]))
  })
}

function unknownHere({ payoutId, transfer }: NewsOfPayout): Concern {
  return {
    what: 'the bank has a transfer that we do not',
    payoutId,
    detail: { transferRef: transfer.transferRef },
  }
}

/** What the news of one payout changes, and what of it a person has to know. */
function hear(
  row: FollowedPayout,
  said: readonly TransferSnapshot[],
  now: Date,
): { decided: Decided[]; concerns: Concern[] } {
  if (isGivenUp(row)) {
    return { decided: [], concerns: said.map(({ transferRef }) => madeThoughGivenUp(row.id, transferRef)) }
  }
  const concerns = said.filter((each) => namesAnother(row.id, each)).map((each) => anothersName(row.id, each))
  const transfers = said.filter((each) => !namesAnother(row.id, each))
  const own = ownTransfer(row, transfers)
  concerns.push(
    ...transfers
      .filter((transfer) => transfer.transferRef !== (own?.transferRef ?? row.transferRef))
      .map(({ transferRef }) => anotherTransfer(row.id, transferRef)),
  )
  if (own === null) return { decided: [], concerns }
  concerns.push(...concernsOf(row, own, now))
  const decision = decideOutcome(row, { answer: { kind: 'accepted', transfer: own }, isFirstHand: false }, now)
  const { change, difference } = decision
  const isNews =
    row.sendState !== 'accepted' ||
    change.status !== row.status ||
    change.refundState !== row.refundState ||
    change.bankState !== row.bankState ||
    change.bankSent !== row.bankSent ||
    change.surplus !== row.surplus ||
    difference !== undefined
  return { decided: isNews ? [{ row, decision }] : [], concerns }
}

/**
 * A payout has one transfer, the first that we heard of. Where there are two, it is the one that still has the money:
 * choosing the other would give back money that is gone.
 */
function ownTransfer(row: FollowedPayout, transfers: readonly TransferSnapshot[]): TransferSnapshot | null {
  const candidates = transfers.filter((each) => row.transferRef === null || each.transferRef === row.transferRef)
  const rank = ({ refund }: TransferSnapshot) => (refund === 'none' ? 0 : 1)
  const saidAt = ({ updatedAt }: TransferSnapshot) => updatedAt?.getTime() ?? 0
  const ranked = candidates.toSorted((one, other) => rank(one) - rank(other) || saidAt(other) - saidAt(one))
  return ranked[0] ?? null
}
