import { type ErrorCode, ERROR_CODES } from '@kestrel/contract'

import { groupBy } from '../../core/group-by.ts'
import { statusOf } from '../errors/error-catalogue.ts'

/** Every code under its status, the smallest status first. */
export function codesByStatus(): [number, ErrorCode[]][] {
  return [...groupBy(ERROR_CODES, statusOf)].toSorted(([a], [b]) => a - b)
}
