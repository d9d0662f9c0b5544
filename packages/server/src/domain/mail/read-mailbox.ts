import { UnknownKeyError } from '../../core/seal.ts'
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
  return rows.flatMap((row) => {
    const mail = openedOrNull(deps, row)
    return mail === null ? [] : [{ id: row.id, kind: row.kind, at: row.createdAt, ...mail }]
  })
}

/** One that is sealed with a key that is gone must not hide the others: the next may be the code with which somebody signs in. */
function openedOrNull(deps: Pick<Deps, 'secrets'>, row: Parameters<typeof openMail>[1]): Mail | null {
  try {
    return openMail(deps, row)
  } catch (error) {
    if (error instanceof UnknownKeyError) return null
    throw error
  }
}
