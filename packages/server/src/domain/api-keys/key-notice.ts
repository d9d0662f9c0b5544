// Every admin gets a mail about what happens to a key in the dashboard, so that somebody notices what nobody meant.
import { keyMail } from '../../mail/templates/team-mails.ts'
import type { ApiKeyRow } from '../../storage/api-keys.ts'
import type { Partner } from '../../storage/partners.ts'
import type { Tx } from '../../storage/sql.ts'
import type { Deps } from '../deps.ts'
import { notifyAdmins } from '../notices/notify-admins.ts'

export interface KeyNotice {
  /** The email of the member who did it. */
  readonly by: string
  readonly keysUrl: string
}

export type NoticeDeps = Pick<Deps, 'clock' | 'secrets' | 'mailer' | 'post'>

/** Call `deps.post.wake()` after the commit. */
export async function tellAdmins(
  tx: Tx,
  deps: NoticeDeps,
  told: {
    event: 'created' | 'changed' | 'rotated' | 'revoked'
    partner: Pick<Partner, 'id' | 'name'>
    key: Pick<ApiKeyRow, 'environment' | 'keyPrefix' | 'label'>
    notice: KeyNotice
    worksUntil?: Date | null
  },
): Promise<void> {
  const { event, partner, key, notice, worksUntil = null } = told
  const { environment, keyPrefix, label } = key
  const about = { businessName: partner.name, environment, keyPrefix, label, worksUntil, ...notice }
  const content = keyMail({ event, ...about })
  // Making a live key takes a code; the rest can be done over and over.
  const weight = environment === 'live' && event !== 'revoked' ? 'grave' : 'plain'
  await notifyAdmins(tx, deps, { partnerId: partner.id, kind: `key_${event}`, weight, content })
}
