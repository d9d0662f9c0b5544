// A place in a list that is ordered by time and id, as opaque text.
import { AppError } from './errors.ts'

export function writeCursor(at: Date, id: string): string {
  const bytes = Buffer.alloc(24)
  bytes.writeBigInt64BE(BigInt(at.getTime()))
  bytes.write(id.replaceAll('-', ''), 8, 'hex')
  return bytes.toString('base64url')
}

/** Nothing here happened before 1970, and PostgreSQL and JavaScript have no moments outside of these. */
const END_OF_TIME = new Date('9999-12-31T00:00:00Z')

export function readCursor(cursor: string): { at: Date; id: string } {
  const bytes = Buffer.from(cursor, 'base64url')
  if (bytes.length === 24 && bytes.toString('base64url') === cursor) {
    const hex = bytes.toString('hex', 8)
    const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
    const at = new Date(Number.parseInt(bytes.readBigInt64BE().toString(), 10))
    if (at.getTime() >= 0 && at < END_OF_TIME) return { at, id }
  }
  throw foreignCursor()
}

export function foreignCursor(): AppError {
  return new AppError('invalid_request', 'The cursor is not one that this API gave out. Start again without it.', {
    details: { fields: ['cursor (from next_cursor of the page before)'] },
  })
}
