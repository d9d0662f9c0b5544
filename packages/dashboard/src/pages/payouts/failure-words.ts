import type { FailureCode } from '@kestrel/contract/failure-codes'

/** Why a payout did not stay with its recipient, as a filter names it. */
export const FAILURE_WORDS: Readonly<Record<FailureCode, string>> = {
  account_not_found: 'Account not found',
  account_closed: 'Account closed',
  account_blocked: 'Account blocked',
  account_moved: 'Account moved',
  account_holder_deceased: 'Account holder deceased',
  currency_not_accepted: 'Takes no pounds',
  name_mismatch: 'Name does not match',
  reference_needed: 'Reference needed',
  refused_by_recipient: 'Refused for the account',
  invalid_recipient: 'Recipient not paid by the bank',
  rejected_by_bank: 'Trouble at a bank',
  cancelled: 'Cancelled',
  other: 'Other',
}
