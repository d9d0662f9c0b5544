// Moments in a query: the two ends of a period, each of which may be open.
import { DateTime } from '@kestrel/contract'
import { Type } from 'typebox'

import { AppError } from '../../core/errors.ts'

const A_MOMENT = 'a date-time such as 2026-11-01T00:00:00Z'

export const Moment = (description: string) => Type.Optional({ ...DateTime, description, 'x-rule': A_MOMENT })

/** A leap second has the right format and is still no moment. */
export function momentAsked(field: string, text: string | undefined): Date | null {
  if (text === undefined) return null
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? refuseField(field, 'is not a moment that exists', A_MOMENT) : date
}

export function refuseField(field: string, what: string, rule: string): never {
  throw new AppError('invalid_request', `${field} ${what}.`, { details: { fields: [`${field} (${rule})`] } })
}
