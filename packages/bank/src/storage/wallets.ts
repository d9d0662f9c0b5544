import type { MicroUsdc } from '../core/money.ts'
import { type PageRequest, readPage } from './page.ts'
import type { Db, Tx } from './sql.ts'

export type Chain = 'base' | 'ethereum' | 'solana'

export interface Wallet {
  readonly id: string
  /** Null: the developer's own. */
  readonly customerId: string | null
  readonly chain: Chain
  readonly address: string
  readonly balance: MicroUsdc
  readonly createdAt: Date
  readonly updatedAt: Date
}

const COLUMNS = `id, customer_id as "customerId", chain, address, balance_micro as balance,
  created_at as "createdAt", updated_at as "updatedAt"`

/** The caller holds the customer's lock, so only one of their wallets can be the first. */
export async function insertWallet(tx: Tx, wallet: Wallet): Promise<{ isFirst: boolean }> {
  const [row] = await tx.query<{ isFirst: boolean }>(
    `insert into wallets (id, customer_id, chain, address, is_first, created_at, updated_at)
     values ($1, $2, $3, $4, not exists (select from wallets where customer_id = $2), $5, $5)
     returning is_first as "isFirst"`,
    [wallet.id, wallet.customerId, wallet.chain, wallet.address, wallet.createdAt],
  )
  return { isFirst: row?.isFirst === true }
}

export async function findWallet(db: Db, id: string): Promise<Wallet | null> {
  return (await db.query<Wallet>(`select ${COLUMNS} from wallets where id = $1`, [id]))[0] ?? null
}

export async function lockWallet(tx: Tx, id: string): Promise<Wallet | null> {
  return (await lockWallets(tx, [id]))[0] ?? null
}

/** In the same order everywhere, so that two batches never wait for each other. */
export function lockWallets(tx: Tx, ids: readonly string[]): Promise<Wallet[]> {
  return tx.query<Wallet>(`select ${COLUMNS} from wallets where id = any ($1::uuid[]) order by id for no key update`, [
    ids,
  ])
}

export function listWallets(db: Db, filter: { customerId: string | null }, page: PageRequest): Promise<Wallet[]> {
  return readPage<Wallet>(db, {
    select: COLUMNS,
    from: 'wallets',
    alias: 'wallets',
    table: 'wallets',
    where: filter.customerId === null ? [] : [{ sql: 'customer_id = ?', value: filter.customerId }],
    page,
  })
}

export function listAllWallets(db: Db): Promise<Wallet[]> {
  return db.query<Wallet>(`select ${COLUMNS} from wallets order by customer_id is null, seq`)
}

/** What all wallets hold together, by chain. */
export function totalBalances(db: Db): Promise<{ chain: Chain; balance: MicroUsdc }[]> {
  return db.query('select chain, sum(balance_micro)::bigint as balance from wallets group by chain order by chain')
}
