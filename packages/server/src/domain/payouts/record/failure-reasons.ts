// Why a payout did not stay with its recipient, as a word for programs and in plain words for people. The bank's own text is
// stored beside them.
import { type FailureCode, NEVER_PAID, type PayoutStatus, RETRY, type Retry } from '@kestrel/contract'

import type { PayoutRow } from '../../../storage/payouts.ts'

interface Reason {
  /** The codes of ISO 20022 and of banks that mean it, wherever they stand. */
  readonly codes: readonly string[]
  /** The scheme's numbers that mean it. In the middle of a text a number may be anything, such as an amount or a year. */
  readonly numbers: readonly string[]
  /** Null: nothing more can be said than the general sentence. */
  readonly words: string | null
}

/** What the codes in the bank's text mean. The database's `failure_code_of` says the same: a test compares the two. */
const REASONS: Readonly<Record<Exclude<FailureCode, 'cancelled' | 'other'>, Reason>> = {
  account_not_found: {
    codes: ['AC01', 'AC03', 'PY01', 'CB_FailedModulusCheck'],
    numbers: ['1114', '00000001'],
    words: 'The bank rejected the account details: the sort code or account number is not known.',
  },
  account_closed: { codes: ['AC07'], numbers: ['1160', '00000002'], words: 'The account is closed.' },
  account_blocked: { codes: ['AC06'], numbers: ['1161', '00000003'], words: 'The account is blocked.' },
  name_mismatch: {
    codes: ['CB_AccountNameAndNumberMismatch'],
    numbers: ['1162', '00000006'],
    words: 'The name does not match the account.',
  },
  reference_needed: {
    codes: ['CB_PaymentReferenceMissing', 'CB_PaymentReferenceIncorrect'],
    numbers: ['1163', '1164', '00000005'],
    words: 'The account needs a reference that the payment did not have.',
  },
  account_moved: {
    codes: ['CB_AccountSwitched'],
    numbers: ['1166', '00000012'],
    words: 'The account has moved to another bank.',
  },
  currency_not_accepted: {
    codes: ['AC09'],
    numbers: ['1165', '00000008'],
    words: 'The account does not take pounds.',
  },
  account_holder_deceased: {
    codes: ['MD09'],
    numbers: ['1167', '00000004'],
    words: 'The account cannot be paid any more: ask the recipient’s family.',
  },
  refused_by_recipient: {
    codes: ['AG01'],
    numbers: ['1100', '1169', '1170', '00000009', '00000010', '00000013'],
    words: 'The recipient’s bank does not take this payment for the account.',
  },
  // No bank has a code for it: it is known by how the payout was refused.
  invalid_recipient: { codes: [], numbers: [], words: 'The bank does not pay this recipient.' },
  // Something at a bank or between banks, and not with the account.
  rejected_by_bank: {
    codes: ['BE08', 'MS03'],
    numbers: ['1168', '1172', '1181', '1909', '1930', '9909', '9910', '9911', '9912', '9913', '00000011'],
    words: null,
  },
}

/** What stands for the bank's text where the operator has ended a doubt: the bank never had the payout. */
export const RELEASED = 'released by the operator'

/**
 * What stands before the bank's words where it refuses what it had left us in doubt about: for the account, for the recipient, whom
 * it does not pay, or for anything else.
 */
const REFUSED_FOR = {
  account: { before: 'refused after doubt, for the account: ', code: 'account_not_found' },
  // The code of the error that refuses such a payout at once.
  recipient: { before: 'refused after doubt, for the recipient: ', code: 'invalid_recipient' },
  order: { before: 'refused after doubt: ', code: 'rejected_by_bank' },
} as const
export type RefusedFor = keyof typeof REFUSED_FOR

/** What stands for the bank's text where a refusal ends a doubt: its own words may have no code. */
export function refusedAfterDoubt(words: string, what: RefusedFor): string {
  return `${REFUSED_FOR[what].before}${words}`
}

/** The failure of a payout, from how it ended and what the bank said. Null while it has not failed. */
export function failureCodeOf(status: PayoutStatus, bankReason: string | null): FailureCode | null {
  if (GENERAL[status] === null) return null
  const known = reasonIn(bankReason)
  if (known !== null) return known
  if (status === 'cancelled') return 'cancelled'
  return status === 'failed' && (bankReason === null || bankReason === RELEASED) ? 'rejected_by_bank' : 'other'
}

/** What a payout tells of its failure. */
export function failureOf({ status, bankReason }: Pick<PayoutRow, 'status' | 'bankReason'>): {
  code: FailureCode | null
  retry: Retry | null
} {
  const code = failureCodeOf(status, bankReason)
  return { code, retry: code === null ? null : RETRY[code] }
}

const WITH_CODES = (Object.keys(REASONS) as (keyof typeof REASONS)[]).filter((each) => REASONS[each].codes.length > 0)

const MEANINGS = WITH_CODES.map((meaning) => {
  const { codes, numbers } = REASONS[meaning]
  // Spaces and letters are those of ASCII: of others the database has its own opinion. A number counts in brackets, after a colon, or at the beginning.
  const code = `(?:^|[^A-Za-z0-9_])(?:${codes.join('|')})(?=$|[^A-Za-z0-9_])`
  const number = String.raw`(?:^|[(:])[ \t\r\n]*(?:${numbers.join('|')})(?=$|[ \t\r\n):,;])`
  return { code: meaning, says: new RegExp(`${code}|${number}`) }
})

function reasonIn(bankReason: string | null): keyof typeof REASONS | null {
  const words = bankReason ?? ''
  const named = MEANINGS.find(({ says }) => says.test(words))?.code
  if (named !== undefined) return named
  return Object.values(REFUSED_FOR).find(({ before }) => words.startsWith(before))?.code ?? null
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
