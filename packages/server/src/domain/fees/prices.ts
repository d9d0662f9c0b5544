// A plan in words, as `account.prices` shows it.
import { formatPence } from '../../core/money.ts'
import type { Plan } from '../../core/plan.ts'

export function pricesInWords(plan: Plan): { payout: string; monthly_account: string } {
  const percent = formatBasisPoints(plan.payoutBasisPoints)
  return {
    payout: `${formatPence(plan.payoutFixed)} GBP + ${percent}%`,
    monthly_account: `${formatPence(plan.monthlyAccount)} GBP`,
  }
}

function formatBasisPoints(basisPoints: bigint): string {
  return `${basisPoints / 100n}.${(basisPoints % 100n).toString().padStart(2, '0')}`
}
