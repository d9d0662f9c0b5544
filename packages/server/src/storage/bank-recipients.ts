import type { Scope } from '../core/scope.ts'
import { itemColumns } from './item-columns.ts'
import { type Database, type Db, type Tx, statement } from './sql.ts'

export interface BankRecipient extends Scope {
  readonly fingerprint: Buffer
  readonly recipientRef: string
  readonly createdAt: Date
}

type Asked = Pick<BankRecipient, keyof Scope | 'fingerprint'>

const ASKED = itemColumns<keyof Asked>(1, {
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
export function findBankRecipients(db: Db, asked: readonly Asked[]): Promise<BankRecipient[]> {
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

const KEPT = itemColumns<keyof BankRecipient>(1, {
  partnerId: ['partner_id', 'uuid'],
  environment: ['environment', 'environment'],
  fingerprint: ['recipient_fingerprint', 'bytea'],
  recipientRef: ['recipient_ref', 'text'],
  createdAt: ['created_at', 'timestamptz'],
})
// In the order of their keys: two orders would deadlock.
const KEEP = statement(
  'keep_bank_recipients',
  `insert into bank_recipients (${KEPT.names})
   select ${KEPT.selected} from ${KEPT.from}
    order by item.partner_id, item.environment, item.recipient_fingerprint on conflict do nothing`,
)

/** What was kept before stays as it is. Returns those of `asked` that there are then. */
export function keepBankRecipients(
  db: Pick<Database, 'inOneTrip'>,
  recipients: readonly BankRecipient[],
  asked: readonly Asked[],
): Promise<BankRecipient[]> {
  return db.inOneTrip<BankRecipient>([
    [KEEP, KEPT.values(recipients)],
    // A statement after it: what another process has kept meanwhile is seen.
    [FIND, ASKED.values(asked)],
  ])
}
