// New prices for a partner, from a moment on that has not been yet: nothing that was quoted, is running or has been
// completed may cost anything else for it.
import { AppError } from '../../core/errors.ts'
import { type DatedPlan, type Plan, planAt } from '../../core/plan.ts'
import type { Partner } from '../../storage/partners.ts'
import { insertPlan, listPlans as readPlans } from '../../storage/plans.ts'
import type { Deps } from '../deps.ts'
import { findPartner } from './find-partner.ts'

export interface PlansOfPartner {
  readonly partner: Partner
  readonly plans: readonly DatedPlan[]
}

/** What is not given stays as it is on that day. From now on unless told otherwise. */
export async function setPlan(
  deps: Pick<Deps, 'db' | 'clock'>,
  slug: string,
  { from, changes }: { from: Date | null; changes: Partial<Plan> },
): Promise<PlansOfPartner> {
  const { partner, plans } = await listPlans(deps, slug)
  const now = deps.clock.now()
  const validFrom = from ?? now
  if (validFrom < now) {
    throw new AppError(
      'invalid_request',
      'A plan begins now or on a day to come: what has been paid for keeps its price. Choose a later day, or leave --from out.',
    )
  }
  const plan = { ...planAt(plans, validFrom), ...changes, validFrom }
  if (plan.payoutBasisPoints > 10_000n || plan.bankBasisPoints > 10_000n) {
    throw new AppError('invalid_request', 'A share of more than 100.00% is no price.')
  }
  await deps.db.inTransaction(async (tx) => insertPlan(tx, { ...plan, partnerId: partner.id }))
  return listPlans(deps, slug)
}

export async function listPlans(deps: Pick<Deps, 'db'>, slug: string): Promise<PlansOfPartner> {
  const partner = await findPartner(deps, slug)
  return { partner, plans: await readPlans(deps.db, partner.id) }
}
