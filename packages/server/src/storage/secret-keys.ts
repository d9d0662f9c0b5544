// The keys that this database has been used with, by their ids, and how many rows still need each.
import { type Db, type Tx, statement } from './sql.ts'

export interface SecretKey {
  readonly purpose: 'seal' | 'fingerprint'
  readonly keyId: Buffer
  /** The first is 1; the highest is the newest. */
  readonly number: number
  readonly since: Date
  readonly retiredAt: Date | null
}

const LOCK = statement('lock_secret_keys', 'lock table secret_keys in exclusive mode')
const READ = statement(
  'read_secret_keys',
  `select purpose, key_id as "keyId", number, since, retired_at as "retiredAt" from secret_keys order by purpose, number`,
)

export function readSecretKeys(db: Db): Promise<SecretKey[]> {
  return db.query<SecretKey>(READ)
}

/** Nobody else can change the keys until the transaction ends; everybody may read them. */
export async function lockSecretKeys(tx: Tx): Promise<SecretKey[]> {
  await tx.query(LOCK)
  return readSecretKeys(tx)
}

const ADD = statement(
  'add_secret_key',
  `insert into secret_keys (purpose, key_id, number, since)
   select $1, $2, coalesce(max(number), 0) + 1, $3 from secret_keys where purpose = $1`,
)

export async function addSecretKey(tx: Tx, purpose: SecretKey['purpose'], keyId: Buffer, at: Date): Promise<void> {
  await tx.query(ADD, [purpose, keyId, at])
}

const RETIRE = statement(
  'retire_secret_key',
  'update secret_keys set retired_at = $3 where purpose = $1 and key_id = $2',
)

export function retireSecretKey(tx: Tx, key: SecretKey, at: Date): void {
  tx.defer(RETIRE, [key.purpose, key.keyId, at])
}

// A value that does not name its key is from before there was a second key.
const SEALED_WITH = (column: string) => `case substring(${column} from 1 for 1) when '\\x02'
   then substring(${column} from 2 for 4) else (select key_id from secret_keys where purpose = 'seal' and number = 1) end`

const COUNT = statement(
  'count_key_use',
  `select purpose, key_id as "keyId", count(*)::int as rows from (
     select 'seal' as purpose, ${SEALED_WITH('recipient_sealed')} as key_id from payouts
     union all select 'seal', ${SEALED_WITH('sealed')} from mails
     union all select 'seal', ${SEALED_WITH('secret_sealed')} from webhook_endpoints where secret_sealed is not null
     union all select 'seal', ${SEALED_WITH('previous_secret_sealed')} from webhook_endpoints
                where previous_secret_sealed is not null
     union all select 'fingerprint', coalesce(fingerprint_key,
       (select key_id from secret_keys where purpose = 'fingerprint' and number = 1)) from payouts) used
   group by purpose, key_id`,
)

export interface KeyUse {
  readonly purpose: SecretKey['purpose']
  readonly keyId: Buffer
  readonly rows: number
}

const MOST_MS = 10 * 60_000

/** Reads every payout: for a start without one of the keys, and for the operator's command. */
export async function countKeyUse(tx: Tx): Promise<KeyUse[]> {
  tx.takeTime(MOST_MS)
  return tx.query<KeyUse>(COUNT)
}
