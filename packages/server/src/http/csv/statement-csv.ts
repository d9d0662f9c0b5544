// A statement as a CSV table: the opening balance, the movements, the closing balance.
import { after } from '../../core/clock.ts'
import { type MicroUsdc, formatUsdcExact, withoutSign } from '../../core/money.ts'
import type { Movement, WholeStatement } from '../../domain/wallet/read-statement.ts'
import { type CsvColumns, csvOf } from './csv.ts'
import { movementDetail, movementKind } from '../present/statement.ts'

interface Line {
  readonly at: Date
  readonly kind: string
  readonly balance: MicroUsdc
  /** Null in the first and last line, where nothing moves. */
  readonly movement: Movement | null
}

const COLUMNS: CsvColumns<Line> = [
  ['Time (UTC)', ({ at }) => at.toISOString()],
  ['Kind', ({ kind }) => kind],
  ['In (USDC)', ({ movement }) => (movement !== null && movement.change > 0n ? formatUsdcExact(movement.change) : '')],
  [
    'Out (USDC)',
    ({ movement }) => (movement !== null && movement.change < 0n ? formatUsdcExact(withoutSign(movement.change)) : ''),
  ],
  ['Balance (USDC)', ({ balance }) => formatUsdcExact(balance)],
  ['Payout', ({ movement }) => movement?.payoutId ?? ''],
  ['Deposit', ({ movement }) => movement?.depositRef ?? ''],
  ['Recipient', ({ movement }) => movement?.recipientName ?? ''],
  ['Detail', ({ movement }) => (movement === null ? '' : (movementDetail(movement) ?? ''))],
]

export function statementCsv(statement: WholeStatement): AsyncGenerator<string> {
  return csvOf(COLUMNS, linesOf(statement))
}

async function* linesOf({ period, opening, pages }: WholeStatement): AsyncGenerator<Line[]> {
  let balance = opening
  yield [{ at: period.from, kind: 'opening_balance', balance, movement: null }]
  for await (const page of pages) {
    yield page.map((movement) => ({
      at: movement.at,
      kind: movementKind(movement),
      balance: movement.balance,
      movement,
    }))
    balance = page.at(-1)?.balance ?? balance
  }
  // The balance after the last line written, not the one read at first: so the closing line follows from the lines
  // above it.
  yield [{ at: after(period.to, -1), kind: 'closing_balance', balance, movement: null }]
}
