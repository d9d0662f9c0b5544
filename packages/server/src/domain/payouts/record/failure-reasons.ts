// Why a payout did not stay with its recipient, as a word for programs and in plain words for people. The bank's own text is
// stored beside them.
import { type FailureCode, NEVER_PAID, type PayoutStatus, RETRY, type Retry } from '@kestrel/contract'

import type { PayoutRow } from '../../../storage/payouts.ts'

interface Reason {
  /** The codes of the scheme, of ISO 20022 and of returns that mean it. */
  readonly codes: RegExp
  /** Null: nothing more can be said than the general sentence. */
  readonly words: string | null
}

/** What the codes in the bank's text mean. A text without any of them is `other`. */
const REASONS: Readonly<Record<Exclude<FailureCode, 'cancelled' | 'other'>, Reason>> = {
  account_not_found: {
    codes: /\b(1114|AC01|AC03|PY01|CB_FailedModulusCheck|00000001)\b/,
    words: 'The bank rejected the account details: the sort code or account number is not known.',
  },
  account_closed: { codes: /\b(1160|AC07|00000002)\b/, words: 'The account is closed.' },
  account_blocked: { codes: /\b(1161|AC06|00000003)\b/, words: 'The account is blocked.' },
  name_mismatch: {
    codes: /\b(1162|CB_AccountNameAndNumberMismatch|00000006)\b/,
    words: 'The name does not match the account.',
  },
  reference_needed: {
    codes: /\b(1163|1164|CB_PaymentReferenceMissing|CB_PaymentReferenceIncorrect|00000005)\b/,
    words: 'The account needs a reference that the payment did not have.',
  },
  account_moved: {
    codes: /\b(1166|CB_AccountSwitched|00000012)\b/,
    words: 'The account has moved to another bank.',
  },
  currency_not_accepted: { codes: /\b(1165|AC09)\b/, words: 'The account does not take pounds.' },
  account_holder_deceased: {
    codes: /\b(1167|MD09)\b/,
    words: 'The account cannot be paid any more: ask the recipient’s family.',
  },
  refused_by_recipient: {
    codes: /\b(1100|1169|1170|AG01)\b/,
    words: 'The recipient’s bank does not take this payment for the account.',
  },
  // Something at a bank or between banks, and not with the account.
  rejected_by_bank: { codes: /\b(1168|1172|1181|1909|1930|9909|991[0-3]|BE08|MS03)\b/, words: null },
}

/** The failure of a payout, from how it ended and what the bank said. Null while it has not failed. */
export function failureCodeOf(status: PayoutStatus, bankReason: string | null): FailureCode | null {
  if (GENERAL[status] === null) return null
  const known = reasonIn(bankReason)
  if (known !== null) return known
  if (status === 'cancelled') return 'cancelled'
  return status === 'failed' && bankReason === null ? 'rejected_by_bank' : 'other'
}

/** What a payout tells of its failure. A program of the release before, still running, ends payouts without a code. */
export function failureOf(payout: Pick<PayoutRow, 'status' | 'failureCode' | 'bankReason'>): {
  code: FailureCode | null
  retry: Retry | null
} {
  const code = payout.failureCode ?? failureCodeOf(payout.status, payout.bankReason)
  return { code, retry: code === null ? null : RETRY[code] }
}

function reasonIn(bankReason: string | null): keyof typeof REASONS | null {
  const codes = Object.keys(REASONS) as (keyof typeof REASONS)[]
  return codes.find((code) => REASONS[code].codes.test(bankReason ?? '')) ?? null
}

const GENERAL: Readonly<Record<PayoutStatus, string | null>> = {
  pending: null,
  processing: null,
  completed: null,
  failed: 'The bank could not deliver the payment.',
  cancelled: 'The payment was cancelled before it was sent.',
  returned: 'The recipient’s bank sent the payment back.',
}

/** `isBack`: whether the money is in the wallet again, or still on its way there. */
export function plainReason(status: PayoutStatus, bankReason: string | null, isBack: boolean): string | null {
  const general = GENERAL[status]
  if (general === null) return null
  const reason = reasonIn(bankReason)
  const known = reason === null ? null : REASONS[reason].words
  const ending = isBack
    ? 'Nothing was charged and the money is back in the wallet.'
    : 'Nothing was charged and the money is on its way back to the wallet.'
  // A return has its own story: it may have been charged.
  return NEVER_PAID.has(status) ? `${known ?? general} ${ending}` : (known ?? general)
}
