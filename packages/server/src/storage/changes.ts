// What has just changed in several wallets at once, for the dashboards that are open.
import type { PayoutStatus } from '@kestrel/contract'

import type { MicroUsdc } from '../core/money.ts'
import type { Scope } from '../core/scope.ts'
import { statusOf, subjectOf } from './event-standing.ts'
import { itemColumns } from './item-columns.ts'
import { type Db, statement } from './sql.ts'

export interface ChangedPayout extends Scope {
  readonly id: string
  readonly status: PayoutStatus
  readonly updatedAt: Date
}

export interface WalletNow extends Scope {
  readonly available: MicroUsdc
  /** Since when all payouts are paused; null while they go out. */
  readonly pausedAt: Date | null
  /** Of its newest event; what is listed came before it, or is it. */
  readonly position: bigint
}

/** Where a reader of a wallet's changes is. */
export interface Looked {
  readonly scope: Scope
  /** Null: at its beginning, where events are told from an id on, which is by time. */
  readonly position: bigint | null
  readonly sinceId: string
}

const LOOKED_AT = itemColumns<keyof Scope | 'position' | 'sinceId'>(1, {
  partnerId: ['partner_id', 'uuid'],
  environment: ['environment', 'environment'],
  position: ['position', 'bigint'],
  sinceId: ['since_id', 'uuid'],
})

// The wallets' own rows come last in the text and are of the same snapshot: what they call newest is in the list.
const CHANGES = statement(
  'list_changes',
  `with looked_at as materialized (
     select item.partner_id, item.environment,
            coalesce(item.position, (select e.position - 1 from events e
               where e.partner_id = item.partner_id and e.environment = item.environment and e.id >= item.since_id
               order by e.id limit 1), newest.position, 0) as position,
            coalesce(newest.position, 0) as newest
       from ${LOOKED_AT.from} left join lateral (
         select e.position from events e where e.partner_id = item.partner_id and e.environment = item.environment
          order by e.position desc limit 1) newest on true)
   select l.partner_id as "partnerId", l.environment, changed.id, changed.status, changed.updated_at as "updatedAt",
          null as available, null::timestamptz as "pausedAt", l.newest as position
     from looked_at l cross join lateral (
       select e.subject_id as id, ${statusOf('e.')} as status, e.occurred_at as updated_at, e.position from events e
        where e.partner_id = l.partner_id and e.environment = l.environment and e.position > l.position
          and ${subjectOf('e.')} = 'payout'
        order by e.position desc limit $5) changed
   union all
   select l.partner_id, l.environment, null, null, null, a.balance, w.paused_at, l.newest
     from looked_at l join ledger_accounts a using (partner_id, environment) join wallets w using (partner_id, environment)
    where a.account = 'available'`,
)

/** One query for all wallets. Of very many changes in one wallet only the newest are returned, and the newest first. */
export async function listChanges(
  db: Db,
  looked: readonly Looked[],
  mostEach: number,
): Promise<{ payouts: ChangedPayout[]; wallets: WalletNow[] }> {
  const rows = await db.query<ChangedPayout | (WalletNow & { readonly id: null })>(CHANGES, [
    ...LOOKED_AT.values(looked.map(({ scope, position, sinceId }) => ({ ...scope, position, sinceId }))),
    mostEach,
  ])
  return {
    payouts: rows.filter((row): row is ChangedPayout => row.id !== null),
    wallets: rows.filter((row): row is WalletNow & { id: null } => row.id === null),
  }
}
