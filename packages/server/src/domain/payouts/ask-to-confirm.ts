// Before real money leaves from the dashboard, whoever sends it is mailed a code that fits exactly this payout.
import type { ConfirmCodeRequest } from '@kestrel/contract'

import { after } from '../../core/clock.ts'
import { newId, randomSixDigits } from '../../core/ids.ts'
import { formatPence } from '../../core/money.ts'
import { confirmMail } from '../../mail/templates/code-mails.ts'
import { putConfirmCode } from '../../storage/confirm-codes.ts'
import { readAvailable } from '../../storage/ledger.ts'
import { mayAskToConfirm } from '../access/sign-in-limits.ts'
import type { Deps } from '../deps.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { type QuoteTerms, quotePayout } from '../quotes/quote.ts'
import { type Confirmer, confirmCodeHash } from './confirm-payout.ts'
import { refuseImpossibleAccount } from './impossible-account.ts'
import { payoutRequest, recipientName, requestFingerprint } from './payout-request.ts'
import { refuseUnfunded } from './unfunded.ts'
import { warningsBefore } from './warn-before.ts'
import { warningInWords } from './warning-words.ts'

const LASTS_MS = 5 * 60_000

export interface AskedConfirmation {
  readonly sentTo: string
  readonly expiresAt: Date
  readonly amountGbp: string
  readonly recipientName: string
}

export async function askToConfirm(
  deps: Deps,
  confirmer: Confirmer & { readonly businessName: string },
  wanted: { terms: QuoteTerms; body: ConfirmCodeRequest },
): Promise<AskedConfirmation> {
  const request = payoutRequest(wanted.body)
  // What would be refused anyway is refused before anybody is asked to confirm it.
  const { amount, walletSends } = await quotePayout(deps, wanted.terms, request)
  refuseImpossibleAccount(request.recipient.bank)
  refuseUnfunded(walletSends, await readAvailable(deps.db.lookup, wanted.terms))
  const warnings = await warningsBefore(deps, wanted.terms, { recipient: request.recipient, amount })
  const fingerprint = requestFingerprint(deps.secrets, request, amount)
  const code = randomSixDigits()
  const at = deps.clock.now()
  const expiresAt = after(at, LASTS_MS)
  const shown = { amountGbp: formatPence(amount), recipientName: recipientName(request.recipient) }
  const content = confirmMail({
    ...shown,
    code,
    accountLast4: request.recipient.bank.account_number.slice(-4),
    reference: request.reference,
    businessName: confirmer.businessName,
    warnings: warnings.map(warningInWords),
  })
  await deps.db.inTransaction(async (tx) => {
    await mayAskToConfirm(tx, deps, `${confirmer.partnerId}/${confirmer.email}`)
    const codeHash = confirmCodeHash(deps.secrets, confirmer, fingerprint, code)
    putConfirmCode(tx, confirmer, { id: newId(at), fingerprint, codeHash, createdAt: at, expiresAt })
    queueMail(tx, deps, { kind: 'confirm_code', mail: { to: confirmer.email, ...content }, usefulUntil: expiresAt })
  })
  deps.post.wake()
  return { ...shown, sentTo: masked(confirmer.email), expiresAt }
}

/** Enough to recognise one's own address, and no more. */
function masked(email: string): string {
  return email.replace(/^(.).*(@[^@]+)$/, '$1•••$2')
}
