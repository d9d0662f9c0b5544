import type { MicroUsdc, Pence } from '../core/money.ts'
import { type Condition, type PageRequest, readPage } from './page.ts'
import type { Db, Tx } from './sql.ts'
import type { Chain } from './wallets.ts'

export interface VirtualAccount {
  readonly id: string
  readonly customerId: string
  readonly walletId: string
  readonly walletAddress: string
  readonly chain: Chain
  readonly accountHolderName: string
  readonly sortCode: string
  readonly accountNumber: string
  readonly developerFeePercent: string
  readonly createdAt: Date
}

const COLUMNS = `v.id, v.customer_id as "customerId", v.wallet_id as "walletId", w.address as "walletAddress", w.chain,
  v.account_holder_name as "accountHolderName", v.sort_code as "sortCode", v.account_number as "accountNumber",
  v.developer_fee_percent as "developerFeePercent", v.created_at as "createdAt"`
const FROM = 'virtual_accounts v join wallets w on w.id = v.wallet_id'

export async function insertVirtualAccount(
  tx: Tx,
  account: Omit<VirtualAccount, 'accountNumber' | 'walletAddress' | 'chain'>,
): Promise<void> {
  await tx.query(
    `insert into virtual_accounts (id, customer_id, wallet_id, account_holder_name, sort_code, account_number,
       developer_fee_percent, created_at)
     values ($1, $2, $3, $4, $5, nextval('virtual_account_numbers')::text, $6, $7)`,
    [
      account.id,
      account.customerId,
      account.walletId,
      account.accountHolderName,
      account.sortCode,
      account.developerFeePercent,
      account.createdAt,
    ],
  )
}

export async function findVirtualAccount(db: Db, id: string): Promise<VirtualAccount | null> {
  return (await db.query<VirtualAccount>(`select ${COLUMNS} from ${FROM} where v.id = $1`, [id]))[0] ?? null
}

export async function newestVirtualAccountOf(db: Db, walletId: string): Promise<VirtualAccount | null> {
  const rows = await db.query<VirtualAccount>(
    `select ${COLUMNS} from ${FROM} where v.wallet_id = $1 order by v.seq desc limit 1`,
    [walletId],
  )
  return rows[0] ?? null
}

export function listVirtualAccounts(
  db: Db,
  filter: { customerId: string | null },
  page: PageRequest,
): Promise<VirtualAccount[]> {
  const where = filter.customerId === null ? [] : [{ sql: 'v.customer_id = ?', value: filter.customerId }]
  return readPage<VirtualAccount>(db, {
    select: COLUMNS,
    from: FROM,
    alias: 'v',
    table: 'virtual_accounts',
    where,
    page,
  })
}

export const DEPOSIT_STEPS = ['funds_received', 'payment_submitted', 'payment_processed'] as const

export interface VirtualAccountEvent {
  readonly id: string
  readonly type: (typeof DEPOSIT_STEPS)[number]
  readonly depositId: string
  readonly virtualAccountId: string
  readonly customerId: string
  readonly chain: Chain
  readonly received: Pence
  readonly credited: MicroUsdc
  readonly rate: string
  /** The currency of `amount` once it is in the wallet. */
  readonly shownIn: 'usdc' | 'gbp'
  readonly createdAt: Date
}

export async function insertBankDeposit(
  tx: Tx,
  deposit: Pick<VirtualAccountEvent, 'id' | 'virtualAccountId' | 'received' | 'credited' | 'rate' | 'shownIn'> & {
    at: Date
  },
): Promise<void> {
  await tx.query(
    `insert into bank_deposits (id, virtual_account_id, amount_pence, amount_micro, rate, shown_in, at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      deposit.id,
      deposit.virtualAccountId,
      deposit.received,
      deposit.credited,
      deposit.rate,
      deposit.shownIn,
      deposit.at,
    ],
  )
}

export async function insertVirtualAccountEvents(tx: Tx, events: readonly VirtualAccountEvent[]): Promise<void> {
  await tx.query(
    `insert into virtual_account_events (id, deposit_id, type, created_at)
     select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[])`,
    [
      events.map((event) => event.id),
      events.map((event) => event.depositId),
      events.map((event) => event.type),
      events.map((event) => event.createdAt),
    ],
  )
}

export interface EventFilter {
  readonly virtualAccountId: string | null
  readonly depositId: string | null
  readonly eventType: string | null
  readonly updatedAfter: Date | null
  readonly updatedBefore: Date | null
}

export function listVirtualAccountEvents(
  db: Db,
  filter: EventFilter,
  page: PageRequest,
): Promise<VirtualAccountEvent[]> {
  const where: Condition[] = []
  if (filter.virtualAccountId !== null) where.push({ sql: 'v.id = ?', value: filter.virtualAccountId })
  if (filter.depositId !== null) where.push({ sql: 'e.deposit_id::text = ?', value: filter.depositId })
  if (filter.eventType !== null) where.push({ sql: 'e.type = ?', value: filter.eventType })
  if (filter.updatedAfter !== null) where.push({ sql: 'e.created_at > ?', value: filter.updatedAfter })
  if (filter.updatedBefore !== null) where.push({ sql: 'e.created_at < ?', value: filter.updatedBefore })
  return readPage<VirtualAccountEvent>(db, {
    select: `e.id, e.type, e.deposit_id as "depositId", v.id as "virtualAccountId", v.customer_id as "customerId",
      w.chain, d.amount_pence as received, d.amount_micro as credited, d.rate,
      d.shown_in as "shownIn", e.created_at as "createdAt"`,
    from: `virtual_account_events e join bank_deposits d on d.id = e.deposit_id
      join virtual_accounts v on v.id = d.virtual_account_id join wallets w on w.id = v.wallet_id`,
    alias: 'e',
    table: 'virtual_account_events',
    where,
    page,
  })
}
