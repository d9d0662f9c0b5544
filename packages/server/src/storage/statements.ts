// The movements of a wallet: what its `available` account gained and lost, in order, and what it held at two moments.
import type { MicroUsdc } from '../core/money.ts'
import type { Scope } from '../core/scope.ts'
import type { EntryKind } from './ledger.ts'
import { type Db, statement } from './sql.ts'

export interface MovementRow {
  readonly id: bigint
  readonly at: Date
  readonly kind: EntryKind
  /** Below zero when money left the wallet. */
  readonly change: MicroUsdc
  /** Null when the partner cannot see such a payout, or there is none. */
  readonly payoutId: string | null
  readonly reference: string | null
  readonly recipientName: string | null
  readonly depositRef: string | null
  readonly note: string | null
}

export interface MovementPlace {
  readonly at: Date
  readonly id: bigint
}

export interface Period {
  readonly from: Date
  /** The first moment that does not belong to it. */
  readonly to: Date
}

export interface MovementPage {
  readonly opening: MicroUsdc
  readonly closing: MicroUsdc
  /** What the wallet held before the first movement of the page. */
  readonly start: MicroUsdc
  readonly movements: readonly MovementRow[]
}

const OF_WALLET = `partner_id = $1 and environment = $2 and (from_account = 'available' or to_account = 'available')`
const CHANGE = `case when from_account = 'available' then -amount else amount end`
// What the wallet holds now, less what has moved since: the whole past need not be added up.
const heldBefore = (condition: string) =>
  `((select balance from ledger_accounts where partner_id = $1 and environment = $2 and account = 'available')
    - (select coalesce(sum(${CHANGE}), 0) from ledger_entries where ${OF_WALLET} and ${condition}))::bigint`

// One statement, so that the balances and the movements are of one moment.
const PAGE = statement(
  'list_movements',
  `select ${heldBefore('at >= $3')} as opening, ${heldBefore('at >= $4')} as closing,
          ${heldBefore('(at, id) > ($5, $6) and at >= $3')} as start,
          m.id, m.at, m.kind, m.change, p.id as "payoutId", p.reference, p.recipient_name as "recipientName",
          d.deposit_ref as "depositRef", m.note
     from (select 1) as always
     left join (
       select id, at, kind, cause, ${CHANGE} as change, note from ledger_entries
        where ${OF_WALLET} and at >= $3 and at < $4 and (at, id) > ($5, $6)
        order by at, id limit $7
     ) m on true
     left join payouts p on p.partner_id = $1 and p.environment = $2 and p.id = m.cause and p.surfaced_at is not null
     left join deposits d on d.partner_id = $1 and d.environment = $2 and d.cause = m.cause
    order by m.at, m.id`,
)

export async function listMovements(
  db: Db,
  scope: Scope,
  asked: Period & { after: MovementPlace; limit: number },
): Promise<MovementPage> {
  const { from, to, after, limit } = asked
  type Row = Omit<MovementPage, 'movements'> & (MovementRow | { readonly id: null })
  const rows = await db.query<Row>(PAGE, [scope.partnerId, scope.environment, from, to, after.at, after.id, limit])
  const { opening, closing, start } = rows[0]!
  return { opening, closing, start, movements: rows.filter((row): row is Row & MovementRow => row.id !== null) }
}

export interface MovementSums {
  readonly opening: MicroUsdc
  readonly closing: MicroUsdc
  readonly toppedUp: MicroUsdc
  readonly takenOut: MicroUsdc
  readonly paidOut: MicroUsdc
  readonly cameBack: MicroUsdc
}

const SUMS = statement(
  'sum_movements',
  `select ${heldBefore('at >= $3')} as opening, ${heldBefore('at >= $4')} as closing,
          coalesce(sum(amount) filter (where kind = 'credit' and to_account = 'available'), 0)::bigint as "toppedUp",
          coalesce(sum(amount) filter (where kind = 'credit' and from_account = 'available'), 0)::bigint as "takenOut",
          (coalesce(sum(amount) filter (where kind = 'hold'), 0)
            - coalesce(sum(amount) filter (where kind = 'release'), 0))::bigint as "paidOut",
          coalesce(sum(amount) filter (where kind = 'refund'), 0)::bigint as "cameBack"
     from ledger_entries where ${OF_WALLET} and at >= $3 and at < $4`,
)

/** A period in four sums: opening + topped up - taken out - paid out + came back = closing. */
export async function sumMovements(db: Db, scope: Scope, { from, to }: Period): Promise<MovementSums> {
  return (await db.query<MovementSums>(SUMS, [scope.partnerId, scope.environment, from, to]))[0]!
}
