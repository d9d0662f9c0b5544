import { timingSafeEqual } from 'node:crypto'

import { sha256 } from './ids.ts'

/** Takes as long for a near miss as for a far one, so that nobody can feel their way to a secret. */
export function isSameText(a: string, b: string): boolean {
  return timingSafeEqual(sha256(a), sha256(b))
}
