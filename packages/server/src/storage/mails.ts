// Mail on its way out. A mail is claimed for a while before it is sent, so that two workers do not send it twice and a
// worker that dies does not keep it.
import { type Db, type Tx, statement } from './sql.ts'

export interface MailRow {
  readonly id: string
  readonly kind: string
  readonly sealed: Buffer
  readonly createdAt: Date
  readonly attempts: number
  readonly usefulUntil: Date | null
}

const COLUMNS = `id, kind, sealed, created_at as "createdAt", attempts, useful_until as "usefulUntil"`

const INSERT = statement(
  'insert_mail',
  `insert into mails (id, kind, sealed, created_at, useful_until, next_try_at, sent_at, given_up_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)

export function insertMail(
  tx: Tx,
  mail: Pick<MailRow, 'id' | 'kind' | 'sealed' | 'createdAt' | 'usefulUntil'>,
  fate: { nextTryAt: Date | null; sentAt: Date | null; givenUpAt: Date | null },
): void {
  const { id, kind, sealed, createdAt, usefulUntil } = mail
  tx.defer(INSERT, [id, kind, sealed, createdAt, usefulUntil, fate.nextTryAt, fate.sentAt, fate.givenUpAt])
}

// What stands in `array()` is asked once, whichever plan is kept; see `claim_bank_events`.
const CLAIM = statement(
  'claim_mails',
  `update mails set attempts = attempts + 1, next_try_at = $2
    where id = any(array(
      select id from mails where next_try_at <= $1 order by next_try_at limit $3 for update skip locked))
   returning ${COLUMNS}`,
)

export function claimMails(tx: Tx, claim: { at: Date; until: Date; most: number }): Promise<MailRow[]> {
  return tx.query<MailRow>(CLAIM, [claim.at, claim.until, claim.most])
}

const DELETE = statement('delete_mail', 'delete from mails where id = $1')

/** Deletes a mail that was sent: its content is kept no longer than necessary. */
export function deleteMail(tx: Tx, id: string): void {
  tx.defer(DELETE, [id])
}

const POSTPONE = statement(
  'postpone_mail',
  'update mails set next_try_at = $2, put_off_at = coalesce($3, put_off_at) where id = $1',
)

/**
 * `putOffAt` when the mail server takes mail, only not for this recipient yet; it is remembered. What keeps back
 * everybody is told by the mails that were not put off.
 */
export function postponeMail(tx: Tx, id: string, nextTryAt: Date, putOffAt: Date | null): void {
  tx.defer(POSTPONE, [id, nextTryAt, putOffAt])
}

const TIDY = statement(
  'tidy_mails',
  `delete from mails where given_up_at < $1
      or (sent_at is not null and id not in
          (select id from mails where sent_at is not null order by created_at desc, id desc limit $2))`,
)

/** Deletes mails given up before a moment, and all but the latest of the mailbox. */
export function tidyMails(tx: Tx, givenUpBefore: Date, mostKept: number): void {
  tx.defer(TIDY, [givenUpBefore, mostKept])
}

const MAILBOX = statement(
  'mailbox',
  `select ${COLUMNS} from mails where sent_at is not null order by created_at desc, id desc limit $1`,
)

export function listMailbox(db: Db, most: number): Promise<MailRow[]> {
  return db.query<MailRow>(MAILBOX, [most])
}
