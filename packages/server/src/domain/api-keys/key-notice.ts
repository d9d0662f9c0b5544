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
  readonly memberId: string
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
    /** It took no code although the key is live. */
    isFree?: boolean
  },
): Promise<void> {
  const { event, partner, key, notice, worksUntil = null, isFree = event === 'revoked' } = told
  const { environment, keyPrefix, label } = key
  const about = { businessName: partner.name, environment, keyPrefix, label, worksUntil, ...notice }
  const content = keyMail({ event, ...about })
  // Making a live key and giving it more take a code; the rest can be done over and over.
  const weight = environment === 'live' && !isFree ? 'grave' : 'plain'
  await notifyAdmins(tx, deps, { partnerId: partner.id, kind: `key_${event}`, weight, content })
}
