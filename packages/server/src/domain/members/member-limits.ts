// What a member may pay in the dashboard. Admins set it, for others and for themselves; nobody raises their own.
import { AppError } from '../../core/errors.ts'
import type { Scope } from '../../core/scope.ts'
import { type MemberRow, listMembers as readMembers } from '../../storage/members.ts'
import { noteEvents } from '../../storage/note-events.ts'
import { type Spending, type SpendingLimits, listSpending } from '../../storage/spending-limits.ts'
import type { Db, Tx } from '../../storage/sql.ts'
import { codeRequired } from '../access/doors.ts'
import type { Deps } from '../deps.ts'
import { isSameLimits, limitSpender, limitsOf, raisesLimits, spendingInWords } from '../spending/spender-limits.ts'

export interface MemberWithLimits extends MemberRow {
  /** In one environment; null where there never was a limit. */
  readonly spending: Omit<Spending, 'spenderId' | 'since'> | null
}

/** The team, with what each may pay and has paid in this environment. */
export async function listMembers(deps: Pick<Deps, 'db' | 'clock'>, scope: Scope): Promise<MemberWithLimits[]> {
  const members = await readMembers(deps.db, scope.partnerId)
  const ids = members.map(({ id }) => id)
  const spending = await listSpending(deps.db, scope, ids, deps.clock.now())
  const ofMember = new Map(spending.map((each) => [each.spenderId, each]))
  return members.map((member) => ({ ...member, spending: ofMember.get(member.id) ?? null }))
}

export async function withLimits(db: Db, scope: Scope, member: MemberRow, at: Date): Promise<MemberWithLimits> {
  const [spending = null] = await listSpending(db, scope, [member.id], at)
  return { ...member, spending }
}

export const RAISES_TITLE = 'Let a member pay more in live'

export interface JudgedLimits {
  readonly before: SpendingLimits
  readonly after: SpendingLimits
  readonly needsCode: boolean
}

/** 403 and 409 for what no code allows. `team` is the whole team, and `by` the email of the admin who changes it. */
export function judgeLimits(
  team: readonly MemberRow[],
  member: MemberWithLimits,
  wanted: { environment: Scope['environment']; limits: Partial<SpendingLimits>; by: string; businessName: string },
): JudgedLimits {
  const { environment, limits, by, businessName } = wanted
  const before = limitsOf(member.spending)
  const after = { ...before, ...limits }
  const raises = raisesLimits(before, after)
  if (member.email === by && raises) {
    throw new AppError(
      'api_key_required',
      `Nobody raises their own limits. Another admin of ${businessName} can; if there is none, invite one. Nothing was done.`,
    )
  }
  const isOnlyAdmin = !team.some(({ id, role }) => role === 'admin' && id !== member.id)
  if (member.email === by && isOnlyAdmin && !isSameLimits(before, after)) {
    throw new AppError(
      'last_admin',
      `You are the only admin of ${businessName}, so nobody could raise this limit again. Make somebody else an admin first.`,
    )
  }
  return { before, after, needsCode: environment === 'live' && raises }
}

/** Last in its transaction: the event and the limits take the wallet's lock. Returns the member as it is then. */
export async function keepMemberLimits(
  tx: Tx,
  scope: Scope,
  { member, judged, at }: { member: MemberRow; judged: JudgedLimits; at: Date },
): Promise<MemberWithLimits> {
  await limitSpender(tx, scope, { spenderId: member.id, limits: judged.after, at })
  const now = await withLimits(tx, scope, member, at)
  noteEvents(tx, scope, [{ type: 'member.limits_changed', subject: subjectOf(member), data: dataOf(now) }], at)
  return now
}

export function requireLimitCode({ needsCode }: JudgedLimits, isConfirmed: boolean): void {
  if (needsCode && !isConfirmed) throw codeRequired(RAISES_TITLE)
}

const subjectOf = ({ id }: MemberRow) => ({ object: 'member', id }) as const

/** A member can be removed, so the event keeps all of it. */
function dataOf(member: MemberWithLimits) {
  return {
    email: member.email,
    name: member.name,
    role: member.role,
    last_login_at: member.lastLoginAt,
    created_at: member.createdAt,
    invited_by: member.invitedBy,
    spending: member.spending === null ? null : spendingInWords(member.spending),
  }
}
