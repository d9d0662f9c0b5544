import type { MovementKind, Statement } from '@kestrel/contract'

import { formatUsdcExact, withoutSign } from '../../core/money.ts'
import type { Scope } from '../../core/scope.ts'
import type { Movement, StatementPage } from '../../domain/wallet/read-statement.ts'

const KINDS: Readonly<Partial<Record<Movement['kind'], MovementKind>>> = {
  hold: 'payout',
  release: 'payout_released',
  refund: 'payout_refunded',
  adjust: 'correction',
}

/** A credit that takes money out corrects one that put too much in. */
export function movementKind({ kind, change }: Movement): MovementKind {
  return KINDS[kind] ?? (change > 0n ? 'top_up' : 'correction')
}

export function movementDetail({ reference, note }: Movement): string | null {
  return reference ?? note
}

export function presentStatement(scope: Scope, page: StatementPage): Statement {
  const { sums } = page
  return {
    object: 'statement',
    environment: scope.environment,
    from: page.from,
    to: page.to,
    opening_usdc: formatUsdcExact(sums.opening),
    closing_usdc: formatUsdcExact(sums.closing),
    totals: {
      in_usdc: formatUsdcExact(sums.in),
      out_usdc: formatUsdcExact(sums.out),
      topped_up_usdc: formatUsdcExact(sums.toppedUp),
      taken_out_usdc: formatUsdcExact(sums.takenOut),
      paid_out_usdc: formatUsdcExact(sums.paidOut),
      came_back_usdc: formatUsdcExact(sums.cameBack),
    },
    data: page.movements.map((movement) => ({
      at: movement.at.toISOString(),
      kind: movementKind(movement),
      in_usdc: movement.change > 0n ? formatUsdcExact(movement.change) : null,
      out_usdc: movement.change < 0n ? formatUsdcExact(withoutSign(movement.change)) : null,
      balance_usdc: formatUsdcExact(movement.balance),
      payout_id: movement.payoutId,
      deposit_id: movement.depositRef,
      recipient_name: movement.recipientName,
      detail: movementDetail(movement),
    })),
    has_more: page.nextCursor !== null,
    next_cursor: page.nextCursor,
  }
}
