// Pages of payouts and the people they went to. Every page costs the same, however many payouts there are.
import { PAID_OR_UNDER_WAY, type PayoutStatus, UNDER_WAY } from '@kestrel/contract'

import type { Pence } from '../core/money.ts'
import type { Scope } from '../core/scope.ts'
import {
  COMPARED_WALLET,
  NO_CRITERIA,
  type PayoutCondition,
  type PayoutCriteria,
  type PayoutPlace,
  type PayoutStretch,
  isOneOf,
  latestCreation,
  payoutCondition,
  scansTheIndex,
} from './payout-criteria.ts'
import { PAYOUT_COLUMNS, type PayoutRow } from './payouts.ts'
import { type Db, statement } from './sql.ts'
import { statusIn } from './status-in.ts'

export interface PayoutFilter extends PayoutCriteria, PayoutStretch {
  readonly limit: number
}

const NEWEST_FIRST = 'order by created_at desc, id desc'

/** A payout of a list, and which version of its row it is where that can be asked for alone. */
export type ListedPayout = PayoutRow & { readonly version?: string }

/**
 * Which payout it is, and the transaction that wrote its row: of what a transaction wrote, others only ever see the end. A number of a
 * transaction comes again after four billion others, so versions are compared within minutes and no later.
 */
const VERSION = `id::text || '/' || xmin::text`

export function listPayouts(db: Db, scope: Scope, filter: PayoutFilter): Promise<ListedPayout[]> {
  const condition = payoutCondition(scope, filter, filter)
  const limit = `limit $${condition.values.push(filter.limit)}`
  const { where, fixed, moving, values, name } = condition
  let text = `select ${PAYOUT_COLUMNS}, ${VERSION} as version from payouts where ${where} ${NEWEST_FIRST} ${limit}`
  if (isRare(filter)) text = fetched(rarePlaces(condition, filter.statuses, limit), moving, limit)
  else if (scansTheIndex(filter)) {
    text = fetched(`select created_at, id from payouts where ${fixed} ${NEWEST_FIRST}`, moving, limit)
  }
  return db.query<PayoutRow>(statement(name === null ? '' : `list_payouts${name}`, text), values)
}

/**
 * The versions of the payouts that a list would have, in its order, for a fraction of what reading them costs. Null for lists whose
 * payouts are looked for one by one.
 */
export async function listVersions(db: Db, scope: Scope, filter: PayoutFilter): Promise<string | null> {
  if (isRare(filter) || scansTheIndex(filter)) return null
  const { where, values, name } = payoutCondition(scope, filter, filter)
  const text = `select string_agg(version, ' ') as versions from (
    select ${VERSION} as version from payouts where ${where} ${NEWEST_FIRST} limit $${values.push(filter.limit)}) page`
  const named = statement(name === null ? '' : `payout_versions${name}`, text)
  return (await db.query<{ versions: string | null }>(named, values))[0]?.versions ?? ''
}

/** As `listVersions` would have them; null where it has none. */
export function versionsOf(payouts: readonly ListedPayout[]): string | null {
  const versions = payouts.map(({ version }) => version)
  return versions.includes(undefined) ? null : versions.join(' ')
}

/** Statuses that few payouts have. */
const isRare = <T extends Pick<PayoutCriteria, 'statuses'>>(
  criteria: T,
): criteria is T & { readonly statuses: readonly PayoutStatus[] } =>
  criteria.statuses !== null && !criteria.statuses.includes('completed')

/**
 * The place of the payout after so many others among those that a filter's question would go through; null when there are not
 * so many. A filter by reference or key goes through those that have it.
 */
export async function findPlaceAfter(
  db: Db,
  scope: Scope,
  criteria: PayoutCriteria,
  { before, others }: { before: PayoutPlace | null; others: number },
): Promise<PayoutPlace | null> {
  const { createdFrom, reference, idempotencyKey } = criteria
  const gone = { ...NO_CRITERIA, createdFrom, createdTo: latestCreation(criteria), reference, idempotencyKey }
  const { fixed, values, name } = payoutCondition(scope, gone, { before, downTo: null })
  const [among, kind] = isRare(criteria) ? [`${fixed} and ended_at is not null`, '_ended'] : [fixed, '']
  const text = `select created_at as "createdAt", id from payouts
    where ${among} ${NEWEST_FIRST} offset $${values.push(others)} limit 1`
  return (await db.query<PayoutPlace>(statement(`place_in_payouts${kind}${name ?? ''}`, text), values))[0] ?? null
}

/**
 * Places in the list, found first and then looked up one by one: a search that fits few payouts must not read every row to
 * find that out.
 */
const fetched = (places: string, moving: string, limit: string): string =>
  `select payout.* from (${places}) found cross join lateral (
     select ${PAYOUT_COLUMNS} from payouts
      where partner_id = $1 and environment = $2 and id = found.id and ${moving} limit 1) payout
    order by found.created_at desc, found.id desc ${limit}`

/**
 * Most payouts are completed, and no index has the status, because writing it would rewrite the index too. The others are
 * either under way, and so are followed, or have ended otherwise, which the index `payouts_ended` has.
 */
function rarePlaces(condition: PayoutCondition, statuses: readonly PayoutStatus[], limit: string): string {
  const underWay = statuses.filter((status) => UNDER_WAY.has(status))
  const ended = statuses.filter((status) => !UNDER_WAY.has(status))
  const { where, fixed, moving, places } = condition
  const among: string[] = []
  if (ended.length > 0) {
    among.push(`(select created_at, id from payouts
       where ${where} and ended_at is not null and ${isOneOf(ended)} ${NEWEST_FIRST} ${limit})`)
  }
  if (underWay.length > 0) {
    among.push(`(select f.created_at, f.payout_id as id from (
         select created_at, payout_id from payout_follow_ups where ${ofFollowUps(places)}
          order by created_at desc, payout_id desc) f
         cross join lateral (
           select 1 from payouts where ${fixed} and id = f.payout_id and ${moving} and ${isOneOf(underWay)} limit 1) fits
        order by f.created_at desc, f.payout_id desc ${limit})`)
  }
  return among.join(' union all ')
}

/** Places in the list, as the index of the follow-ups under way has them and no look-up by key does. */
const ofFollowUps = (places: string): string =>
  places
    .replace(COMPARED_WALLET.join(' and '), 'partner_id = $1 and environment = $2')
    .replaceAll(/\bid\b/g, 'payout_id')
    .replace('partner_id = $1', 'partner_id::text = $1::uuid::text')
    .replace('environment = $2', `${isSandbox('environment')} = ${isSandbox('$2::environment')}`)
const isSandbox = (environment: string) => `case ${environment} when 'sandbox' then 1 else 0 end`

export interface RecipientRow {
  readonly name: string
  readonly accountLast4: string
  readonly payouts: number
  readonly paid: Pence
  readonly lastPaidAt: Date
}

const RECIPIENTS = statement(
  'list_recipients',
  `select min(recipient_name) as name, min(account_last4) as "accountLast4", count(*)::int as payouts,
          coalesce(sum(amount_pence) filter (where status = 'completed'), 0)::bigint as paid,
          max(coalesce(completed_at, created_at)) as "lastPaidAt"
     from (
       select recipient_fingerprint, recipient_name, account_last4, amount_pence, status, completed_at, created_at, surfaced_at
         from payouts
        where partner_id = $1 and environment = $2 and created_at >= $3 and released_at is null
        order by created_at desc, id desc limit $5) recent
    where surfaced_at is not null and ${statusIn('status', PAID_OR_UNDER_WAY)}
    group by recipient_fingerprint
    order by "lastPaidAt" desc, name limit $4`,
)

/** Recipients, grouped from so many of the newest payouts since a moment. */
export function listRecipients(
  db: Db,
  scope: Scope,
  { since, payouts, most }: { since: Date; payouts: number; most: number },
): Promise<RecipientRow[]> {
  return db.query<RecipientRow>(RECIPIENTS, [scope.partnerId, scope.environment, since, most, payouts])
}
