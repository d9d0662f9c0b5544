// Mails sealed with older keys. There are few: a sent mail is deleted, and a mailbox keeps the latest.
import { itemColumns } from './item-columns.ts'
import { type Tx, statement } from './sql.ts'

export interface SealedMail {
  readonly id: string
  readonly sealed: Buffer
}

const TAKE = statement(
  'take_mails_of_older_keys',
  `select id, sealed from mails where substring(sealed from 1 for 5) <> '\\x02'::bytea || $1::bytea and id > $2
    order by id limit $3 for update skip locked`,
)

/** @param keyId The newest key's id. */
export function takeMailsOfOlderKeys(tx: Tx, keyId: Buffer, after: string, most: number): Promise<SealedMail[]> {
  return tx.query<SealedMail>(TAKE, [keyId, after, most])
}

const MAILS = itemColumns<keyof SealedMail>(1, { id: ['id', 'uuid'], sealed: ['sealed', 'bytea'] })

const RESEAL = statement(
  'reseal_mails',
  `update mails m set ${MAILS.assigned(['id'])} from ${MAILS.from} where m.id = item.id`,
)

export function resealMails(tx: Tx, mails: readonly SealedMail[]): void {
  if (mails.length > 0) tx.defer(RESEAL, MAILS.values(mails))
}
