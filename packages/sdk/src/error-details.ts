// What `details` holds, by code. Codes that are not listed have none.
import type { ErrorCode } from './generated/error-codes.ts'

export type ErrorDetails = { readonly [Code in ErrorCode]: unknown }
