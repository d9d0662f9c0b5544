import type { MicroUsdc } from '../core/money.ts'
import type { Db, Tx } from './sql.ts'

/** Money that was added to a transfer which had become too small. */
export interface TopUp {
  readonly id: string
  readonly transferId: string
  readonly walletId: string
  readonly amount: MicroUsdc
  readonly createdAt: Date
}

export async function insertTopUp(tx: Tx, topUp: TopUp): Promise<void> {
  await tx.query(
    'insert into top_ups (id, transfer_id, wallet_id, amount_micro, created_at) values ($1, $2, $3, $4, $5)',
    [topUp.id, topUp.transferId, topUp.walletId, topUp.amount, topUp.createdAt],
  )
}

export function findTopUps(db: Db, ids: readonly string[]): Promise<TopUp[]> {
  return db.query<TopUp>(
    `select id, transfer_id as "transferId", wallet_id as "walletId", amount_micro as amount, created_at as "createdAt"
       from top_ups where id = any($1::uuid[])`,
    [ids],
  )
}
