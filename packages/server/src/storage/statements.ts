// The movements of a wallet: what its `available` account gained and lost, in order, and its balance at two moments.
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
  /** Null when there is no payout, or the partner cannot see it. */
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
  /** The first moment after the period. */
  readonly to: Date
}

/** A period's sums: opening + topped up - taken out - paid out + came back = closing, and also opening + in - out. */
export interface MovementSums {
  readonly opening: MicroUsdc
  readonly closing: MicroUsdc
  readonly in: MicroUsdc
  readonly out: MicroUsdc
  readonly toppedUp: MicroUsdc
  readonly takenOut: MicroUsdc
  readonly paidOut: MicroUsdc
  readonly cameBack: MicroUsdc
}

export interface MovementPage {
  readonly sums: MovementSums
  /** The balance before the first movement of the page. */
  readonly start: MicroUsdc
  readonly movements: readonly MovementRow[]
}

const OF_WALLET = `partner_id = $1 and environment = $2 and (from_account = 'available' or to_account = 'available')`
const CHANGE = `case when from_account = 'available' then -amount else amount end`
// The balance now, less what has moved since: the whole past need not be added up.
const heldBefore = (condition: string) =>
  `((select balance from ledger_accounts where partner_id = $1 and environment = $2 and account = 'available')
    - (select coalesce(sum(${CHANGE}), 0) from ledger_entries where ${OF_WALLET} and ${condition}))::bigint`

const sumWhere = (condition: string) => `coalesce(sum(amount) filter (where ${condition}), 0)`
// A released hold never was a payout. If it was held in an earlier period, it came back in this one.
const TAKEN = `${sumWhere(`kind = 'hold'`)} - ${sumWhere(`kind = 'release'`)}`
const SUMS = `select ${heldBefore('at >= $3')} as opening, ${heldBefore('at >= $4')} as closing,
    ${sumWhere(`to_account = 'available'`)}::bigint as "in", ${sumWhere(`from_account = 'available'`)}::bigint as "out",
    ${sumWhere(`kind in ('credit', 'adjust') and to_account = 'available'`)}::bigint as "toppedUp",
    ${sumWhere(`kind in ('credit', 'adjust') and from_account = 'available'`)}::bigint as "takenOut",
    greatest(${TAKEN}, 0)::bigint as "paidOut",
    (${sumWhere(`kind = 'refund'`)} + greatest(-(${TAKEN}), 0))::bigint as "cameBack"
  from ledger_entries where ${OF_WALLET} and at >= $3 and at < $4`

const MOVEMENT = `m.id, m.at, m.kind, m.change, p.id as "payoutId", p.reference, p.recipient_name as "recipientName",
          d.deposit_ref as "depositRef", m.note`
const SOME = `(
       select id, at, kind, cause, ${CHANGE} as change, note from ledger_entries
        where ${OF_WALLET} and at >= $3 and at < $4 and (at, id) > ($5, $6)
        order by at, id limit $7
     ) m`
const WHAT_FOR = `
     left join payouts p on p.partner_id = $1 and p.environment = $2 and p.id = m.cause and p.surfaced_at is not null
     left join deposits d on d.partner_id = $1 and d.environment = $2 and d.cause = m.cause
    order by m.at, m.id`

// One statement, so that the balances and the movements are from one moment.
const PAGE = statement(
  'list_movements',
  `select s.*, ${heldBefore('(at, id) > ($5, $6) and at >= $3')} as start, ${MOVEMENT}
     from (${SUMS}) as s left join ${SOME} on true ${WHAT_FOR}`,
)
const MORE = statement('list_more_movements', `select ${MOVEMENT} from ${SOME} ${WHAT_FOR}`)

export async function listMovements(
  db: Db,
  scope: Scope,
  asked: Period & { after: MovementPlace; limit: number },
): Promise<MovementPage> {
  const { from, to, after, limit } = asked
  type Row = MovementSums & Pick<MovementPage, 'start'> & (MovementRow | { readonly id: null })
  const rows = await db.query<Row>(PAGE, [scope.partnerId, scope.environment, from, to, after.at, after.id, limit])
  const [first] = rows
  return {
    sums: first!,
    start: first!.start,
    movements: rows.filter((row): row is Row & MovementRow => row.id !== null),
  }
}

/**
 * The same without the sums, for callers that have them already: adding them up for each page of a long file takes
 * long.
 */
export function listMoreMovements(
  db: Db,
  scope: Scope,
  asked: Period & { after: MovementPlace; limit: number },
): Promise<MovementRow[]> {
  const { from, to, after, limit } = asked
  return db.query<MovementRow>(MORE, [scope.partnerId, scope.environment, from, to, after.at, after.id, limit])
}

const SUM = statement('sum_movements', SUMS)

export async function sumMovements(db: Db, scope: Scope, { from, to }: Period): Promise<MovementSums> {
  return (await db.query<MovementSums>(SUM, [scope.partnerId, scope.environment, from, to]))[0]!
}
