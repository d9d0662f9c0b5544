// Why a payout did not stay with its recipient, in plain words. The bank's own text is stored beside them.
import { NEVER_PAID, type PayoutStatus } from '@kestrel/contract'

/** Scheme codes that mean something to the reader; any other text falls back to the general sentence. */
const PLAIN: readonly (readonly [RegExp, string])[] = [
  [/\b(1114|AC03|00000001)\b/, 'The bank rejected the account details: the sort code or account number is not known.'],
  [/\b(1160|AC07|00000002)\b/, 'The account is closed.'],
  [/\b(1161|AC06|00000003)\b/, 'The account is blocked.'],
  [/\b(1162|00000006)\b/, 'The name does not match the account.'],
  [/\b(1163|1164|00000005)\b/, 'The account needs a reference that the payment did not have.'],
  [/\b(1166|00000012)\b/, 'The account has moved to another bank.'],
]

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
  const known = PLAIN.find(([code]) => code.test(bankReason ?? ''))?.[1]
  const ending = isBack
    ? 'Nothing was charged and the money is back in the wallet.'
    : 'Nothing was charged and the money is on its way back to the wallet.'
  // A return has its own story: it may have been charged.
  return NEVER_PAID.has(status) ? `${known ?? general} ${ending}` : (known ?? general)
}
