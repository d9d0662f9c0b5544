// Mail is stored in the transaction that it is about, and sent after the commit: a crash loses none, and none is sent
// about something that did not happen.
import { newId } from '../../core/ids.ts'
import { seal } from '../../core/seal.ts'
import type { Mail } from '../../mail/mail.ts'
import { insertMail } from '../../storage/mails.ts'
import type { Tx } from '../../storage/sql.ts'
import type { Deps } from '../deps.ts'

export interface OutgoingMail {
  readonly kind: string
  readonly mail: Mail
  /** Pointless after this moment; null: never. */
  readonly usefulUntil: Date | null
}

/** Call `deps.post.wake()` once the transaction is committed. */
export function queueMail(tx: Tx, deps: Pick<Deps, 'clock' | 'secrets' | 'mailer'>, outgoing: OutgoingMail): void {
  const at = deps.clock.now()
  const row = sealedRow(deps, outgoing, at)
  // Without a mail server the mail stays in the mailbox.
  const isKept = deps.mailer === null
  insertMail(tx, row, { nextTryAt: isKept ? null : at, sentAt: isKept ? at : null, givenUpAt: null })
}

/** Does the same work for a mail to nobody, so that timing does not tell whether somebody got one. */
export function queueForNobody(tx: Tx, deps: Pick<Deps, 'clock' | 'secrets'>, outgoing: OutgoingMail): void {
  const at = deps.clock.now()
  insertMail(tx, sealedRow(deps, outgoing, at), { nextTryAt: null, sentAt: null, givenUpAt: at })
}

function sealedRow(deps: Pick<Deps, 'secrets'>, { kind, mail, usefulUntil }: OutgoingMail, at: Date) {
  const id = newId(at)
  return { id, kind, usefulUntil, createdAt: at, sealed: seal(deps.secrets.sealKey, JSON.stringify(mail), id) }
}
