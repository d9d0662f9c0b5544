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
  if ((await claimKeys(tx, [claim])).has(claim.key)) return null
  const [kept] = await tx.query<KeptAnswer>(
    `select fingerprint, status, body, created_at as "createdAt", answers_from as "answersFrom"
       from idempotency_keys where api_key_hash = $1 and key = $2`,
    [claim.apiKeyHash, claim.key],
  )
  assert(kept !== undefined && kept.status !== null, 'a key that is taken has its answer: both are written together')
  return kept
}

/** Returns which of several keys, all different and of one API key, are now the caller's. */
export async function claimKeys(tx: Tx, claims: readonly KeyClaim[]): Promise<ReadonlySet<string>> {
  // In the same order everywhere, so that two batches never wait for each other.
  const inOrder = claims.toSorted((one, other) => (one.key < other.key ? -1 : 1))
  const rows = await tx.query<{ key: string }>(
    `insert into idempotency_keys (api_key_hash, key, fingerprint, created_at)
     select * from unnest($1::bytea[], $2::text[], $3::bytea[], $4::timestamptz[])
     on conflict do nothing returning key`,
    [
      inOrder.map((claim) => claim.apiKeyHash),
      inOrder.map((claim) => claim.key),
      inOrder.map((claim) => claim.fingerprint),
      inOrder.map((claim) => claim.at),
    ],
  )
  return new Set(rows.map(({ key }) => key))
}

export interface AnswerToKeep {
  readonly claim: KeyClaim
  readonly status: number
  readonly body: string
  readonly answersFrom: Date | null
}

export function keepAnswers(tx: Tx, answers: readonly AnswerToKeep[]): void {
  tx.defer(
    `update idempotency_keys k set status = kept.status, body = kept.body, answers_from = kept.answers_from
       from unnest($1::bytea[], $2::text[], $3::int[], $4::text[], $5::timestamptz[])
         as kept (api_key_hash, key, status, body, answers_from)
      where k.api_key_hash = kept.api_key_hash and k.key = kept.key`,
    [
      answers.map(({ claim }) => claim.apiKeyHash),
      answers.map(({ claim }) => claim.key),
      answers.map(({ status }) => status),
      answers.map(({ body }) => body),
      answers.map(({ answersFrom }) => answersFrom),
    ],
  )
}
