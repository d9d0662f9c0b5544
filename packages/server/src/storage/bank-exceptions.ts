// Recalls and traces of payouts: the bank does them on request, and its API never mentions them.
import { type Tx, statement } from './sql.ts'

export type BankExceptionType = 'recall' | 'trace'

export interface BankException {
  readonly partnerId: string
  readonly id: string
  readonly payoutId: string
  readonly type: BankExceptionType
  readonly at: Date
}

const INSERT = statement(
  'insert_bank_exception',
  `insert into bank_exceptions (partner_id, id, payout_id, type, at) values ($1, $2, $3, $4, $5)
   on conflict (partner_id, payout_id, type) do nothing returning id`,
)

/** False when the payout already had one of this kind. */
export async function insertBankException(tx: Tx, exception: BankException): Promise<boolean> {
  const { partnerId, id, payoutId, type, at } = exception
  return (await tx.query(INSERT, [partnerId, id, payoutId, type, at])).length === 1
}
