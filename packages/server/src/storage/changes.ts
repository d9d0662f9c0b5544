// What has just changed in several wallets at once, for the dashboards that are open.
import type { PayoutStatus } from '@kestrel/contract'

import { newId } from '../core/ids.ts'
import type { MicroUsdc } from '../core/money.ts'
import type { Scope } from '../core/scope.ts'
import { itemColumns } from './item-columns.ts'
import { type Db, type Tx, statement } from './sql.ts'

export interface ChangedPayout extends Scope {
  readonly id: string
  readonly status: PayoutStatus
  readonly updatedAt: Date
}

export interface AvailableNow extends Scope {
  readonly available: MicroUsdc
}

const LOOKED_AT = itemColumns<keyof Scope | 'since'>(1, {
  partnerId: ['partner_id', 'uuid'],
  environment: ['environment', 'environment'],
  since: ['since', 'timestamptz'],
})

const CHANGES = statement(
  'list_changes',
  `with looked_at as (select ${LOOKED_AT.selected} from ${LOOKED_AT.from})
   select l.partner_id as "partnerId", l.environment, p.id, p.status, p.updated_at as "updatedAt", null as available
     from looked_at l cross join lateral (
       select seen.* from (
         select distinct unnest(payout_ids) as id from payout_changes
          where partner_id = l.partner_id and environment = l.environment and at > l.since) changed
         cross join lateral (
           select id, status, updated_at from payouts
            where partner_id = l.partner_id and environment = l.environment and id = changed.id
              and updated_at > l.since and surfaced_at is not null limit 1) seen
        order by seen.updated_at desc limit $4) p
   union all
   select a.partner_id, a.environment, null, null, null, a.balance
     from looked_at l join ledger_accounts a using (partner_id, environment) where a.account = 'available'`,
)

/** One query for all wallets. Of very many changes in one wallet only the newest are returned. */
export async function listChanges(
  db: Db,
  looked: readonly { scope: Scope; since: Date }[],
  mostEach: number,
): Promise<{ payouts: ChangedPayout[]; balances: AvailableNow[] }> {
  const rows = await db.query<ChangedPayout | (AvailableNow & { readonly id: null })>(CHANGES, [
    ...LOOKED_AT.values(looked.map(({ scope, since }) => ({ ...scope, since }))),
    mostEach,
  ])
  return {
    payouts: rows.filter((row): row is ChangedPayout => row.id !== null),
    balances: rows.filter((row): row is AvailableNow & { id: null } => row.id === null),
  }
}

const NOTE = statement(
  'note_changed_payouts',
  `with old as (
     delete from payout_changes where partner_id = $1 and environment = $2 and at < $3::timestamptz - interval '1 minute')
   insert into payout_changes (partner_id, environment, at, id, payout_ids) values ($1, $2, $3, $4, $5)`,
)

/** One row per batch, for open dashboards; what nobody looks for any more goes with it. The wallet is locked. */
export function noteChanges(
  tx: Tx,
  { partnerId, environment }: Scope,
  changes: readonly { id: string; surfacedAt: Date | null; updatedAt: Date }[],
  now: Date,
): void {
  const seen = changes.filter(({ surfacedAt, updatedAt }) => surfacedAt !== null && updatedAt >= now)
  if (seen.length > 0) tx.defer(NOTE, [partnerId, environment, now, newId(now), seen.map(({ id }) => id)])
}
