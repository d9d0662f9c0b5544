// What events are about, as it was then: what never changes is read from the subject, the rest from the event.
import { assert } from '../../core/assert.ts'
import type { Pence } from '../../core/money.ts'
import type { Scope } from '../../core/scope.ts'
import { type ApiKeyRow, findKey } from '../../storage/api-keys.ts'
import { type EventRow, listPayoutsOfEvents } from '../../storage/events.ts'
import type { PayoutRow } from '../../storage/payouts.ts'
import type { ShownKey } from '../../storage/spending-limits.ts'
import { readInvoice } from '../billing/list-invoices.ts'
import type { Deps } from '../deps.ts'
import type { MemberWithLimits } from '../members/member-limits.ts'
import type { Subject } from './event.ts'

type SubjectDeps = Pick<Deps, 'clock' | 'reports'>

/** One per event, in their order. */
export async function readSubjects(deps: SubjectDeps, scope: Scope, rows: readonly EventRow[]): Promise<Subject[]> {
  const ids = rows.filter(({ subjectObject }) => subjectObject === 'payout').map(({ subjectId }) => subjectId)
  const payouts = await listPayoutsOfEvents(deps.reports, scope, [...new Set(ids)])
  const byId = new Map(payouts.map((payout) => [payout.id, payout]))
  // All others are rare, so each is read by itself.
  return Promise.all(rows.map((row) => subjectOf(deps, scope, { row, byId })))
}

async function subjectOf(
  deps: SubjectDeps,
  scope: Scope,
  { row, byId }: { row: EventRow; byId: ReadonlyMap<string, PayoutRow> },
): Promise<Subject> {
  if (row.subjectObject === 'payout') {
    const payout = byId.get(row.subjectId)
    assert(payout !== undefined, 'a payout that has events is never deleted')
    return { object: 'payout', id: payout.id, payout: asThen(payout, row) }
  }
  assert(row.facts !== null, 'an event that is about no payout has its facts')
  const { id, data } = row.facts
  if (row.subjectObject === 'invoice') return invoiceThen(deps, scope, { id, data })
  if (row.subjectObject === 'api_key') return keyThen(deps, scope, { row, data })
  if (row.subjectObject === 'member') return { object: 'member', id, member: memberThen(id, data) }
  return { object: row.subjectObject, id, data }
}

/** What a payout was asked for never changes; how it stood is in the event. */
function asThen(payout: PayoutRow, row: EventRow): PayoutRow {
  const { status, sendState, refundState, failureReason, bankReason, bankState, completedAt, refundedAt } = row
  const standing = { status, sendState, refundState, failureReason, bankReason, bankState, completedAt, refundedAt }
  return { ...payout, ...standing, updatedAt: row.occurredAt }
}

type Data = Readonly<Record<string, unknown>>

async function invoiceThen(
  deps: SubjectDeps,
  { partnerId }: Scope,
  { id, data }: { id: string; data: Data },
): Promise<Subject> {
  const invoice = await readInvoice(deps, partnerId, id)
  const status = data['status'] as typeof invoice.status
  const then = { status, paidAt: momentIn(data['paid_at']), voidedAt: momentIn(data['voided_at']) }
  return { object: 'invoice', id, invoice: { ...invoice, ...then } }
}

async function keyThen(
  deps: SubjectDeps,
  { partnerId }: Scope,
  { row, data }: { row: EventRow; data: Data },
): Promise<Subject> {
  const key = await findKey(deps.reports, partnerId, row.subjectId, row.occurredAt)
  assert(key !== null, 'an API key is never deleted')
  const then = {
    lastUsedAt: momentIn(data['last_used_at']),
    lastUsedIp: data['last_used_ip'] as string | null,
    revokedAt: momentIn(data['revoked_at']),
    expiresAt: momentIn(data['expires_at']),
    replacedBy: data['replaced_by'] as string | null,
    // Events from before there were rules have none.
    ...('scopes' in data ? { scopes: data['scopes'] as ApiKeyRow['scopes'] } : {}),
    ...('allowed_ips' in data ? { allowedIps: data['allowed_ips'] as ApiKeyRow['allowedIps'] } : {}),
    spending: spendingIn(data['spending']),
  }
  return { object: 'api_key', id: key.id, key: { ...key, ...then } }
}

function memberThen(id: string, data: Data): MemberWithLimits {
  return {
    id,
    email: data['email'] as string,
    name: data['name'] as string | null,
    role: data['role'] as MemberWithLimits['role'],
    lastLoginAt: momentIn(data['last_login_at']),
    createdAt: new Date(data['created_at'] as string),
    invitedBy: data['invited_by'] as string | null,
    spending: spendingIn(data['spending']),
  }
}

function spendingIn(value: unknown): ShownKey['spending'] {
  if (typeof value !== 'object' || value === null) return null
  const pence = (name: string): Pence | null => {
    const word = (value as Record<string, string | null>)[`${name}_pence`] ?? null
    return word === null ? null : (BigInt(word) as Pence)
  }
  const [maxPerPayout, daily, monthly] = [pence('max_per_payout'), pence('daily'), pence('monthly')]
  const [spentToday, spentThisMonth] = [pence('spent_today')!, pence('spent_this_month')!]
  return { maxPerPayout, daily, monthly, spentToday, spentThisMonth }
}

function momentIn(value: unknown): Date | null {
  return typeof value === 'string' ? new Date(value) : null
}
