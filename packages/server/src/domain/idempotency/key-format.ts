// The header that makes a payout happen once (spec, part 4).
import { AppError } from '../../core/errors.ts'

const KEY = /^[A-Za-z0-9_\-:.]{8,100}$/

/** Returns the key, or throws 400 with what is wrong. Two headers arrive as "a, b", which is no key either. */
export function requireIdempotencyKey(header: string | undefined): string {
  if (header !== undefined && KEY.test(header)) return header
  throw new AppError('idempotency_key_required', whatIsWrong(header))
}

function whatIsWrong(header: string | undefined): string {
  const rule = 'Send one key per payout, for example your own order id: 8 to 100 letters, digits, or _ - : .'
  if (header === undefined || header === '') return `The header Idempotency-Key is missing. ${rule}`
  if (header.length < 8) return `The Idempotency-Key has ${header.length} characters, which is too short. ${rule}`
  if (header.length > 100) return `The Idempotency-Key has ${header.length} characters, which is too long. ${rule}`
  return `The Idempotency-Key has a character that is not allowed. ${rule}`
}
