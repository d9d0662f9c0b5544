import type { MailContent } from '../../mail/mail.ts'
import { listAdmins } from '../../storage/members.ts'
import type { Tx } from '../../storage/sql.ts'
import type { Deps } from '../deps.ts'
import { queueMail } from '../mail/queue-mail.ts'

/** Sends the same mail to every admin. Call `deps.post.wake()` once the transaction is committed. */
export async function mailAdmins(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'secrets' | 'mailer'>,
  { partnerId, kind, content }: { partnerId: string; kind: string; content: MailContent },
): Promise<void> {
  for (const to of await listAdmins(tx, partnerId)) {
    queueMail(tx, deps, { kind, mail: { to, ...content }, usefulUntil: null })
  }
}
