// Step two of a payout: registers the recipient if the bank does not know it yet, then asks for the transfer. No
// transaction is open meanwhile, and asking again is safe.
import type { Scope } from '../../../core/scope.ts'
import type { PayoutRail, RegisterAnswer, SubmitAnswer } from '../../../rail/port.ts'
import type { RecipientDetails, TransferSnapshot, WalletAtBank } from '../../../rail/transfer.ts'
import { railNamed } from '../../../rail/which-rail.ts'
import { forgetBankRecipient } from '../../../storage/bank-recipients.ts'
import type { PayoutRow } from '../../../storage/payouts.ts'
import type { Deps } from '../../deps.ts'
import { underEachKey } from '../../secrets/known-keys.ts'
import type { GivenUp, HeldBack } from '../record/held-back.ts'
import { NO_NEWS } from './look-for.ts'
import { keepRecipient } from './keep-recipients.ts'
import { findKnownRecipient } from './known-recipients.ts'
import { madeBefore } from './made-before.ts'
import { recipientFingerprint, transferRequest } from '../request/payout-request.ts'
import { type Concern, tellOnce } from '../record/tell-once.ts'

export type PayoutToSend = Pick<
  PayoutRow,
  | 'id'
  | 'amount'
  | 'walletSends'
  | 'reference'
  | 'statementReference'
  | 'createdAt'
  | 'rail'
  | 'bankAttempt'
  | 'sendAttempts'
  | 'listedBy'
  | 'idempotencyKey'
> & {
  /** Whether the bank has refused another request with this key; absent: not looked up yet. */
  readonly followsRefusal?: boolean
  /** What it was before the request that waits for it; absent when none does. */
  readonly givenUpAs?: GivenUp | null
}

export async function askBank(
  deps: Deps,
  asked: {
    scope: Scope
    account: WalletAtBank | null
    payout: PayoutToSend
    recipient: RecipientDetails
    /** Asked just before the order is sent: whether nobody else can have taken the payout over meanwhile. */
    maySend?: () => boolean | Promise<boolean>
  },
): Promise<SubmitAnswer | HeldBack> {
  const { scope, account, payout, recipient, maySend } = asked
  const rail = railNamed(deps, payout.rail)
  const made = await madeBefore(deps, rail, { scope, account, payout })
  if (made !== null) return made
  const registered = await registerOnce(deps, rail, asked)
  if (registered.kind !== 'registered') {
    if (registered.kind === 'not_sent') await heed(deps, asked, registered)
    return registered
  }
  if (maySend !== undefined && !(await maySend())) {
    return { kind: 'unknown', reason: 'It took too long to ask the bank.', nothingNew: true }
  }
  try {
    const answer = await rail.submit(
      transferRequest(payout, { recipient, account, recipientRef: registered.recipientRef }),
    )
    if (answer.kind === 'not_sent') await heed(deps, asked, answer)
    if (answer.kind === 'accepted') await checkRecipient(deps, asked, { answer, wanted: registered.recipientRef })
    return answer.kind === 'accepted' && payout.sendAttempts > 1 ? await asItStands(rail, answer.transfer) : answer
  } catch (error) {
    // An adapter that throws has proved nothing.
    deps.onAlarm('the rail threw', { payoutId: payout.id, partnerId: scope.partnerId, err: error })
    return { kind: 'unknown', reason: 'The bank did not answer.' }
  }
}

/**
 * Undeliverable at once means that nothing was drawn. What is undeliverable when the request is repeated may have been
 * drawn meanwhile, and then the money is back when the transfer itself says so.
 */
export async function asItStands(rail: PayoutRail, transfer: TransferSnapshot): Promise<SubmitAnswer> {
  if (transfer.state !== 'undeliverable') return { kind: 'accepted', transfer }
  const now = (await rail.readTransfers([transfer.transferRef])).get(transfer.transferRef)
  return now === undefined ? NO_NEWS : { kind: 'accepted', transfer: now }
}

/** Acts on a refusal that says that something of ours is out of date or wrong. */
async function heed(
  deps: Deps,
  { scope, payout, recipient }: { scope: Scope; payout: PayoutToSend; recipient: RecipientDetails },
  { trouble, bankReason }: Pick<Extract<SubmitAnswer, { kind: 'not_sent' }>, 'trouble' | 'bankReason'>,
): Promise<void> {
  if (trouble === 'rate') deps.rates.discard(payout.rail)
  if (trouble === 'recipient') {
    await deps.db.inTransaction(async (tx) => forgetBankRecipient(tx, scope, fingerprintsOf(deps, recipient)))
  }
  if (trouble !== 'funds' && trouble !== 'account') return
  const concern: Concern =
    trouble === 'funds'
      ? // The money was reserved in our books before the bank was asked, so its wallet holds less than they say.
        { what: 'the bank’s wallet does not hold what our books say', payoutId: payout.id }
      : { what: 'the bank refuses a partner’s payouts', payoutId: payout.id, detail: { why: bankReason ?? '' } }
  await tell(deps, scope, concern)
}

/** The bank has it, so it is followed whoever is paid; a person must hear of it while it may still be stopped. */
async function checkRecipient(
  deps: Deps,
  { scope, payout }: { scope: Scope; payout: PayoutToSend },
  { answer, wanted }: { answer: Extract<SubmitAnswer, { kind: 'accepted' }>; wanted: string | null },
): Promise<void> {
  const { transferRef, recipientRef } = answer.transfer
  if (recipientRef === undefined || recipientRef === wanted) return
  const what = 'the bank pays another recipient than we asked for'
  await tell(deps, scope, { what, payoutId: payout.id, detail: { transferRef } })
}

async function tell(deps: Deps, scope: Scope, concern: Concern): Promise<void> {
  await deps.db
    .inTransaction((tx) => tellOnce(deps, tx, scope, [concern]))
    .catch((error: unknown) => deps.onAlarm(concern.what, { ...scope, payoutId: concern.payoutId, err: error }))
}

function fingerprintsOf(deps: Deps, recipient: RecipientDetails): Buffer[] {
  return underEachKey(deps.secrets).map((each) => recipientFingerprint(each, recipient))
}

async function registerOnce(
  deps: Deps,
  rail: PayoutRail,
  asked: { scope: Scope; account: WalletAtBank | null; recipient: RecipientDetails },
): Promise<RegisterAnswer> {
  const { scope, account, recipient } = asked
  if (!rail.has.wallets) return { kind: 'registered', recipientRef: null }
  if (account === null) return { kind: 'not_sent', reason: 'The account is not connected to the bank yet.' }
  const fingerprints = fingerprintsOf(deps, recipient)
  const known = await findKnownRecipient(deps, scope, fingerprints)
  if (known !== null) return { kind: 'registered', recipientRef: known }
  // One key per minute, so that two payouts at once register the recipient once. What was refused may be taken a minute
  // later, and its key would give the refusal again.
  const key = `recipient:${deps.clock.now().toISOString().slice(0, 16)}`
  const answer = await rail.registerRecipient(account, recipient, key)
  if (answer.kind !== 'registered' || answer.recipientRef === null) return answer
  const registered = { scope, fingerprints, recipientRef: answer.recipientRef, at: deps.clock.now() }
  return { kind: 'registered', recipientRef: await keepRecipient(deps, registered) }
}
