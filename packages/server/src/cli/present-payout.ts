// A payout as the operator sees it: how far it has come, where its money is, what the bank says. No recipient, no account.
import { formatPence, formatUsdcExact } from '../core/money.ts'
import { counted } from '../core/words.ts'
import type { ShownPayout } from '../domain/payouts/read/show-payout.ts'

export function presentPayout({ row, entries, alarms, moneyIn }: ShownPayout) {
  return {
    payout: row.id,
    partner: row.partnerSlug,
    environment: row.environment,
    status: row.status,
    amount_gbp: formatPence(row.amount),
    wallet_sends_usdc: formatUsdcExact(row.walletSends),
    failure_reason: row.failureReason,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    completed_at: row.completedAt?.toISOString() ?? null,
    ended_at: row.endedAt?.toISOString() ?? null,
    inside: {
      send_state: row.sendState,
      attempts: row.sendAttempts,
      checks: row.checks,
      next_check_at: row.nextCheckAt?.toISOString() ?? null,
      looked_at_until: row.leaseUntil?.toISOString() ?? null,
      seen_by_partner: row.surfacedAt !== null,
      debited_at: row.debitedAt?.toISOString() ?? null,
      endings_undone: row.endingsUndone,
    },
    money: {
      in: moneyIn,
      refund: row.refundState,
      left_over_usdc: row.surplus === null ? null : formatUsdcExact(row.surplus),
      topped_up_usdc: formatUsdcExact(row.toppedUp),
      bank_took_usdc: row.bankSent === null ? null : formatUsdcExact(row.bankSent),
    },
    bank: { rail: row.rail, transfer: row.transferRef, state: row.bankState, reason: row.bankReason },
    alarms: alarms.map((alarm) => ({
      id: alarm.id,
      alarm: alarm.what,
      last_seen_at: alarm.lastSeenAt.toISOString(),
      closed_at: alarm.closedAt?.toISOString() ?? null,
    })),
    entries: entries.map((entry) => ({
      at: entry.at.toISOString(),
      kind: entry.kind,
      from: entry.from,
      to: entry.to,
      usdc: formatUsdcExact(entry.amount),
    })),
  }
}

export function payoutInLines(shown: ShownPayout): string[] {
  const { alarms, bank, entries, inside, money, ...payout } = presentPayout(shown)
  return [
    `${payout.payout}  ${payout.partner}  ${payout.environment}`,
    `  ${payout.status}, ${payout.amount_gbp} GBP, made ${payout.created_at}`,
    ...(payout.failure_reason === null ? [] : [`  ${payout.failure_reason}`]),
    `  inside: ${inside.send_state}, ${counted(inside.attempts, 'attempt')}, ${counted(inside.checks, 'check')}, next ${inside.next_check_at ?? 'never'}`,
    `  money: ${payout.wallet_sends_usdc} USDC in ${money.in}, refund ${money.refund}${money.bank_took_usdc === null ? '' : `; the bank took ${money.bank_took_usdc}`}`,
    `  bank: ${bank.rail}, transfer ${bank.transfer ?? 'unknown'}, ${bank.state ?? 'no word'}${bank.reason === null ? '' : `, ${bank.reason}`}`,
    ...alarms.map(
      (each) => `  ${each.closed_at === null ? 'alarm' : 'alarm (closed)'}: ${each.alarm}, last ${each.last_seen_at}`,
    ),
    ...entries.map((entry) => `  ${entry.at}  ${entry.kind.padEnd(8)} ${entry.from} to ${entry.to}  ${entry.usdc}`),
  ]
}
