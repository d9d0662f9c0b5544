import { dayInWords } from '../../../core/words.ts'
import type { StoredWarning } from '../../../storage/payout-recipients.ts'

/** An impossible account is a warning on quotes only: live refuses such a payout, and sandbox takes any pair. */
export interface Warning extends Omit<StoredWarning, 'code'> {
  readonly code: StoredWarning['code'] | 'account_check_failed'
}

export function warningInWords({ code, account_last4: last4, at }: Warning): string {
  switch (code) {
    case 'recipient_account_changed':
      return `Different account from last time (ending ${last4}). Check the new one with the recipient by phone.`
    case 'possible_duplicate':
      return `The same amount to this account was paid or asked for on ${at === null ? 'a day before' : dayInWords(new Date(at))}. Check that this is another payment.`
    case 'first_payment_to_account':
      return 'First payment to this account. Check the details with the recipient.'
    case 'account_check_failed':
      return 'This sort code and account number cannot belong together. Check both with the recipient.'
  }
}
