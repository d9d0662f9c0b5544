import type { Scope } from '../core/scope.ts'
import { itemColumns } from './item-columns.ts'
import { type Db, type Tx, statement } from './sql.ts'

export interface BankRecipient extends Scope {
  readonly fingerprint: Buffer
  readonly recipientRef: string
  readonly createdAt: Date
}

const ASKED = itemColumns<keyof Scope | 'fingerprint'>(1, {
  partnerId: ['partner_id', 'uuid'],
  environment: ['environment', 'environment'],
  fingerprint: ['fingerprint', 'bytea'],
})
const FIND = statement(
  'find_bank_recipients',
  `select known.* from ${ASKED.from}
     cross join lateral (
       select partner_id as "partnerId", environment, recipient_fingerprint as fingerprint,
              recipient_ref as "recipientRef", created_at as "createdAt"
         from bank_recipients
        where partner_id = item.partner_id and environment = item.environment
          and recipient_fingerprint = item.fingerprint limit 1) known`,
)

/** Of these, in any order, those that we have registered before. */
export function findBankRecipients(
  db: Db,
  asked: readonly Pick<BankRecipient, keyof Scope | 'fingerprint'>[],
): Promise<BankRecipient[]> {
  return db.query<BankRecipient>(FIND, ASKED.values(asked))
}

const FORGET = statement(
  'forget_bank_recipient',
  `delete from bank_recipients where partner_id = $1 and environment = $2 and recipient_fingerprint = any($3)`,
)

/** The bank no longer has it: the next payout registers it anew. */
export function forgetBankRecipient(tx: Tx, scope: Scope, fingerprints: readonly Buffer[]): void {
  tx.defer(FORGET, [scope.partnerId, scope.environment, fingerprints])
}

const KEEP = statement(
  'keep_bank_recipient',
  `insert into bank_recipients (partner_id, environment, recipient_fingerprint, recipient_ref, created_at)
   values ($1, $2, $3, $4, $5) on conflict do nothing`,
)

export function keepBankRecipient(
  tx: Tx,
  scope: Scope,
  recipient: { fingerprint: Buffer; recipientRef: string; at: Date },
): void {
  tx.defer(KEEP, [scope.partnerId, scope.environment, recipient.fingerprint, recipient.recipientRef, recipient.at])
}
