// The operator's limits on what an account pays at once, within the range that the specification gives to everybody.
import type { Environment } from '@kestrel/contract'

import { AppError } from '../../core/errors.ts'
import { type Pence, formatPence, pence } from '../../core/money.ts'
import { type Partner, lockStatus } from '../../storage/partners.ts'
import { type LimitsRow, listPayoutLimits, setPayoutLimits } from '../../storage/payout-limits.ts'
import { changesBetween } from '../activity/audited.ts'
import { addOperatorAction } from '../activity/record-operator-action.ts'
import type { Deps } from '../deps.ts'
import { findPartner } from './find-partner.ts'

/** The specification's range: what an account has until the operator says otherwise, and what no limit goes beyond. */
const RANGE = { smallestPayout: pence(100n), largestPayout: pence(2_000_000n) } as const

export interface LimitsOfPartner {
  readonly partner: Partner
  readonly limits: readonly LimitsRow[]
}

export interface LimitsChange {
  /** Null: both environments. */
  readonly environment: Environment | null
  /** Null: as it is. */
  readonly smallestPayout: Pence | null
  readonly largestPayout: Pence | null
}

export async function readPayoutLimits(deps: Pick<Deps, 'db'>, nameOrId: string): Promise<LimitsOfPartner> {
  const partner = await findPartner(deps, nameOrId)
  return { partner, limits: await listPayoutLimits(deps.db, partner.id) }
}

/** All or nothing: limits that cannot be in one environment change none. */
export async function changePayoutLimits(
  deps: Pick<Deps, 'db' | 'clock'>,
  nameOrId: string,
  change: LimitsChange,
): Promise<LimitsOfPartner> {
  const partner = await findPartner(deps, nameOrId)
  await deps.db.inTransaction(async (tx) => {
    // Under the partner's lock: of two changes at once, the second is measured against the first.
    if ((await lockStatus(tx, partner.id)) === 'closed') {
      throw new AppError('invalid_request', `${partner.slug} is closed for good. Nothing was changed.`)
    }
    for (const before of await listPayoutLimits(tx, partner.id)) {
      if (change.environment !== null && change.environment !== before.environment) continue
      const after = changed(before, change)
      if (same(before, after)) continue
      const scope = { partnerId: partner.id, environment: before.environment }
      setPayoutLimits(tx, scope, after)
      const detail = `${inWords(after)}; before, ${inWords(before)}`
      const audited = { subject: null, changes: changesBetween(shown(before), shown(after)) }
      addOperatorAction(tx, deps, { ...scope, action: 'partner.limits', detail, audited })
    }
  })
  return readPayoutLimits(deps, partner.id)
}

/** Back to the whole of the specification's range. */
export function resetPayoutLimits(
  deps: Pick<Deps, 'db' | 'clock'>,
  nameOrId: string,
  environment: Environment | null,
): Promise<LimitsOfPartner> {
  return changePayoutLimits(deps, nameOrId, { environment, ...RANGE })
}

type Limits = Omit<LimitsRow, 'environment'>

function changed(before: LimitsRow, change: LimitsChange): Limits {
  const smallestPayout = withinRange('minimum', change.smallestPayout) ?? before.smallestPayout
  const largestPayout = withinRange('maximum', change.largestPayout) ?? before.largestPayout
  if (smallestPayout <= largestPayout) return { smallestPayout, largestPayout }
  throw new AppError(
    'invalid_request',
    `In ${before.environment} the minimum would be ${formatPence(smallestPayout)} GBP and the maximum ${formatPence(largestPayout)} GBP, so nothing could be paid. Nothing was changed.`,
  )
}

function withinRange(which: 'minimum' | 'maximum', wanted: Pence | null): Pence | null {
  if (wanted === null || (wanted >= RANGE.smallestPayout && wanted <= RANGE.largestPayout)) return wanted
  throw new AppError(
    'invalid_request',
    `The ${which} must be between ${formatPence(RANGE.smallestPayout)} and ${formatPence(RANGE.largestPayout)} GBP, the range of the specification; ${formatPence(wanted)} is not. Nothing was changed.`,
  )
}

const same = (a: Limits, b: Limits) => a.smallestPayout === b.smallestPayout && a.largestPayout === b.largestPayout

const shown = ({ smallestPayout, largestPayout }: Limits) => ({
  smallest_payout_gbp: formatPence(smallestPayout),
  largest_payout_gbp: formatPence(largestPayout),
})

const inWords = ({ smallestPayout, largestPayout }: Limits) =>
  `${formatPence(smallestPayout)} to ${formatPence(largestPayout)} GBP`
