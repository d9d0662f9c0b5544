// Why a payout did not stay with its recipient, as a word for programs, and whether trying again can help.
import { FAILURE_CODES, type FailureCode as Code } from './failure-codes.ts'
import { Words } from './schema.ts'

export { FAILURE_CODES }
export type FailureCode = Code

const RETRIES = ['no', 'after_fix', 'yes'] as const
export type Retry = (typeof RETRIES)[number]

/** With the same details again (yes), with other ones (after_fix), or not without asking somebody (no). */
export const RETRY: Readonly<Record<FailureCode, Retry>> = {
  account_not_found: 'after_fix',
  account_closed: 'after_fix',
  account_blocked: 'no',
  account_moved: 'after_fix',
  account_holder_deceased: 'no',
  currency_not_accepted: 'after_fix',
  name_mismatch: 'after_fix',
  reference_needed: 'after_fix',
  refused_by_recipient: 'no',
  invalid_recipient: 'after_fix',
  rejected_by_bank: 'yes',
  cancelled: 'yes',
  other: 'no',
}

export const FailureCode = Words(FAILURE_CODES, {
  'x-open': true,
  description:
    'Why, as a word for programs. More words may be added: take one that you do not know for `other`. Set when `failed`, `cancelled` or `returned`.',
})

export const Retry = Words(RETRIES, {
  description:
    'Whether a new payout, under a new key, can help. `yes`: with the same details. `after_fix`: with other details. `no`: ask the recipient first. Set with `failure_code`.',
})
