// Payments through the bank: one adapter, configured twice (for its sandbox and for production).
import { formatPence, formatUsdcSent } from '../../core/money.ts'
import { pages } from '../../core/pages.ts'
import { isConceivable, parseRate } from '../../core/rate.ts'
import {
  type BusyBank,
  type CancelAnswer,
  type PayoutRail,
  RailUnavailable,
  type RateReading,
  ROWS_COME_WITHIN_MS,
  type SubmitAnswer,
  UnreadableAnswer,
  type WrongDetails,
} from '../port.ts'
import type {
  FoundTransfers,
  ListedTransfer,
  SoughtTransfer,
  TransferPage,
  TransferRequest,
  UnreadTransfer,
} from '../transfer.ts'
import { asObject, text } from './json-words.ts'
import { type UnreadRow, idIn, readEach } from './list-rows.ts'
import { askForChanges } from './list-windows.ts'
import type { ProviderClient, ProviderReply } from './provider-client.ts'
import { readListed, readTransfers } from './read-transfers.ts'
import { isStillThere, oursToMend, registerRecipient } from './register-recipient.ts'
import { type Refusal, isAboutKey, isDuplicate, refusalIn, wrongInBody } from './refusal-words.ts'
import { STATE_WORDS, isAddition, listedTransfer } from './transfer-words.ts'

/** The bank answers a repeated key with its first answer for 24 hours. We keep an hour as a margin. */
const REMEMBERS_FOR_MS = 23 * 60 * 60 * 1_000
/** The bank renews its rates about this often. */
const RATE_VALID_FOR_MS = 30_000

const RECIPIENT_FIELD = 'destination.external_account_id'
/** What fails the bank's screening is no fault of the account's digits. */
const SCREENED: WrongDetails = { fields: ['recipient'], why: 'The bank does not pay this recipient.' }

/** A 403 with one of these is about the payment; with any other code, or none, it is about our credentials. */
const FORBIDDEN_CODES = /aml_violation|^customer_|kyc|endorsement/

const REFUSED_CANCEL: ReadonlySet<number> = new Set([400, 404, 405, 409, 410, 422])

/** The bank's two sides: its sandbox, and where real money moves. */
export type ProviderRailName = 'provider_sandbox' | 'provider_production'

/** What the rail is, connected or not. */
export function providerTraits(name: ProviderRailName): Pick<PayoutRail, 'name' | 'has' | 'words'> {
  return { name, has: { wallets: true, lists: true, testMoney: name === 'provider_sandbox' }, words: STATE_WORDS }
}

export function createProviderRail(name: ProviderRailName, client: ProviderClient): PayoutRail {
  return {
    ...providerTraits(name),
    remembersForMs: REMEMBERS_FOR_MS,
    registerRecipient: (account, recipient, key) => registerRecipient(client, { account, recipient, key }),
    submit: (request) => submit(client, request),
    readTransfers: (refs, onBusy) => readTransfers(client, refs, onBusy),
    readListed: (ref, onAddition) => readListed(client, ref, onAddition),
    findTransfers: (request) => findTransfers(client, request),
    listTransfers: (since, cursor) => listTransfers(client, since, cursor),
    cancelTransfer: (ref) => cancelTransfer(client, ref),
    readRate: () => readRate(client),
  }
}

function postTransfer(client: ProviderClient, request: TransferRequest): Promise<ProviderReply> {
  const account = request.account!
  return client.call({
    method: 'POST',
    path: '/transfers',
    // The same at every repeat of an attempt: however often the bank is asked, it acts once.
    idempotencyKey: request.attempt === 1 ? request.clientReference : `${request.clientReference}:${request.attempt}`,
    body: {
      client_reference_id: request.clientReference,
      on_behalf_of: account.holderRef,
      developer_fee: '0.0',
      source: {
        payment_rail: 'bridge_wallet',
        currency: 'usdc',
        bridge_wallet_id: account.walletRef,
        amount: formatUsdcSent(request.walletSends),
      },
      destination: {
        payment_rail: 'faster_payments',
        currency: 'gbp',
        external_account_id: request.recipientRef,
        amount: formatPence(request.receive),
        ...(request.statementReference === null ? {} : { reference: request.statementReference }),
      },
    },
  })
}

/**
 * An order that is refused for its recipient is asked about once more: a recipient that the bank no longer has, or has
 * deactivated, is ours to register anew, and no fault of the account.
 */
async function submit(client: ProviderClient, request: TransferRequest): Promise<SubmitAnswer> {
  const reply = await postTransfer(client, request)
  const answer = submitAnswer(reply, request)
  const isForRecipient =
    answer.kind === 'rejected' &&
    reply.kind === 'answered' &&
    wrongInBody(refusalIn(reply.body)).includes(RECIPIENT_FIELD)
  if (!isForRecipient) return answer
  const { account, recipientRef } = request
  const isThere = await isStillThere(client, { account: account!, recipientRef: recipientRef! })
  if (isThere === true) return answer
  const reason = 'The bank does not have this recipient any more.'
  return { kind: 'not_sent', reason, isVerdict: true, ...(isThere === false ? { trouble: 'recipient' } : {}) }
}

/** Four answers that are never merged. What is not certain is unknown. */
function submitAnswer(reply: ProviderReply, request: TransferRequest): SubmitAnswer {
  if (reply.kind !== 'answered') return reply
  const { status, body } = reply
  if (status >= 200 && status < 300) return acceptedOrUnknown(body, request)
  const wait = waitAskedBy(reply)
  if (status === 429) return { kind: 'not_sent', reason: 'The bank is busy and took nothing.', ...wait }
  const refusal = refusalIn(body)
  // Neither says that nothing was made: something was, under this key or with this reference, and not what.
  if (isAboutKey(refusal) || isDuplicate(refusal)) return { kind: 'unknown', reason: refusal.message }
  if (status === 401 || (status === 403 && !FORBIDDEN_CODES.test(refusal.code))) {
    return { kind: 'not_sent', reason: 'The bank refused our credentials.' }
  }
  return isProof(status, refusal)
    ? refusedFor(refusal)
    : { kind: 'unknown', reason: `The bank answered ${status}.`, ...wait }
}

function waitAskedBy({ retryAfterMs }: { readonly retryAfterMs?: number }): Partial<BusyBank> {
  return retryAfterMs === undefined ? {} : { retryAfterMs }
}

/** The bank answers 422 about keys too, in words that are not all known: only a field of the body proves otherwise. */
function isProof(status: number, { code, location }: Refusal): boolean {
  return code !== 'none' && ([400, 403, 404].includes(status) || (status === 422 && location === 'body'))
}

/** The bank has read the order and refuses it. Only what it says of the account is the recipient's. */
function refusedFor(refusal: Refusal): SubmitAnswer {
  const { code, message, fields: named } = refusal
  const fields = wrongInBody(refusal)
  if (fields.includes(RECIPIENT_FIELD)) return { kind: 'rejected', reason: message, isVerdict: true }
  if (code === 'aml_violation') return { kind: 'rejected', reason: message, isVerdict: true, wrong: SCREENED }
  const reason = `The bank refused the payment (${[code, ...named].join(' ')}).`
  if (fields.includes('source.amount')) return { kind: 'not_sent', reason, isVerdict: true, trouble: 'rate' }
  const isEmpty = /insufficient|not enough|balance/i.test(message)
  if (isEmpty) return { kind: 'not_sent', reason, isVerdict: true, trouble: 'funds' }
  return { kind: 'not_sent', isVerdict: true, ...oursToMend(refusal) }
}

function acceptedOrUnknown(body: unknown, request: TransferRequest): SubmitAnswer {
  try {
    const transfer = listedTransfer(body)
    if (transfer.state === 'unknown') {
      return { kind: 'unknown', reason: 'The bank answered with a state that is not known.' }
    }
    const isOurs =
      isForRequest(transfer, request) &&
      transfer.holderRef === request.account?.holderRef &&
      (transfer.send ?? 0n) <= request.walletSends
    if (!isOurs) return { kind: 'unknown', reason: 'The bank answered with another amount or reference than ours.' }
    // Undeliverable from the start: the bank never took the money, so nothing has to come back. Unless it speaks of a refund.
    const refund = ['undeliverable', 'error'].includes(transfer.bankState) ? 'done' : transfer.refund
    return { kind: 'accepted', transfer: { ...transfer, refund } }
  } catch {
    return { kind: 'unknown', reason: 'The bank’s answer could not be read.' }
  }
}

/**
 * By its reference, and where the bank says what arrives, by that too. An answer to our own order that leaves the
 * reference out must have every figure of it.
 */
function isForRequest(transfer: ListedTransfer, request: TransferRequest): boolean {
  const { clientReference, receive, send, recipientRef = request.recipientRef } = transfer
  const isAlike = receive === request.receive && send === request.walletSends && recipientRef === request.recipientRef
  if (clientReference === null) return isAlike
  return clientReference === request.clientReference && (receive ?? request.receive) === request.receive
}

/**
 * The bank has no look-up by our reference, so its list is read from some time before the payout was made, and to its
 * end, because there may be a second transfer.
 */
async function findTransfers(client: ProviderClient, request: SoughtTransfer): Promise<FoundTransfers> {
  const found = new Map<string, ListedTransfer>()
  const references = new Set([request.clientReference, ...(request.earlier ?? [])])
  const since = new Date((request.since ?? request.requestedAt).getTime() - ROWS_COME_WITHIN_MS)
  for await (const page of pages((cursor) => listTransfers(client, since, cursor))) {
    for (const transfer of page.transfers) {
      const { clientReference, transferRef, updatedAt } = transfer
      const isSought = clientReference === null || references.has(clientReference)
      const before = found.get(transferRef)
      if (isSought && (before === undefined || before.updatedAt < updatedAt)) found.set(transferRef, transfer)
    }
    // An unreadable row that does not say whose it is may be this payout's: no money is given back while that is open.
    const hidden = page.unread.find(
      ({ clientReference }) => clientReference === null || references.has(clientReference),
    )
    if (hidden !== undefined) {
      throw new UnreadableAnswer(`It has ${hidden.transferRef}, which makes no sense to us: ${hidden.why}`)
    }
  }
  return sorted(request, [...found.values()])
}

function sorted(request: SoughtTransfer, found: readonly ListedTransfer[]): FoundTransfers {
  const isOwn = ({ holderRef }: ListedTransfer) => holderRef === request.account?.holderRef
  const isNamed = ({ clientReference, transferRef }: ListedTransfer) =>
    clientReference === null ? transferRef === request.transferRef : clientReference === request.clientReference
  const all = found.filter(isNamed)
  const rest = found.filter((each) => !isNamed(each))
  return {
    own: all.filter(isOwn),
    others: all.filter((each) => !isOwn(each)).map(({ transferRef }) => transferRef),
    earlier: rest.flatMap(({ clientReference, transferRef }) =>
      clientReference === null ? [] : [{ clientReference, transferRef }],
    ),
    nameless: rest.filter((each) => each.clientReference === null && isOwn(each)).map(({ transferRef }) => transferRef),
  }
}

async function listTransfers(client: ProviderClient, since: Date, cursor: string | null): Promise<TransferPage> {
  const { rows, next, unread: missed } = await askForChanges(client, { path: '/transfers', since, cursor })
  // One unreadable row must not hide the others, and must not be dropped itself.
  const { read, unread } = readEach(
    rows.filter((row) => !isAddition(row)),
    ['id'],
    listedTransfer,
  )
  return { transfers: read, unread: [...unread, ...missed].map(unreadTransfer), next }
}

function unreadTransfer({ ref, row, why }: UnreadRow): UnreadTransfer {
  const clientReference = idIn(row, 'client_reference_id')
  const isNamed = clientReference === null || idIn(row, 'id') !== null
  return { transferRef: isNamed ? ref : `nameless ${clientReference}`, clientReference, why }
}

async function cancelTransfer(client: ProviderClient, ref: string): Promise<CancelAnswer> {
  const reply = await client.call({ method: 'DELETE', path: `/transfers/${encodeURIComponent(ref)}` })
  if (reply.kind !== 'answered') return 'unknown'
  if (reply.status < 300) return 'cancelled'
  if (reply.status === 429 && reply.retryAfterMs !== undefined) return { retryAfterMs: reply.retryAfterMs }
  // The bank publishes no status for a transfer that has gone too far; who asks reads the transfer in any case.
  return REFUSED_CANCEL.has(reply.status) ? 'too_late' : 'unknown'
}

async function readRate(client: ProviderClient): Promise<RateReading> {
  const reply = await client.call({ method: 'GET', path: '/exchange_rates?from=usd&to=gbp' })
  if (reply.kind !== 'answered') throw new RailUnavailable('The bank gave no exchange rate.')
  if (reply.status !== 200) throw new RailUnavailable('The bank gave no exchange rate.', reply)
  const rate = safely(() => parseRate(text(asObject(reply.body), 'sell_rate')))
  if (rate === null) throw new RailUnavailable('The bank gave an exchange rate that cannot be read.')
  if (!isConceivable(rate)) {
    throw new RailUnavailable(`The bank gave an exchange rate that cannot be: ${rate.text} pounds for a dollar.`)
  }
  return { rate, validForMs: RATE_VALID_FOR_MS }
}

/** A field that cannot be read counts as missing. */
function safely<T>(read: () => T | null): T | null {
  try {
    return read()
  } catch {
    return null
  }
}
