// A plan in words, as `account.prices` shows it.
import type { Account } from '@kestrel/contract'

import { type Pence, exactly, formatPence, formatPenceExact } from '../../core/money.ts'
import type { Plan } from '../../core/plan.ts'
import { costPlus } from './cost-plus.ts'

export function pricesInWords(plan: Plan): Required<Account['prices']> {
  return {
    payout: `${gbp(plan.payoutFixed)} + ${percent(plan.payoutBasisPoints)}`,
    monthly_account: gbp(plan.monthlyAccount),
    business_verification: `${gbp(plan.businessVerification)}, once`,
    network_fees: costInWords(plan.networkCost, plan.networkMarkupBasisPoints, 'a payout'),
    bank_exceptions: costInWords(plan.exceptionCost, plan.exceptionMarkupBasisPoints, 'each'),
  }
}

/** The exact cost is known only from the bank's receipt; the plan says what to expect. */
function costInWords(cost: Pence, markup: bigint, per: string): string {
  return `cost + ${percent(markup)}, about ${formatPenceExact(costPlus(exactly(cost), markup))} GBP ${per}`
}

const gbp = (amount: Pence): string => `${formatPence(amount)} GBP`

const percent = (basisPoints: bigint): string =>
  `${basisPoints / 100n}.${(basisPoints % 100n).toString().padStart(2, '0')}%`
