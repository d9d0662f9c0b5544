// New prices for a partner, from a moment that is still to come: nothing that was quoted, is running or has completed
// may change its price.
import { AppError } from '../../core/errors.ts'
import { type DatedPlan, MOST_PRICE, type Plan, planAt } from '../../core/plan.ts'
import { type Partner, lockPartner } from '../../storage/partners.ts'
import { insertPlan, listPlans as readPlans } from '../../storage/plans.ts'
import type { Deps } from '../deps.ts'
import { findPartner } from './find-partner.ts'

export interface PlansOfPartner {
  readonly partner: Partner
  readonly plans: readonly DatedPlan[]
}

/**
 * Prices that are not given stay as they are on that day. Begins now unless told otherwise. Plans that begin later take
 * the change over, except for prices that they were made to set.
 */
export async function setPlan(
  deps: Pick<Deps, 'db' | 'clock'>,
  slug: string,
  { from, changes }: { from: Date | null; changes: Partial<Plan> },
): Promise<PlansOfPartner> {
  const partner = await findPartner(deps, slug)
  requirePrices(changes)
  await deps.db.inTransaction(async (tx) => {
    await lockPartner(tx, partner.id)
    const plans = await readPlans(tx, partner.id)
    const now = deps.clock.now()
    const validFrom = from ?? now
    if (validFrom < now) {
      throw new AppError(
        'invalid_request',
        'A plan begins now or on a day to come: what has been paid for keeps its price. Choose a later day, or leave --from out.',
      )
    }
    const plan = { ...planAt(plans, validFrom), ...changes, validFrom }
    for (const each of [plan, ...laterPlans(plans, validFrom, changes)]) {
      insertPlan(tx, { ...each, partnerId: partner.id })
    }
  })
  return listPlans(deps, slug)
}

/** The plans after a moment, with the prices changed that they only carried over from the plans before. */
function laterPlans(plans: readonly DatedPlan[], moment: Date, changes: Partial<Plan>): DatedPlan[] {
  let before = planAt(plans, moment)
  const own = new Set<string>()
  return plans
    .filter(({ validFrom }) => validFrom > moment)
    .toSorted((a, b) => a.validFrom.getTime() - b.validFrom.getTime())
    .map((later) => {
      for (const name of Object.keys(changes) as (keyof Plan)[]) {
        if (later[name] !== before[name]) own.add(name)
      }
      before = later
      const taken = Object.entries(changes).filter(([name]) => !own.has(name))
      return { ...later, ...(Object.fromEntries(taken) as Partial<Plan>) }
    })
}

const SHARES: ReadonlySet<string> = new Set<keyof Plan>([
  'payoutBasisPoints',
  'bankBasisPoints',
  'networkMarkupBasisPoints',
  'exceptionMarkupBasisPoints',
])

function requirePrices(changes: Partial<Plan>): void {
  for (const [name, price] of Object.entries(changes)) {
    if (SHARES.has(name) && price > 10_000n) {
      throw new AppError('invalid_request', 'A share of more than 100.00% is no price.')
    }
    if (price > MOST_PRICE) throw new AppError('invalid_request', 'More than 1000000.00 GBP is no price.')
  }
}

export async function listPlans(deps: Pick<Deps, 'db'>, slug: string): Promise<PlansOfPartner> {
  const partner = await findPartner(deps, slug)
  return { partner, plans: await readPlans(deps.db, partner.id) }
}
