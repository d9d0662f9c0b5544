// Payouts, the newest first, a page at a time. The cursor is opaque to callers: it names the last payout seen.
import { AppError } from '../../core/errors.ts'
import type { Scope } from '../../core/scope.ts'
import type { PayoutCriteria, PayoutPlace } from '../../storage/payout-criteria.ts'
import { listPayouts as readPage } from '../../storage/payout-lists.ts'
import type { PayoutRow } from '../../storage/payouts.ts'
import type { Deps } from '../deps.ts'

export interface PayoutPage {
  readonly payouts: readonly PayoutRow[]
  readonly nextCursor: string | null
}

export type { PayoutCriteria }

export interface PayoutQuery extends PayoutCriteria {
  readonly cursor: string | null
  readonly limit: number
}

export async function listPayouts(deps: Pick<Deps, 'db'>, scope: Scope, query: PayoutQuery): Promise<PayoutPage> {
  const { cursor, ...filter } = query
  const before = cursor === null ? null : readCursor(cursor)
  // One more than asked for tells whether there is another page.
  const rows = await readPage(deps.db, scope, { ...filter, before, limit: query.limit + 1 })
  const payouts = rows.slice(0, query.limit)
  const last = rows.length > query.limit ? payouts.at(-1) : undefined
  return { payouts, nextCursor: last === undefined ? null : writeCursor(last) }
}

function writeCursor({ createdAt, id }: PayoutPlace): string {
  const bytes = Buffer.alloc(24)
  bytes.writeBigInt64BE(BigInt(createdAt.getTime()))
  bytes.write(id.replaceAll('-', ''), 8, 'hex')
  return bytes.toString('base64url')
}

function readCursor(cursor: string): PayoutPlace {
  const bytes = Buffer.from(cursor, 'base64url')
  if (bytes.length === 24 && bytes.toString('base64url') === cursor) {
    const hex = bytes.toString('hex', 8)
    const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
    const createdAt = new Date(Number.parseInt(bytes.readBigInt64BE().toString(), 10))
    if (!Number.isNaN(createdAt.getTime())) return { createdAt, id }
  }
  throw new AppError('invalid_request', 'The cursor is not one that this API gave out. Start again without it.', {
    details: { fields: ['cursor (from next_cursor of the page before)'] },
  })
}
