// Payouts of the past as the service would have left them: one in a hundred came back, the newest hundred are on their way,
// all others arrived. Each has its entries in the ledger, its marks, its usage and, while it is under way, its follow-up.
import { createHash } from 'node:crypto'

export const PAYOUT_COLUMNS = `partner_id, environment, id, idempotency_key, fingerprint, created_via, amount_pence, country,
  reference, recipient_name, account_last4, recipient_sealed, recipient_fingerprint, gbp_per_usd, fee_pence,
  fee_in_transfer_pence, fee_on_invoice_pence, wallet_sends_micro, status, failure_reason, refund_state, created_at, updated_at,
  completed_at, ended_at, surfaced_at, rail, send_state, provider_ref`
export const ENTRY_COLUMNS = 'partner_id, environment, cause, kind, from_account, to_account, amount, at'
export const MARK_COLUMNS = 'partner_id, environment, payout_id, name_mark, account_mark, amount_pence, created_at'
export const FOLLOW_UP_COLUMNS = 'partner_id, environment, payout_id, created_at, next_check_at'

const ENVIRONMENT = 'sandbox'
const RECIPIENTS = 5_000
const UNDER_WAY = 100
const A_YEAR_MS = 365 * 86_400_000
const FIRST = ['Amara', 'Bilal', 'Chloe', 'Dewi', 'Esme', 'Farah', 'Gwen', 'Hamza', 'Isla', 'Jonah']
const LAST = ['Okafor', 'Singh', 'Hughes', 'Patel', 'Murray', 'Kowalska', 'Evans', 'Ahmed', 'Reid', 'Novak']

const bytes = (text, length = 32) =>
  `\\\\x${createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, length * 2)}`
const SEALED = `\\\\x${'5e'.repeat(300)}`

const people = Array.from({ length: RECIPIENTS }, (_, nth) => ({
  name: `${FIRST[nth % 10]} ${LAST[Math.floor(nth / 10) % 10]}`,
  last4: String(1_000 + (nth % 9_000)),
  fingerprint: bytes(`recipient ${nth}`),
  mark: bytes(`mark ${nth}`, 16),
}))

/** The payouts from `first` on, `count` of `total`; the last is made at `until`, and all within `days`. */
export function* payouts({ partnerId, first, count, total, until, days }) {
  const step = (days * 86_400_000) / total
  for (let nth = first; nth < first + count; nth++) {
    const createdAt = Math.floor(until - (total - 1 - nth) * step)
    yield payout(partnerId, { nth, createdAt, isUnderWay: nth >= total - UNDER_WAY })
  }
}

function payout(partnerId, { nth, createdAt, isUnderWay }) {
  const amount = 100 + ((nth * 7_919) % 20_000)
  const fee = 99 + Math.floor((amount + 50) / 100)
  const inTransfer = 20 + Math.floor((amount * 50 + 5_000) / 10_000)
  const isBack = !isUnderWay && nth % 100 === 7
  return {
    partnerId,
    nth,
    id: timedId(createdAt, nth),
    who: people[(nth * 31) % RECIPIENTS],
    amount,
    fee,
    inTransfer,
    sends: amount * 12_700,
    createdAt,
    completedAt: isUnderWay ? null : createdAt + 2_000,
    endedAt: isBack ? createdAt + 7_200_000 : null,
    status: isUnderWay ? 'processing' : isBack ? 'returned' : 'completed',
  }
}

/** Ordered by time, as the service's own are. */
function timedId(ms, nth) {
  const [time, tail] = [ms.toString(16).padStart(12, '0'), nth.toString(16).padStart(12, '0')]
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${tail}`
}

const at = (ms) => (ms === null ? null : new Date(ms).toISOString())

export function payoutRow(p) {
  const who = [p.who.name, p.who.last4, SEALED, p.who.fingerprint]
  const cost = ['0.79', p.fee, p.inTransfer, p.fee - p.inTransfer, p.sends]
  const times = [at(p.createdAt), at(p.endedAt ?? p.completedAt ?? p.createdAt), at(p.completedAt), at(p.endedAt)]
  const standing = [p.status, p.endedAt === null ? null : 'Account closed.', p.endedAt === null ? 'none' : 'done']
  const made = [`fill-${String(p.nth).padStart(9, '0')}`, bytes(p.id), p.nth % 20 === 0 ? 'dashboard' : 'api']
  const asked = [p.partnerId, ENVIRONMENT, p.id, ...made, p.amount, 'GB', `Invoice ${p.nth % 100_000}`, ...who, ...cost]
  const reached = [...standing, ...times, at(p.createdAt), 'simulated', 'accepted', `sim-${p.id}`]
  return [...asked, ...reached]
}

export function entryRows(p) {
  const entry = (kind, from, to, ms) => [p.partnerId, ENVIRONMENT, p.id, kind, from, to, p.sends, at(ms)]
  return [
    entry('hold', 'available', 'held', p.createdAt),
    entry('capture', 'held', 'in_transit', p.createdAt),
    ...(p.completedAt === null ? [] : [entry('settle', 'in_transit', 'paid_out', p.completedAt)]),
    ...(p.endedAt === null ? [] : [entry('refund', 'paid_out', 'available', p.endedAt)]),
  ]
}

export const markRow = (p) => [p.partnerId, ENVIRONMENT, p.id, p.who.mark, p.who.mark, p.amount, at(p.createdAt)]

/** Looked at in a year: what is measured has no bank that knows them. */
export const followUpRow = (p) => [p.partnerId, ENVIRONMENT, p.id, at(p.createdAt), at(p.createdAt + A_YEAR_MS)]
