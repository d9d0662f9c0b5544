// Changes to a team (joining, leaving, another role) are told to every admin, and to the person concerned.
import type { MemberRole } from '@kestrel/contract'

import { noticeMail } from '../../mail/templates/notice-mails.ts'
import type { TypedFact } from '../../mail/templates/shown-name.ts'
import type { Partner } from '../../storage/partners.ts'
import type { Tx } from '../../storage/sql.ts'
import type { Deps } from '../deps.ts'
import { notifyAdmins } from '../notices/notify-admins.ts'

export type NoticeDeps = Pick<Deps, 'clock' | 'secrets' | 'mailer' | 'post'>

/** The member who changes the team, the business, and the address of its pages. */
export interface TeamChange {
  readonly partner: Pick<Partner, 'id' | 'name' | 'slug'>
  readonly by: string
  readonly publicUrl: string
}

const WORDS = {
  invited: (role: string) => `${role} was invited`,
  joined: (role: string) => `${role} joined the team`,
  role_changed: (role: string) => `A member is now ${role.toLowerCase()}`,
  limits_changed: () => 'What a member may pay was changed',
  removed: (role: string) => `${role} was removed`,
} as const

/** Call `deps.post.wake()` after the commit. */
export async function tellOfTeam(
  tx: Tx,
  deps: NoticeDeps,
  { partner, by, publicUrl }: TeamChange,
  told: {
    event: keyof typeof WORDS
    email: string
    role: MemberRole
    touchesAdmins: boolean
    facts?: readonly TypedFact[]
  },
): Promise<void> {
  const what = WORDS[told.event](told.role === 'admin' ? 'An admin' : 'A viewer')
  const content = noticeMail({
    what,
    businessName: partner.name,
    about: [['Member', { address: told.email }], ...(told.facts ?? [])],
    by,
    url: `${publicUrl}/dashboard/team`,
  })
  await notifyAdmins(tx, deps, {
    partnerId: partner.id,
    kind: `member_${told.event}`,
    weight: told.event === 'joined' ? 'arrival' : told.touchesAdmins ? 'grave' : 'plain',
    content,
    // The invited person gets a mail of their own, and is no member yet.
    also: told.event === 'invited' ? [] : [told.email],
  })
}
