// Fields that were refused, as a list for programs beside the list for people.
import type { ErrorCode } from '@kestrel/contract'

import { UNKNOWN_FIELD } from '../body/validation-errors.ts'

interface FieldError {
  readonly field: string
  readonly rule: string
  readonly code: string
}

/** The list for people, by code. */
const LISTS: Partial<Record<ErrorCode, 'fields' | 'missing'>> = {
  invalid_request: 'fields',
  invalid_recipient: 'missing',
}

/** Whoever refuses a request names fields as `field (rule)`; who knows more says it in `errors` itself. */
export function withFieldErrors({ code, details }: { readonly code: ErrorCode; readonly details?: unknown }): unknown {
  const list = LISTS[code]
  if (list === undefined || typeof details !== 'object' || details === null || 'errors' in details) return details
  const entries = (details as Record<string, unknown>)[list]
  return Array.isArray(entries) ? { ...details, errors: entries.map((entry) => fieldError(String(entry))) } : details
}

function fieldError(entry: string): FieldError {
  const [, field = entry, rule = ''] = /^(.+?) \((.*)\)$/s.exec(entry) ?? []
  return { field, rule, code: rule === UNKNOWN_FIELD ? 'unknown_field' : 'invalid' }
}
