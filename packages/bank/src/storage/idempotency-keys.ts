import { assert } from '../core/assert.ts'
import type { Tx } from './sql.ts'

export interface KeyClaim {
  readonly apiKeyHash: Buffer
  readonly key: string
  readonly fingerprint: Buffer
  readonly at: Date
}

export interface KeptAnswer {
  readonly fingerprint: Buffer
  readonly status: number
  readonly body: string
  readonly createdAt: Date
  readonly answersFrom: Date | null
}

/**
 * Null when the key is now the caller's. When another transaction holds the key, this waits for it, so two requests
 * with one key never act at the same time.
 */
export async function claimKey(tx: Tx, claim: KeyClaim): Promise<KeptAnswer | null> {
  const inserted = await tx.query(
    `insert into idempotency_keys (api_key_hash, key, fingerprint, created_at) values ($1, $2, $3, $4)
     on conflict do nothing returning true`,
    [claim.apiKeyHash, claim.key, claim.fingerprint, claim.at],
  )
  if (inserted.length > 0) return null
  const [kept] = await tx.query<KeptAnswer>(
    `select fingerprint, status, body, created_at as "createdAt", answers_from as "answersFrom"
       from idempotency_keys where api_key_hash = $1 and key = $2`,
    [claim.apiKeyHash, claim.key],
  )
  assert(kept !== undefined && kept.status !== null, 'a key that is taken has its answer: both are written together')
  return kept
}

export function keepAnswer(
  tx: Tx,
  claim: KeyClaim,
  answer: { status: number; body: string; answersFrom: Date | null },
): void {
  tx.defer(
    'update idempotency_keys set status = $3, body = $4, answers_from = $5 where api_key_hash = $1 and key = $2',
    [claim.apiKeyHash, claim.key, answer.status, answer.body, answer.answersFrom],
  )
}
