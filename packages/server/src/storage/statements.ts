// The movements of a wallet: what its `available` account gained and lost, in order, and its balance at two moments.
import type { MicroUsdc } from '../core/money.ts'
import type { Scope } from '../core/scope.ts'
import type { EntryKind } from './ledger.ts'
import { namedStatement } from './named-parameters.ts'
import type { Db } from './sql.ts'

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

/** Whole days: both moments are midnights in London. */
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

/** The parameters of all statements here. */
interface Asked {
  readonly partner: string
  readonly environment: Scope['environment']
  readonly from: Date
  readonly to: Date
  readonly afterAt: Date
  readonly afterId: bigint
  readonly limit: number
}

/**
 * The movements of the wallet: entries into or out of its account `available`, as they changed it. Told by where the money
 * came from, because the index `ledger_entries_in_order` has that and not where it went.
 */
const movements = (when: string) => `(
  select id, at, kind, cause, note,
         case when from_account = 'available' then -amount else amount end as change
    from ledger_entries
   where partner_id = $partner and environment = $environment
     and (from_account = 'available' or to_account = 'available')
     and ${when})`

const OF_WALLET = 'partner_id = $partner and environment = $environment'
const londonDay = (moment: string) => `(${moment}::timestamptz at time zone 'Europe/London')::date`

/** The balance now, less what has moved since that day began: the days are kept (migrations/0051_rollups.sql). */
const balanceBefore = (day: string) => `(
  (select balance from ledger_accounts where ${OF_WALLET} and account = 'available')
  - (select coalesce(sum(in_micro - out_micro), 0) from wallet_days where ${OF_WALLET} and day >= ${day}))`

const sumOf = (column: string) => `coalesce(sum(${column}), 0)`

// A released hold never was a payout. If it was held in an earlier period, it came back in this one.
const TAKEN = `(${sumOf('held_micro')} - ${sumOf('released_micro')})`

const SUMS = `
  select ${balanceBefore(londonDay('$from'))}::bigint as opening,
         ${balanceBefore(londonDay('$to'))}::bigint as closing,
         ${sumOf('in_micro')}::bigint as "in",
         ${sumOf('out_micro')}::bigint as "out",
         ${sumOf('topped_up_micro')}::bigint as "toppedUp",
         ${sumOf('taken_out_micro')}::bigint as "takenOut",
         greatest(${TAKEN}, 0)::bigint as "paidOut",
         (${sumOf('refunded_micro')} + greatest(-${TAKEN}, 0))::bigint as "cameBack"
    from wallet_days where ${OF_WALLET} and day >= ${londonDay('$from')} and day < ${londonDay('$to')}`

/** The day of the page's place, or the first of the period. */
const PAGE_DAY = `greatest(${londonDay('$from')}, ${londonDay('$afterAt')})`

// With an order and a limit only the index of movements will do, however few entries PostgreSQL believes there are.
const ALL_OF_A_DAY = 1_000_000_000

/** The balance before the page: that of its day's beginning, and what has moved on that day up to the page's place. */
const START = `(${balanceBefore(PAGE_DAY)} + (
  select ${sumOf('change')} from (select change from ${movements(
    `at >= (${PAGE_DAY}::timestamp at time zone 'Europe/London') and (at, id) <= ($afterAt, $afterId)`,
  )} movement order by at, id limit ${ALL_OF_A_DAY}) earlier))::bigint`

const ONE_PAGE = `(
  select * from ${movements('at >= $from and at < $to and (at, id) > ($afterAt, $afterId)')} movement
   order by at, id limit $limit)`

const COLUMNS = `
  movement.id, movement.at, movement.kind, movement.change, movement.note,
  payout.id as "payoutId", payout.reference, payout.recipient_name as "recipientName",
  deposit.deposit_ref as "depositRef"`

// Looked up one by one: PostgreSQL may believe that there are few payouts, and then reads all of them for a join.
/** The payout or the deposit that a movement is for, if the partner can see it. */
const WHAT_FOR = `
  left join lateral (
    select id, reference, recipient_name from payouts
     where ${OF_WALLET} and id = movement.cause and surfaced_at is not null limit 1) payout on true
  left join lateral (
    select deposit_ref from deposits where ${OF_WALLET} and cause = movement.cause limit 1) deposit on true`

// One statement, so that the balances and the movements are from one moment. A page without movements is one row.
const PAGE = namedStatement<keyof Asked>(
  'list_movements',
  `select sums.*, ${START} as start, ${COLUMNS}
     from (${SUMS}) sums left join ${ONE_PAGE} movement on true ${WHAT_FOR}
    order by movement.at, movement.id`,
)

export async function listMovements(
  db: Db,
  scope: Scope,
  asked: Period & { after: MovementPlace; limit: number },
): Promise<MovementPage> {
  type Row = MovementSums & Pick<MovementPage, 'start'> & (MovementRow | { readonly id: null })
  const rows = await db.query<Row>(PAGE, PAGE.values(parametersOf(scope, asked)))
  const [first] = rows
  return {
    sums: first!,
    start: first!.start,
    movements: rows.filter((row): row is Row & MovementRow => row.id !== null),
  }
}

function parametersOf(scope: Scope, asked: Period & { after: MovementPlace; limit: number }): Asked {
  const { from, to, after, limit } = asked
  const { partnerId: partner, environment } = scope
  // PostgreSQL begins to read at the place, even where the period begins long after it.
  const place = after.at < from ? { at: from, id: 0n } : after
  return { partner, environment, from, to, afterAt: place.at, afterId: place.id, limit }
}

const MORE = namedStatement<keyof Asked>(
  'list_more_movements',
  `select ${COLUMNS} from ${ONE_PAGE} movement ${WHAT_FOR} order by movement.at, movement.id`,
)

/**
 * The same without the sums, for callers that have them already: adding them up for each page of a long file takes
 * long.
 */
export function listMoreMovements(
  db: Db,
  scope: Scope,
  asked: Period & { after: MovementPlace; limit: number },
): Promise<MovementRow[]> {
  return db.query<MovementRow>(MORE, MORE.values(parametersOf(scope, asked)))
}

const SUM = namedStatement<'partner' | 'environment' | 'from' | 'to'>('sum_movements', SUMS)

export async function sumMovements(db: Db, scope: Scope, { from, to }: Period): Promise<MovementSums> {
  const values = SUM.values({ partner: scope.partnerId, environment: scope.environment, from, to })
  return (await db.query<MovementSums>(SUM, values))[0]!
}
