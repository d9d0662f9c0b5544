// Why a payout did not stay with its recipient, as words for programs. No schema library is imported here: the dashboard takes
// these values into the browser.

export const FAILURE_CODES = [
  'account_not_found',
  'account_closed',
  'account_blocked',
  'account_moved',
  'account_holder_deceased',
  'currency_not_accepted',
  'name_mismatch',
  'reference_needed',
  'refused_by_recipient',
  'invalid_recipient',
  'rejected_by_bank',
  'cancelled',
  'other',
] as const
export type FailureCode = (typeof FAILURE_CODES)[number]
