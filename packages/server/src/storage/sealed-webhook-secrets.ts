// Secrets of webhook endpoints that older keys sealed. There are ten endpoints per environment at most.
import { itemColumns } from './item-columns.ts'
import { PAYOUT_KEY } from './payouts.ts'
import { type Tx, statement } from './sql.ts'

export interface SealedSecrets {
  readonly partnerId: string
  readonly environment: 'sandbox' | 'live'
  readonly id: string
  readonly secret: Buffer
  readonly previous: Buffer | null
}

const isOlder = (column: string) => `substring(${column} from 1 for 5) <> '\\x02'::bytea || $1::bytea`

const TAKE = statement(
  'take_webhook_secrets_of_older_keys',
  `select partner_id as "partnerId", environment, id, secret_sealed as secret, previous_secret_sealed as previous
     from webhook_endpoints
    where deleted_at is null and (${isOlder('secret_sealed')} or ${isOlder('previous_secret_sealed')}) and id > $2
    order by id limit $3 for no key update skip locked`,
)

/** @param keyId The newest key's id. */
export function takeSecretsOfOlderKeys(tx: Tx, keyId: Buffer, after: string, most: number): Promise<SealedSecrets[]> {
  return tx.query<SealedSecrets>(TAKE, [keyId, after, most])
}

const SECRETS = itemColumns<keyof SealedSecrets>(1, {
  ...PAYOUT_KEY,
  secret: ['secret_sealed', 'bytea'],
  previous: ['previous_secret_sealed', 'bytea'],
})

const RESEAL = statement(
  'reseal_webhook_secrets',
  `update webhook_endpoints e set ${SECRETS.assigned(['partnerId', 'environment', 'id'])} from ${SECRETS.from}
    where e.partner_id = item.partner_id and e.environment = item.environment and e.id = item.id`,
)

export function resealSecrets(tx: Tx, secrets: readonly SealedSecrets[]): void {
  if (secrets.length > 0) tx.defer(RESEAL, SECRETS.values(secrets))
}
