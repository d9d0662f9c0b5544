// Which deposit a transaction on chain has brought into a wallet: the first one that claims it, and no other.
import type { Environment } from '@kestrel/contract'

import type { Scope } from '../core/scope.ts'
import { itemColumns } from './item-columns.ts'
import { type Database, type Db, type Tx, statement } from './sql.ts'

const CLAIM = statement(
  'claim_transaction',
  `insert into deposit_transactions (partner_id, environment, transaction_ref, deposit_ref) values ($1, $2, $3, $4)
   on conflict do nothing`,
)
const CLAIMED = statement(
  'deposit_of_transaction',
  `select deposit_ref as "depositRef" from deposit_transactions
    where partner_id = $1 and environment = $2 and transaction_ref = $3`,
)

/** Returns the deposit that the transaction has brought: this one, or the one that came first. */
export async function claimTransaction(
  tx: Tx,
  { partnerId, environment }: Scope,
  { transactionRef, depositRef }: { transactionRef: string; depositRef: string },
): Promise<string> {
  await tx.query(CLAIM, [partnerId, environment, transactionRef, depositRef])
  const [row] = await tx.query<{ depositRef: string }>(CLAIMED, [partnerId, environment, transactionRef])
  return row?.depositRef ?? depositRef
}

export interface Claim {
  readonly partnerId: string
  readonly transactionRef: string
  readonly depositRef: string
}

const ITEMS = itemColumns<keyof Claim>(2, {
  partnerId: ['partner_id', 'uuid'],
  transactionRef: ['transaction_ref', 'text'],
  depositRef: ['deposit_ref', 'text'],
})
const CLAIM_CREDITED = statement(
  'claim_credited_transactions',
  `insert into deposit_transactions (environment, ${ITEMS.names})
   select $1, ${ITEMS.selected} from ${ITEMS.from} order by ${ITEMS.selected} on conflict do nothing`,
)
const OTHERS = statement(
  'other_deposits_of_transactions',
  `select item.deposit_ref as "depositRef", t.deposit_ref as first from ${ITEMS.from}
     join deposit_transactions t on t.partner_id = item.partner_id and t.environment = $1
      and t.transaction_ref = item.transaction_ref and t.deposit_ref <> item.deposit_ref`,
)

/**
 * For deposits that were credited before the bank named their transaction, or before transactions were kept. Returns those
 * whose transaction has brought another deposit, with that one.
 */
export async function claimCredited(
  db: Pick<Database, 'inOneTrip'>,
  environment: Environment,
  claims: readonly Claim[],
): Promise<ReadonlyMap<string, string>> {
  if (claims.length === 0) return new Map()
  const values = [environment, ...ITEMS.values(claims)]
  const rows = await db.inOneTrip<{ depositRef: string; first: string }>([
    [CLAIM_CREDITED, values],
    [OTHERS, values],
  ])
  return new Map(rows.map(({ depositRef, first }) => [depositRef, first]))
}

const PARTNERS = itemColumns<'partnerId'>(2, { partnerId: ['partner_id', 'uuid'] })
const UNCLAIMED = statement(
  'partners_with_unclaimed_deposits',
  `select item.partner_id as "partnerId" from ${PARTNERS.from}
    where exists (
      select from deposits d where d.partner_id = item.partner_id and d.environment = $1 and d.source = 'chain'
         and not d.has_claimed and d.credited_at >= coalesce(
           (select read_up_to from bank_feeds where environment = $1 and feed = 'all_chain_deposits'), '-infinity'))`,
)

/**
 * Those of the partners for whom a release that kept no transactions has credited deposits since the whole list was last read:
 * whatever that read saw has claimed its transaction.
 */
export async function findUnclaimed(
  db: Db,
  environment: Environment,
  partnerIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (partnerIds.length === 0) return new Set()
  const asked = [...new Set(partnerIds)].map((partnerId) => ({ partnerId }))
  const rows = await db.query<{ partnerId: string }>(UNCLAIMED, [environment, ...PARTNERS.values(asked)])
  return new Set(rows.map(({ partnerId }) => partnerId))
}
