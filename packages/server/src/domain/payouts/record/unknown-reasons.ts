// A payout that ends with a reason that means nothing to us is `other` to its partner. The operator is told of the code, and it
// is counted, so that it gets a meaning.
import type { PayoutStatus } from '@kestrel/contract'

import { newId } from '../../../core/ids.ts'
import type { Scope } from '../../../core/scope.ts'
import { ringAlarms } from '../../../storage/alarms.ts'
import type { Tx } from '../../../storage/sql.ts'
import type { Deps } from '../../deps.ts'
import { UNKNOWN_REASON } from '../../watch/read-watch.ts'
import { failureCodeOf } from './failure-reasons.ts'
import type { Decided } from './write-decisions.ts'

/** Codes that we know and that say no more than `other` does: a name is missing, the sender wants it back, no reason given. */
const KNOWN_OTHERS = /(?:^|[(:])\s*(?:1171|00000007|00000014)(?=$|[\s):,;])/
/**
 * What can only be a code. Four digits may be an account's last, and letters with two digits the beginning of a postcode, which
 * do not belong in an alarm: these count only in brackets of their own, or as all that the bank says.
 */
const LIKE_A_CODE = [
  /\b(CB_[A-Za-z]{1,60})\b/,
  /(?:^|[(:])\s*(0{6}\d{2})(?=$|[\s):,;])/,
  /\(\s*([A-Z]{2}\d{2}|(?:11|19|99)\d{2})\s*\)/,
  /^\s*([A-Z]{2}\d{2}|(?:11|19|99)\d{2})\s*$/,
]

/**
 * The code of a reason that means nothing to us yet; `none` where the bank's words have no code; null where it is known, and where
 * the bank gives none, which it may: there is nothing to learn from that.
 */
export function unknownReason(status: PayoutStatus, bankReason: string | null): string | null {
  if (bankReason === null || failureCodeOf(status, bankReason) !== 'other' || KNOWN_OTHERS.test(bankReason)) return null
  const found = LIKE_A_CODE.map((shape) => shape.exec(bankReason)?.[1])
  return found.find((code) => code !== undefined) ?? 'none'
}

/** The code that a decision brings, where it is unknown and the payout did not have it before. */
export function newlyUnknown({ row, decision: { change } }: Decided): string | null {
  const code = unknownReason(change.status, change.bankReason)
  return code === unknownReason(row.status, row.bankReason) ? null : code
}

/** Counts in the transaction that writes the decisions, as its last step: all partners' payouts count on the same rows. */
export function tellOfUnknownReasons(
  deps: Pick<Deps, 'clock' | 'onAlarm'>,
  tx: Tx,
  { partnerId, environment }: Scope,
  decided: readonly Decided[],
): void {
  const now = deps.clock.now()
  const counts = new Map<string, bigint>()
  for (const each of decided) {
    const code = newlyUnknown(each)
    if (code === null) continue
    counts.set(code, (counts.get(code) ?? 0n) + 1n)
    deps.onAlarm(UNKNOWN_REASON, { partnerId, environment, payoutId: each.row.id, code }, 'written')
  }
  ringAlarms(
    tx,
    [...counts].map(([code, count]) => ({
      id: newId(now),
      what: UNKNOWN_REASON,
      about: { code, environment },
      firstSeenAt: now,
      lastSeenAt: now,
      count,
    })),
  )
}
