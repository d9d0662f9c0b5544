// Before real money leaves from the dashboard, the sender is mailed a code that fits exactly this payout.
import type { ConfirmCodeRequest } from '@kestrel/contract'

import { formatPence } from '../../../core/money.ts'
import { confirmMail } from '../../../mail/templates/code-mails.ts'
import { recipientName } from '../../../rail/recipient-name.ts'
import { readAvailable } from '../../../storage/ledger.ts'
import { type Confirmer, mailConfirmCode } from '../../access/confirm-codes.ts'
import type { Deps } from '../../deps.ts'
import { type QuoteTerms, quotePayout } from '../../quotes/quote.ts'
import { refuseImpossibleAccount } from '../request/impossible-account.ts'
import { payoutRequest, requestFingerprint } from '../request/payout-request.ts'
import { refuseOverLimit, refuseWhilePaused } from './refuse-for-now.ts'
import { refuseUnfunded } from './unfunded.ts'
import { warningsBefore } from '../warn/warn-before.ts'
import { warningInWords } from '../warn/warning-words.ts'

export interface AskedConfirmation {
  readonly sentTo: string
  readonly expiresAt: Date
  readonly amountGbp: string
  readonly recipientName: string
}

export async function askToConfirm(
  deps: Deps,
  confirmer: Confirmer,
  wanted: { terms: QuoteTerms; body: ConfirmCodeRequest; memberId: string },
): Promise<AskedConfirmation> {
  const request = payoutRequest(wanted.body)
  // What would be refused anyway is refused before a code is mailed.
  const { amount, walletSends } = await quotePayout(deps, wanted.terms, request)
  refuseImpossibleAccount(request.recipient.bank)
  const asked = { terms: wanted.terms, createdVia: 'dashboard', spender: { id: wanted.memberId } } as const
  await refuseWhilePaused(deps, asked)
  await refuseOverLimit(deps, asked, amount)
  refuseUnfunded(walletSends, await readAvailable(deps.db.lookup, wanted.terms))
  const warnings = await warningsBefore(deps, wanted.terms, { recipient: request.recipient, amount })
  const fingerprint = requestFingerprint(deps.secrets, request, amount)
  const shown = { amountGbp: formatPence(amount), recipientName: recipientName(request.recipient) }
  const about = {
    ...shown,
    accountLast4: request.recipient.bank.account_number.slice(-4),
    reference: request.reference,
    businessName: confirmer.businessName,
    warnings: warnings.map(warningInWords),
  }
  const mail = (code: string) => confirmMail({ ...about, code })
  return { ...shown, ...(await mailConfirmCode(deps, confirmer, { fingerprint, mail })) }
}
