import { formatUsdcExact, withoutSign } from '../core/money.ts'
import type { Movement } from '../domain/wallet/read-statement.ts'
import { type CsvColumns, csvOf } from './csv.ts'
import { movementDetail, movementKind } from './present/statement.ts'

const COLUMNS: CsvColumns<Movement> = [
  ['Time (UTC)', ({ at }) => at.toISOString()],
  ['Kind', movementKind],
  ['In (USDC)', ({ change }) => (change > 0n ? formatUsdcExact(change) : '')],
  ['Out (USDC)', ({ change }) => (change < 0n ? formatUsdcExact(withoutSign(change)) : '')],
  ['Balance (USDC)', ({ balance }) => formatUsdcExact(balance)],
  ['Payout', ({ payoutId }) => payoutId ?? ''],
  ['Deposit', ({ depositRef }) => depositRef ?? ''],
  ['Recipient', ({ recipientName }) => recipientName ?? ''],
  ['Detail', (movement) => movementDetail(movement) ?? ''],
]

export function statementCsv(pages: AsyncIterable<readonly Movement[]>): AsyncGenerator<string> {
  return csvOf(COLUMNS, pages)
}
