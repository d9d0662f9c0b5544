// A wallet's statement: every movement between two days in London, with the balance after each.
import { foreignCursor } from '../../core/cursor.ts'
import { AppError } from '../../core/errors.ts'
import { dayAfter, londonDay, parseDay, startOfDay } from '../../core/london-day.ts'
import { type MicroUsdc, addUsdc } from '../../core/money.ts'
import type { Scope } from '../../core/scope.ts'
import {
  type MovementPlace,
  type MovementRow,
  type MovementSums,
  type Period,
  listMoreMovements,
  listMovements,
} from '../../storage/statements.ts'
import type { Deps } from '../deps.ts'
import { EXPORT_PAGE } from '../export-page.ts'

export interface Movement extends MovementRow {
  readonly balance: MicroUsdc
}

/** Both days are included. */
export interface Days {
  readonly from: string
  readonly to: string
}

export interface StatementPage extends Days {
  readonly sums: MovementSums
  readonly movements: readonly Movement[]
  readonly nextCursor: string | null
}

const BEGINNING: MovementPlace = { at: new Date(0), id: 0n }

/** The month so far unless days are given. */
export function statementDays(deps: Pick<Deps, 'clock'>, asked: { from?: string; to?: string }): Days {
  const today = londonDay(deps.clock.now())
  const to = asked.to ?? today
  return { from: asked.from ?? `${to.slice(0, 7)}-01`, to }
}

export async function readStatement(
  deps: Pick<Deps, 'reports'>,
  scope: Scope,
  asked: Days & { cursor: string | null; limit: number },
): Promise<StatementPage> {
  const { from, to, cursor, limit } = asked
  const after = cursor === null ? BEGINNING : readPlace(cursor)
  const page = await listMovements(deps.reports, scope, { ...periodOf(asked), after, limit: limit + 1 })
  const movements = withBalances(page.start, page.movements.slice(0, limit))
  const last = page.movements.length > limit ? movements.at(-1) : undefined
  return { from, to, sums: page.sums, movements, nextCursor: last === undefined ? null : writePlace(last) }
}

export interface WholeStatement {
  readonly period: Period
  readonly opening: MicroUsdc
  /** All movements, read as they are needed. */
  readonly pages: AsyncGenerator<readonly Movement[]>
}

/** The first part is read at once, so that an error in the days shows before anything is written. */
export async function openStatement(deps: Pick<Deps, 'reports'>, scope: Scope, days: Days): Promise<WholeStatement> {
  const period = periodOf(days)
  const page = await listMovements(deps.reports, scope, { ...period, after: BEGINNING, limit: EXPORT_PAGE })
  const first = withBalances(page.start, page.movements)
  return { period, opening: page.start, pages: pagesFrom(deps, { scope, period, first }) }
}

async function* pagesFrom(
  deps: Pick<Deps, 'reports'>,
  { scope, period, first }: { scope: Scope; period: Period; first: readonly Movement[] },
): AsyncGenerator<readonly Movement[]> {
  let page = first
  for (;;) {
    yield page
    const last = page.at(-1)
    if (last === undefined || page.length < EXPORT_PAGE) return
    const rows = await listMoreMovements(deps.reports, scope, { ...period, after: last, limit: EXPORT_PAGE })
    page = withBalances(last.balance, rows)
  }
}

function withBalances(start: MicroUsdc, rows: readonly MovementRow[]): Movement[] {
  let balance = start
  return rows.map((row) => {
    balance = addUsdc(balance, row.change)
    return { ...row, balance }
  })
}

function periodOf({ from, to }: Days): Period {
  const [first, last] = [parseDay(from), parseDay(to)]
  const wrong = [
    ...(first === null ? ['from (a day such as 2026-11-01)'] : []),
    ...(last === null || (first !== null && last < first) ? ['to (a day such as 2026-11-30, not before from)'] : []),
  ]
  if (first !== null && last !== null && wrong.length === 0) {
    return { from: startOfDay(first), to: startOfDay(dayAfter(last)) }
  }
  throw new AppError('invalid_request', `The request is not acceptable: ${wrong.join(', ')}.`, {
    details: { fields: wrong },
  })
}

function writePlace({ at, id }: MovementPlace): string {
  return Buffer.from(`${at.getTime()}.${id}`).toString('base64url')
}

function readPlace(cursor: string): MovementPlace {
  const [, at, id] = /^(\d{1,15})\.(\d{1,18})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (at !== undefined && id !== undefined) return { at: new Date(Number.parseInt(at, 10)), id: BigInt(id) }
  throw foreignCursor()
}
