import type { Mail } from '../../mail/mail.ts'
import { listMailbox } from '../../storage/mails.ts'
import type { Deps } from '../deps.ts'
import { MAILBOX_KEEPS, openMail } from './deliver-mails.ts'

export interface KeptMail extends Mail {
  readonly id: string
  readonly kind: string
  readonly at: Date
}

/** The latest mails, newest first, where there is no mail server to send them. */
export async function readMailbox(deps: Pick<Deps, 'db' | 'secrets'>): Promise<KeptMail[]> {
  const rows = await listMailbox(deps.db, MAILBOX_KEEPS)
  return rows.map((row) => ({ id: row.id, kind: row.kind, at: row.createdAt, ...openMail(deps, row) }))
}
