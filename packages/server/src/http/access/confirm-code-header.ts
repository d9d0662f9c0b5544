// A request without a body, such as a DELETE, has its code in a header.
import { Type } from 'typebox'

import { AppError } from '../../core/errors.ts'

export const ConfirmCodeHeader = Type.Object({
  'confirm-code': Type.Optional(
    Type.String({ description: 'The mailed code, where this needs one: see `POST /v1/confirm-codes`.' }),
  ),
})

const SIX_DIGITS = /^[0-9]{6}$/

export function confirmCodeIn(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header === 'string' && SIX_DIGITS.test(header)) return header
  throw new AppError('invalid_header', 'The header Confirm-Code must be the six digits of the mail.')
}
