// A wallet's statement: every movement between two days in London, with what the wallet held after each.
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
  listMovements,
} from '../../storage/statements.ts'
import type { Deps } from '../deps.ts'

export interface Movement extends MovementRow {
  readonly balance: MicroUsdc
}

/** Both days belong to it. */
export interface Days {
  readonly from: string
  readonly to: string
}

export interface StatementPage extends Days {
  readonly sums: MovementSums
  readonly movements: readonly Movement[]
  readonly nextCursor: string | null
}

const EXPORT_PAGE = 1_000
const BEGINNING: MovementPlace = { at: new Date(0), id: 0n }

/** The month so far unless days are named. */
export function statementDays(deps: Pick<Deps, 'clock'>, asked: { from?: string; to?: string }): Days {
  const today = londonDay(deps.clock.now())
  const to = asked.to ?? today
  return { from: asked.from ?? `${to.slice(0, 7)}-01`, to }
}

export async function readStatement(
  deps: Pick<Deps, 'db'>,
  scope: Scope,
  asked: Days & { cursor: string | null; limit: number },
): Promise<StatementPage> {
  const { from, to, cursor, limit } = asked
  const after = cursor === null ? BEGINNING : readPlace(cursor)
  const page = await listMovements(deps.db, scope, { ...periodOf(asked), after, limit: limit + 1 })
  const movements = withBalances(page.start, page.movements.slice(0, limit))
  const last = page.movements.length > limit ? movements.at(-1) : undefined
  return { from, to, sums: page.sums, movements, nextCursor: last === undefined ? null : writePlace(last) }
}

/** All of it, a thousand movements at a time, read as they are wanted. */
export async function* statementPages(
  deps: Pick<Deps, 'db'>,
  scope: Scope,
  days: Days,
): AsyncGenerator<readonly Movement[]> {
  const period = periodOf(days)
  let after = BEGINNING
  let held: MicroUsdc | null = null
  for (;;) {
    const page = await listMovements(deps.db, scope, { ...period, after, limit: EXPORT_PAGE })
    const movements = withBalances(held ?? page.start, page.movements)
    yield movements
    const last = movements.at(-1)
    if (last === undefined || movements.length < EXPORT_PAGE) return
    held = last.balance
    after = last
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
