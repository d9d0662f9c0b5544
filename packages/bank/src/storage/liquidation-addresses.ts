import type { MicroUsdc } from '../core/money.ts'
import { type Condition, type PageRequest, readPage } from './page.ts'
import type { Db, Tx } from './sql.ts'
import type { Chain } from './wallets.ts'

export interface LiquidationAddress {
  readonly id: string
  readonly customerId: string
  readonly walletId: string
  readonly walletAddress: string
  readonly walletChain: Chain
  readonly chain: string
  readonly currency: 'usdc'
  readonly address: string
  readonly returnAddress: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

const COLUMNS = `l.id, l.customer_id as "customerId", l.wallet_id as "walletId", w.address as "walletAddress",
  w.chain as "walletChain", l.chain, l.currency, l.address, l.return_address as "returnAddress",
  l.created_at as "createdAt", l.updated_at as "updatedAt"`
const FROM = 'liquidation_addresses l join wallets w on w.id = l.wallet_id'

/** The id of the address that is already there, or null. */
export async function insertLiquidationAddress(tx: Tx, address: LiquidationAddress): Promise<string | null> {
  const inserted = await tx.query(
    `insert into liquidation_addresses (id, customer_id, wallet_id, chain, currency, address, return_address,
       created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $8)
     on conflict on constraint one_liquidation_address_per_destination do nothing returning true`,
    [
      address.id,
      address.customerId,
      address.walletId,
      address.chain,
      address.currency,
      address.address,
      address.returnAddress,
      address.createdAt,
    ],
  )
  if (inserted.length > 0) return null
  const [existing] = await tx.query<{ id: string }>(
    'select id from liquidation_addresses where customer_id = $1 and chain = $2 and currency = $3 and wallet_id = $4',
    [address.customerId, address.chain, address.currency, address.walletId],
  )
  return existing?.id ?? null
}

export async function findLiquidationAddress(db: Db, id: string): Promise<LiquidationAddress | null> {
  return (await db.query<LiquidationAddress>(`select ${COLUMNS} from ${FROM} where l.id = $1`, [id]))[0] ?? null
}

export async function newestLiquidationAddressOf(db: Db, walletId: string): Promise<LiquidationAddress | null> {
  const rows = await db.query<LiquidationAddress>(
    `select ${COLUMNS} from ${FROM} where l.wallet_id = $1 order by l.seq desc limit 1`,
    [walletId],
  )
  return rows[0] ?? null
}

export function listLiquidationAddresses(
  db: Db,
  filter: { customerId: string | null },
  page: PageRequest,
): Promise<LiquidationAddress[]> {
  const where = filter.customerId === null ? [] : [{ sql: 'l.customer_id = ?', value: filter.customerId }]
  return readPage<LiquidationAddress>(db, {
    select: COLUMNS,
    from: FROM,
    alias: 'l',
    table: 'liquidation_addresses',
    where,
    page,
  })
}

export interface Drain {
  readonly id: string
  readonly liquidationAddressId: string
  readonly customerId: string
  readonly chain: string
  readonly walletChain: Chain
  readonly walletAddress: string
  readonly amount: MicroUsdc
  readonly state: 'funds_received' | 'payment_processed'
  readonly depositTxHash: string
  readonly destinationTxHash: string
  readonly fromAddress: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

export async function insertDrain(tx: Tx, drain: Drain): Promise<void> {
  await tx.query(
    `insert into drains (id, liquidation_address_id, amount_micro, state, deposit_tx_hash, destination_tx_hash,
       from_address, created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      drain.id,
      drain.liquidationAddressId,
      drain.amount,
      drain.state,
      drain.depositTxHash,
      drain.destinationTxHash,
      drain.fromAddress,
      drain.createdAt,
      drain.updatedAt,
    ],
  )
}

export interface DrainFilter {
  readonly liquidationAddressId: string | null
  readonly updatedAfter: Date | null
  readonly updatedBefore: Date | null
}

export function listDrains(db: Db, filter: DrainFilter, page: PageRequest): Promise<Drain[]> {
  const where: Condition[] = []
  if (filter.liquidationAddressId !== null) where.push({ sql: 'l.id = ?', value: filter.liquidationAddressId })
  if (filter.updatedAfter !== null) where.push({ sql: 'd.updated_at > ?', value: filter.updatedAfter })
  if (filter.updatedBefore !== null) where.push({ sql: 'd.updated_at < ?', value: filter.updatedBefore })
  return readPage<Drain>(db, {
    select: `d.id, d.liquidation_address_id as "liquidationAddressId", l.customer_id as "customerId", l.chain,
      w.chain as "walletChain", w.address as "walletAddress", d.amount_micro as amount, d.state,
      d.deposit_tx_hash as "depositTxHash", d.destination_tx_hash as "destinationTxHash",
      d.from_address as "fromAddress", d.created_at as "createdAt", d.updated_at as "updatedAt"`,
    from: `drains d join liquidation_addresses l on l.id = d.liquidation_address_id join wallets w on w.id = l.wallet_id`,
    alias: 'd',
    table: 'drains',
    where,
    page,
  })
}
