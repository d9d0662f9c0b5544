import { londonMonth } from '../../core/london-month.ts'
import { exactly } from '../../core/money.ts'
import { planAt } from '../../core/plan.ts'
import { insertCharges } from '../../storage/charges.ts'
import { lockWallet } from '../../storage/ledger.ts'
import { listPlans } from '../../storage/plans.ts'
import type { Tx } from '../../storage/sql.ts'
import { readTerm } from '../../storage/partners.ts'

/** Charges a verified business, once for ever, in the transaction that records the verification. */
export async function chargeVerification(tx: Tx, partnerId: string): Promise<void> {
  const [{ verifiedAt: at }, plans] = await Promise.all([readTerm(tx, partnerId), listPlans(tx, partnerId)])
  if (at === null) return
  await lockWallet(tx, { partnerId, environment: 'live' })
  const amount = exactly(planAt(plans, at).businessVerification)
  insertCharges(tx, partnerId, {
    charges: [{ cause: partnerId, kind: 'business_verification', amount, cost: null }],
    month: londonMonth(at),
    at,
  })
}
