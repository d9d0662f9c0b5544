// Invites somebody to a team. They are no member until they accept, and see nothing of the business before.
import type { MemberRole } from '@kestrel/contract'

import { after } from '../../core/clock.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { invitationMail } from '../../mail/templates/team-mails.ts'
import {
  type InvitationRow,
  clearExpiredInvitation,
  insertInvitation,
  listInvitations as readInvitations,
  renewInvitation,
  takeInvitation,
} from '../../storage/invitations.ts'
import type { Tx } from '../../storage/sql.ts'
import { hasInvitationMailLeft, mayInvite, mayMailInvitation } from '../access/sign-in-limits.ts'
import type { Deps } from '../deps.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { memberExists } from './member-doors.ts'
import { lockedTeam } from './team.ts'
import { type NoticeDeps, type TeamChange, tellOfTeam } from '../access/team-notice.ts'

const LARGEST_TEAM = 200
const LASTS_MS = 14 * 24 * 60 * 60_000

export function listInvitations(deps: Pick<Deps, 'db' | 'clock'>, partnerId: string): Promise<InvitationRow[]> {
  return readInvitations(deps.db, partnerId, deps.clock.now())
}

export async function inviteMember(
  deps: Pick<Deps, 'db'> & NoticeDeps,
  change: TeamChange,
  invited: { email: string; name: string | null; role: MemberRole },
): Promise<InvitationRow> {
  const email = invited.email.toLowerCase()
  const { name, role } = invited
  const { partner, by } = change
  const invitation = await deps.db.inTransaction(async (tx) => {
    const team = await lockedTeam(tx, partner, by)
    const createdAt = deps.clock.now()
    await clearExpiredInvitation(tx, partner.id, email, createdAt)
    const pending = await readInvitations(tx, partner.id, createdAt)
    if (team.some((each) => each.email === email)) throw memberExists(email, partner.name)
    if (pending.some((each) => each.email === email)) throw invitedAlready(email, partner.name)
    if (team.length + pending.length >= LARGEST_TEAM)
      throw new AppError('invalid_request', `A team has at most ${LARGEST_TEAM} members.`)
    await mayInvite(tx, deps, partner.id)
    // Other businesses' invitations to this address must not keep this one from inviting: only the mail is left out.
    const mailedAt = (await hasInvitationMailLeft(tx, deps, email)) ? createdAt : null
    const row: InvitationRow = {
      id: newId(createdAt),
      email,
      name,
      role,
      invitedBy: by,
      createdAt,
      expiresAt: after(createdAt, LASTS_MS),
      mailedAt,
    }
    insertInvitation(tx, partner.id, row)
    if (mailedAt !== null) mailInvitation(tx, deps, change, row)
    await tellOfTeam(tx, deps, change, { event: 'invited', email, role, touchesAdmins: role === 'admin' })
    return row
  })
  deps.post.wake()
  return invitation
}

function invitedAlready(email: string, businessName: string): AppError {
  return new AppError(
    'member_exists',
    `${email} has been invited to ${businessName} already. Send the invitation again, or withdraw it.`,
  )
}

/**
 * Mails the same invitation once more. A viewer's gets another fortnight; an admin's term was confirmed by a code, and
 * stays.
 */
export async function sendInvitationAgain(
  deps: Pick<Deps, 'db'> & NoticeDeps,
  change: TeamChange,
  id: string,
): Promise<InvitationRow> {
  const { partner, by } = change
  const renewed = await deps.db.inTransaction(async (tx) => {
    await lockedTeam(tx, partner, by)
    const at = deps.clock.now()
    const found = (await readInvitations(tx, partner.id, at)).find((each) => each.id === id)
    if (found === undefined) throw notFound()
    await mayInvite(tx, deps, partner.id)
    await mayMailInvitation(tx, deps, found.email)
    const expiresAt = found.role === 'admin' ? found.expiresAt : after(at, LASTS_MS)
    const row = { ...found, mailedAt: at, expiresAt }
    renewInvitation(tx, { partnerId: partner.id, ...row })
    mailInvitation(tx, deps, change, row)
    return row
  })
  deps.post.wake()
  return renewed
}

export async function withdrawInvitation(
  deps: Pick<Deps, 'db' | 'clock'>,
  { partner, by }: TeamChange,
  id: string,
): Promise<InvitationRow> {
  return deps.db.inTransaction(async (tx) => {
    await lockedTeam(tx, partner, by)
    const found = (await readInvitations(tx, partner.id, deps.clock.now())).find((each) => each.id === id)
    if (found === undefined || !(await takeInvitation(tx, partner.id, found.id))) throw notFound()
    return found
  })
}

function mailInvitation(tx: Tx, deps: NoticeDeps, { partner, publicUrl }: TeamChange, invitation: InvitationRow): void {
  const { email, role, invitedBy, expiresAt } = invitation
  const content = invitationMail({
    businessName: partner.name,
    slug: partner.slug,
    invitedBy,
    role,
    url: `${publicUrl}/dashboard/choose`,
  })
  queueMail(tx, deps, { kind: 'invitation', mail: { to: email, ...content }, usefulUntil: expiresAt })
}
