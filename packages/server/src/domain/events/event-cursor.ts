// A place in the list of a wallet's events, as opaque text.
import { foreignCursor } from '../../core/cursor.ts'

export function writePosition(position: bigint): string {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(position)
  return bytes.toString('base64url')
}

export function readPosition(cursor: string): bigint {
  const bytes = Buffer.from(cursor, 'base64url')
  if (bytes.length === 8 && bytes.toString('base64url') === cursor) {
    const position = bytes.readBigInt64BE()
    if (position > 0n) return position
  }
  throw foreignCursor()
}
