import type { MicroUsdc } from '../core/money.ts'
import { type Db, statement } from './sql.ts'

export interface ClosedWallet {
  readonly partnerId: string
  readonly slug: string
  readonly available: MicroUsdc
}

const WITH_MONEY = statement(
  'closed_wallets_with_money',
  `select p.id as "partnerId", p.slug, a.balance as available
     from partners p
     join ledger_accounts a on a.partner_id = p.id and a.environment = 'live' and a.account = 'available'
    where p.status = 'closed' and a.balance > 0
      and not exists (select 1 from alarms told
                       where told.what = $1 and told.closed_at is null and told.about ->> 'partnerId' = p.id::text)
    order by p.id`,
)

/** Live wallets of closed businesses that hold money, unless an alarm with this sentence about them is open. */
export function listClosedWalletsWithMoney(db: Db, alarm: string): Promise<ClosedWallet[]> {
  return db.query<ClosedWallet>(WITH_MONEY, [alarm])
}
