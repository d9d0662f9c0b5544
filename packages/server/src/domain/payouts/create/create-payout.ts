// POST /v1/payouts in three steps that never overlap: reserve (one transaction), ask the bank (none open), record
// (one transaction). What happens in between, whatever it is, never pays twice and never loses a hold. Where there is no
// bank to ask, all of it is one transaction.
import { type CreatePayoutRequest, statementReference } from '@kestrel/contract'

import { after } from '../../../core/clock.ts'
import { AppError } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { keyId } from '../../../core/seal.ts'
import { type MicroUsdc, formatUsdcSent, parsePence } from '../../../core/money.ts'
import type { SubmitAnswer } from '../../../rail/port.ts'
import { recipientName } from '../../../rail/recipient-name.ts'
import type { NewPayout } from '../../../storage/payout-reservations.ts'
import type { PayoutRow } from '../../../storage/payouts.ts'
import { hasRefusedAttempt } from '../../../storage/refused-attempts.ts'
import { bankAccountOf, findWallet } from '../../../storage/wallets.ts'
import type { AssumedHolder } from '../../api-keys/assumed-holder.ts'
import type { Deps } from '../../deps.ts'
import { type Quote, type QuoteTerms, quotePayout } from '../../quotes/quote.ts'
import { askBank } from '../ask/ask-bank.ts'
import { type HeldBack, madeAlready, ofThisRequest, refusalOf, unasked } from '../record/held-back.ts'
import { type Waiting, afterFirstRequest, waitPerKey, firstStillRunning } from './wait-for-first-request.ts'
import type { Payout } from '../payout.ts'
import type { PayoutLanes } from './payout-lanes.ts'
import {
  type PayoutRequest,
  fieldsThatDiffer,
  isSameRequest,
  olderRequestFingerprints,
  payoutRequest,
  recipientFingerprint,
  requestFingerprint,
  sealRecipient,
} from '../request/payout-request.ts'
import { olderRecipientMarks, recipientMarks } from '../warn/recipient-marks.ts'
import { refuseImpossibleAccount } from '../request/impossible-account.ts'
import { refuseOverLimit, refuseWhilePaused, refuseWithoutKey } from './refuse-for-now.ts'
import { type ReservedPayout, reservedPayout } from './reserved-payout.ts'
import { LEASE_MS } from './reserve-payouts.ts'
import { foretoldOf } from './sent-at-once.ts'
import { unfunded } from './unfunded.ts'

export type PayoutDeps = Deps & { readonly lanes: PayoutLanes }

/** A bank that does not say how long to wait is back in a moment. */
const SOON_SECONDS = 5

export interface CreatePayout {
  readonly terms: QuoteTerms
  readonly idempotencyKey: string
  readonly body: CreatePayoutRequest
  readonly createdVia: 'api' | 'dashboard'
  /** The start of the API key, or the member's email. */
  readonly createdBy: string
  /** The API key that it is asked for with; null for a member. */
  readonly keyId: string | null
  /** Whom the key belongs to, where it was not looked up; null: it was. */
  readonly assumed: AssumedHolder | null
  /** Whose spending limit it counts against, and whether the account has any. */
  readonly spender: { readonly id: string; readonly isLimited: boolean }
  /** The caller's limit: refuse rather than send more than this, because the rate may have moved since the quote. */
  readonly mostToSend: MicroUsdc | null
  /** The id of the request; its events say so. */
  readonly requestId?: string | undefined
}

export type CreatedPayout =
  | { readonly isReplay: false; readonly payout: Payout; readonly quote: Quote }
  | { readonly isReplay: true; readonly payout: Payout }

export async function createPayout(deps: PayoutDeps, wanted: CreatePayout): Promise<CreatedPayout> {
  const request = payoutRequest(wanted.body)
  const waiting = waitPerKey(deps.clock, { scope: wanted.terms, idempotencyKey: wanted.idempotencyKey })
  for (let attempt = 0; ; attempt++) {
    // On a retry, reload the rail: the wallet may have been connected to the bank meanwhile. Who asks is certain by then.
    const input = attempt === 0 ? wanted : { ...wanted, assumed: null, terms: await currentTerms(deps, wanted.terms) }
    const reserved = await quoteAndReserve(deps, input, { request, waiting }).catch((error: unknown) =>
      replayOrRefuse(deps, input, { request, waiting, error }),
    )
    if (reserved.kind === 'replay') return { isReplay: true, payout: reserved.row }
    if (reserved.kind === 'sent') return { isReplay: false, payout: reserved.row, quote: reserved.quote }
    if (reserved.kind === 'reserved') {
      const { payout, quote } = reserved
      const { terms } = input
      const sendBefore = after(payout.createdAt, LEASE_MS)
      const maySend = () => deps.clock.now() < sendBefore
      const asked = { scope: terms, account: terms.account, payout, recipient: request.recipient, maySend }
      return record(deps, input, { payout, quote, answer: await askBank(deps, asked) })
    }
    // Whatever is in the way each time: nobody asks for ever.
    waiting.refuseIfOver()
  }
}

async function currentTerms(deps: Deps, terms: QuoteTerms): Promise<QuoteTerms> {
  const wallet = await findWallet(deps.db.lookup, terms)
  return wallet === null ? terms : { ...terms, rail: wallet.rail, account: bankAccountOf(wallet) }
}

async function quoteAndReserve(
  deps: PayoutDeps,
  input: CreatePayout,
  { request, waiting }: { request: PayoutRequest; waiting: Waiting },
): Promise<ReserveResult> {
  const quote = await quotePayout(deps, input.terms, request, (rail) => {
    // Checked before the bank is asked for a rate: an impossible payment needs none.
    if (input.terms.environment === 'live') refuseImpossibleAccount(request.recipient.bank)
    return deps.rates.forPaying(rail)
  })
  refuseIfRateMoved(quote, input.mostToSend)
  return reserve(deps, input, { request, quote, waiting })
}

/**
 * Business rules come after the key. A repeated request must not fail because limits or rates changed since, and must
 * not be told that nothing was sent while the first one is with the bank.
 */
async function replayOrRefuse(
  deps: PayoutDeps,
  input: CreatePayout,
  { request, waiting, error }: { request: PayoutRequest; waiting: Waiting; error: unknown },
): Promise<ReserveResult> {
  if (!(error instanceof AppError)) throw error
  await input.assumed?.prove()
  const row = await afterFirstRequest(deps, waiting, { scope: input.terms, idempotencyKey: input.idempotencyKey })
  if (row === null) throw await refusalToTell(deps, input, error)
  return { kind: 'replay', row: sameRequestOrRefuse(deps, row, request) }
}

/**
 * Without a rate no payout can be created; that has an error code of its own (spec, part 3). Where the bank has refused an
 * earlier attempt with this key, a refusal speaks of this request alone.
 */
async function refusalToTell(
  deps: PayoutDeps,
  { terms, idempotencyKey }: CreatePayout,
  error: AppError,
): Promise<AppError> {
  const isWithoutRate = error.code === 'bank_unavailable'
  if (await hasRefusedAttempt(deps.db.lookup, terms, idempotencyKey)) {
    return isWithoutRate ? unasked() : ofThisRequest(error)
  }
  if (!isWithoutRate) return error
  return new AppError('payout_not_created', `${error.message} Retry with the same Idempotency-Key.`, {
    retryAfterSeconds: error.retryAfterSeconds ?? SOON_SECONDS,
  })
}

function refuseIfRateMoved(quote: Quote, mostToSend: MicroUsdc | null): void {
  if (mostToSend === null || quote.walletSends <= mostToSend) return
  const now = formatUsdcSent(quote.walletSends)
  throw new AppError(
    'rate_moved',
    `At the current rate the wallet would send ${now} USDC, more than the ${formatUsdcSent(mostToSend)} of Max-Wallet-Debit-USDC. Nothing was sent.`,
    { details: { wallet_sends_usdc: now, max_wallet_debit_usdc: formatUsdcSent(mostToSend) } },
  )
}

type ReserveResult =
  | { readonly kind: 'reserved'; readonly payout: ReservedPayout; readonly quote: Quote }
  | { readonly kind: 'sent'; readonly row: PayoutRow; readonly quote: Quote }
  | { readonly kind: 'replay'; readonly row: PayoutRow }
  | { readonly kind: 'again' }

async function reserve(
  deps: PayoutDeps,
  input: CreatePayout,
  attempt: { request: PayoutRequest; quote: Quote; waiting: Waiting },
): Promise<ReserveResult> {
  const payout = newPayout(deps, input, attempt)
  const foretold = foretoldOf(deps, input, { payout, recipient: attempt.request.recipient })
  const result = await deps.lanes.reserve(input.terms, payout, foretold)
  if (result.kind === 'sent' || result.kind === 'reserved') input.assumed?.isProven()
  else await input.assumed?.prove()
  switch (result.kind) {
    case 'sent':
      return { kind: 'sent', row: result.row, quote: attempt.quote }
    case 'reserved':
      return { kind: 'reserved', payout: reservedPayout(payout, result), quote: attempt.quote }
    case 'closed':
      throw madeAlready(result.row.id)
    case 'unfunded':
      throw unfunded(payout.walletSends, result.available)
    case 'keyless':
      await refuseWithoutKey(deps, input)
      return { kind: 'again' }
    case 'paused':
      await refuseWhilePaused(deps, input)
      return { kind: 'again' }
    case 'over_limit':
      await refuseOverLimit(deps, input, attempt.quote.amount)
      return { kind: 'again' }
    case 'failed':
      throw result.error
    case 'retry':
    case 'moved':
      return { kind: 'again' }
    case 'taken':
      if (result.row.surfacedAt !== null) {
        return { kind: 'replay', row: sameRequestOrRefuse(deps, result.row, attempt.request) }
      }
      await afterFirstRequest(deps, attempt.waiting, { scope: input.terms, idempotencyKey: input.idempotencyKey })
      return { kind: 'again' }
  }
}

function newPayout(deps: Deps, input: CreatePayout, attempt: { request: PayoutRequest; quote: Quote }): NewPayout {
  const { request, quote } = attempt
  const id = newId(deps.clock.now())
  return {
    id,
    idempotencyKey: input.idempotencyKey,
    fingerprint: requestFingerprint(deps.secrets, request, quote.amount),
    olderFingerprints: olderRequestFingerprints(deps.secrets, request, quote.amount),
    fingerprintKey: keyId(deps.secrets.fingerprintKey),
    createdVia: input.createdVia,
    createdBy: input.createdBy,
    keyId: input.keyId,
    holderVersion: input.assumed?.version ?? null,
    spenderId: input.spender.id,
    isLimited: input.spender.isLimited,
    amount: quote.amount,
    country: request.country,
    reference: request.reference,
    statementReference: statementReference(request.reference),
    recipientName: recipientName(request.recipient),
    accountLast4: request.recipient.bank.account_number.slice(-4),
    recipientSealed: sealRecipient(deps.secrets, request.recipient, id),
    recipientFingerprint: recipientFingerprint(deps.secrets, request.recipient),
    marks: recipientMarks(deps.secrets, request.recipient),
    olderMarks: olderRecipientMarks(deps.secrets, request.recipient),
    gbpPerUsd: quote.rate.text,
    fee: quote.fee.total,
    feeInTransfer: quote.fee.inTransfer,
    feeOnInvoice: quote.fee.onInvoice,
    walletSends: quote.walletSends,
    rail: input.terms.rail,
    leaseToken: newId(deps.clock.now()),
  }
}

async function record(
  deps: PayoutDeps,
  input: CreatePayout,
  made: { payout: ReservedPayout; quote: Quote; answer: SubmitAnswer | HeldBack },
): Promise<CreatedPayout> {
  const { payout, quote, answer } = made
  const { row, isOurs } = await deps.lanes.record(input.terms, {
    payoutId: payout.id,
    leaseToken: payout.leaseToken,
    requestId: input.requestId,
    answer,
    isFirstHand: true,
    asRead: payout.asRead,
  })
  if (row.surfacedAt !== null) return { isReplay: false, payout: row, quote }
  // Our lease ran out and another worker is asking the bank now: only that worker will know.
  if (!isOurs && row.sendState === 'sending') throw firstStillRunning()
  if (answer.kind === 'held_back') throw refusalOf(answer, deps.clock.now())
  if (row.sendState === 'rejected') throw rejection(answer)
  throw new AppError(
    'payout_not_created',
    `${answer.kind === 'not_sent' ? answer.reason : 'The bank could not be asked.'} Nothing was sent. Retry with the same Idempotency-Key.`,
    { retryAfterSeconds: answer.kind === 'not_sent' ? secondsToWait(answer) : SOON_SECONDS },
  )
}

/** Blames the account only where the bank does. */
function rejection(answer: SubmitAnswer): AppError {
  if (answer.kind === 'rejected' && answer.wrong !== undefined) {
    const { fields, why } = answer.wrong
    const missing = fields.map((field) => `${field} (as the bank takes it)`)
    return new AppError(
      'invalid_recipient',
      `${why} Nothing was sent. Correct ${fields.join(', ')}, or write to support.`,
      { details: { missing } },
    )
  }
  return new AppError(
    'recipient_account_rejected',
    'The bank does not accept this account. Nothing was sent. Check the sort code and account number with the recipient.',
  )
}

function sameRequestOrRefuse(deps: Deps, row: PayoutRow, request: PayoutRequest): PayoutRow {
  // Limits do not matter here: the only question is whether it is the same request.
  const amount = parsePence(request.amountGbp)
  if (amount !== null && isSameRequest(deps.secrets, row, request, amount)) return row
  const fields = amount === null ? ['amount_gbp'] : fieldsThatDiffer(deps.secrets, row, request, amount)
  throw new AppError(
    'idempotency_key_reused',
    `This Idempotency-Key belongs to payout ${row.id}, which was asked for with another body (${fields.join(', ')}). Use a new key for a new payout.`,
    { details: { payout_id: row.id, fields } },
  )
}

/** As long as the bank asks for, if it asks for longer. */
function secondsToWait({ retryAfterMs = 0 }: { readonly retryAfterMs?: number }): number {
  return Math.max(SOON_SECONDS, Math.ceil(retryAfterMs / 1_000))
}
