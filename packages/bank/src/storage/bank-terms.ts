// What a real bank decides in its contracts, or says nowhere in public: the control plane sets it, so that clients can be
// tried with each reading.
import { assert } from '../core/assert.ts'
import type { Pence } from '../core/money.ts'
import type { Db, Tx } from './sql.ts'

export const CAPABILITIES = ['gbp', 'fixed_outputs'] as const

export interface BankTerms {
  /** The least that a transfer may bring. */
  readonly smallest: Pence
  /** The currency of a deposit's event once it is in the wallet; the USDC are on its receipt in either case. */
  readonly depositsShownIn: 'usdc' | 'gbp'
  /** Whether what went to the developer's own wallet comes back with a refund. */
  readonly refundsReturn: 'everything' | 'converted'
  /** Whether a transfer's amount shows what was added to it. */
  readonly amountShows: 'source' | 'source_and_top_ups'
  /** What the bank's sales team has not switched on. */
  readonly notEnabled: readonly (typeof CAPABILITIES)[number][]
  /** Where what a transfer sends too much goes. */
  readonly excessWalletId: string
}

export async function readTerms(db: Db): Promise<BankTerms> {
  const [row] = await db.query<BankTerms>(
    `select smallest_pence as smallest, deposits_shown_in as "depositsShownIn", refunds_return as "refundsReturn",
            amount_shows as "amountShows", not_enabled as "notEnabled", excess_wallet_id as "excessWalletId"
       from bank_state`,
  )
  assert(row !== undefined, 'the bank has a state since its first migration')
  return row
}

/** Pounds are in the real bank's beta: it switches them on by hand, developer by developer. */
export async function offersPounds(db: Db): Promise<boolean> {
  return !(await readTerms(db)).notEnabled.includes('gbp')
}

export async function changeTerms(tx: Tx, change: Partial<Omit<BankTerms, 'excessWalletId'>>): Promise<BankTerms> {
  const terms = { ...(await readTerms(tx)), ...change }
  await tx.query(
    `update bank_state set smallest_pence = $1, deposits_shown_in = $2, refunds_return = $3, amount_shows = $4,
       not_enabled = $5`,
    [terms.smallest, terms.depositsShownIn, terms.refundsReturn, terms.amountShows, terms.notEnabled],
  )
  return terms
}
