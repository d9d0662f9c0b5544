// Which of the money that came into a wallet is whose refund: pure, over the wallet's history and what is known of it. The
// bank does not say. All refunds of a wallet are one partner's, who was given back what it had sent: the sum is what counts.
import type { Received } from '../../../rail/account.ts'
import type { Claimed, RefundCheck } from '../../../storage/refund-checks.ts'

export interface Match {
  readonly check: RefundCheck
  readonly received: Received
}

/**
 * A refund that came back whole is told by its amount. Those that are left are matched only where as many payments of about
 * their size are left as refunds, the largest with the largest; `isSettled` says whether anything else could still explain
 * them.
 */
export function matchRefunds(of: {
  checks: readonly RefundCheck[]
  received: readonly Received[]
  claimed: readonly Claimed[]
  isSettled: boolean
}): Match[] {
  const left = unclaimed(of.received, of.claimed)
  const matches: Match[] = []
  const open: RefundCheck[] = []
  for (const check of of.checks) {
    const index = left.findIndex(({ amount, at }) => amount === check.sent && at >= check.since)
    const [received] = index === -1 ? [] : left.splice(index, 1)
    if (received === undefined) open.push(check)
    else matches.push({ check, received })
  }
  const likely = left.filter((received) => open.some((check) => isLikely(check, received)))
  if (!of.isSettled || open.length === 0 || likely.length !== open.length) return matches
  const bySize = likely.toSorted((one, other) => compare(other.amount, one.amount))
  const rest = open
    .toSorted((one, other) => compare(other.sent, one.sent))
    .map((check, index) => ({ check, received: bySize[index]! }))
  return rest.every(({ check, received }) => isLikely(check, received)) ? [...matches, ...rest] : matches
}

/** What two exchanges cost is a part of what was sent. More than a tenth of it, a person has to say. */
function isLikely({ sent, since }: RefundCheck, { amount, at }: Received): boolean {
  const difference = amount < sent ? sent - amount : amount - sent
  return at >= since && difference * 10n <= sent
}

function unclaimed(received: readonly Received[], claimed: readonly Claimed[]): Received[] {
  const left = received.toSorted((one, other) => one.at.getTime() - other.at.getTime())
  // Those with a moment first: they can be nothing else.
  const inOrder = [...claimed.filter((each) => each.at !== null), ...claimed.filter((each) => each.at === null)]
  for (const { amount, at } of inOrder) {
    const index = left.findIndex(
      (each) => each.amount === amount && (at === null || each.at.getTime() === at.getTime()),
    )
    if (index !== -1) left.splice(index, 1)
  }
  return left
}

function compare(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0
}
