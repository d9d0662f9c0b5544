import { type Db, type Tx, statement } from './sql.ts'

/** A confirm code belongs to one member, for one business, in one session. */
export interface CodeHolder {
  readonly partnerId: string
  readonly email: string
  readonly sessionId: string
}

const PUT = statement(
  'put_confirm_code',
  `insert into confirm_codes (partner_id, session_id, email, id, fingerprint, code_hash, created_at, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8)
   on conflict (partner_id, session_id) do update
      set email = excluded.email, id = excluded.id, fingerprint = excluded.fingerprint, code_hash = excluded.code_hash,
          created_at = excluded.created_at, expires_at = excluded.expires_at, attempts = 0, used_at = null,
          used_for = null`,
)

/** Replaces any code that the session had. */
export function putConfirmCode(
  tx: Tx,
  holder: CodeHolder,
  code: { id: string; fingerprint: Buffer; codeHash: Buffer; createdAt: Date; expiresAt: Date },
): void {
  const { id, fingerprint, codeHash, createdAt, expiresAt } = code
  const { partnerId, sessionId, email } = holder
  tx.defer(PUT, [partnerId, sessionId, email, id, fingerprint, codeHash, createdAt, expiresAt])
}

export interface TriedConfirmCode {
  readonly fingerprint: Buffer
  readonly codeHash: Buffer
  readonly attempts: number
}

const TRY = statement(
  'try_confirm_code',
  `update confirm_codes set attempts = attempts + 1
    where partner_id = $1 and session_id = $2 and expires_at > $3 and attempts < $4
      and (used_for is null or used_for = $5)
   returning fingerprint, code_hash as "codeHash", attempts`,
)

/** Counts an attempt, which also locks the code until the transaction ends. Null when the code cannot be tried. */
export async function tryConfirmCode(
  tx: Tx,
  holder: CodeHolder,
  attempt: { at: Date; mostAttempts: number; usedFor: string },
): Promise<TriedConfirmCode | null> {
  const { at, mostAttempts, usedFor } = attempt
  const values = [holder.partnerId, holder.sessionId, at, mostAttempts, usedFor]
  return (await tx.query<TriedConfirmCode>(TRY, values))[0] ?? null
}

const BIND = statement(
  'bind_confirm_code',
  `update confirm_codes set used_at = coalesce(used_at, $3), used_for = $4, attempts = attempts - 1
    where partner_id = $1 and session_id = $2`,
)

/**
 * Binds the code to that request, and takes back the attempt. Call it after `tryConfirmCode`, in the same transaction.
 */
export function bindConfirmCode(tx: Tx, holder: CodeHolder, use: { at: Date; usedFor: string }): void {
  tx.defer(BIND, [holder.partnerId, holder.sessionId, use.at, use.usedFor])
}

const EXPIRY = statement(
  'confirm_code_expiry',
  'select expires_at as "expiresAt" from confirm_codes where partner_id = $1 and session_id = $2',
)

export async function confirmCodeExpiry(db: Db, holder: CodeHolder): Promise<Date | null> {
  return (await db.query<{ expiresAt: Date }>(EXPIRY, [holder.partnerId, holder.sessionId]))[0]?.expiresAt ?? null
}

const TIDY = statement('tidy_confirm_codes', 'delete from confirm_codes where expires_at < $1')

export function tidyConfirmCodes(tx: Tx, expiredBefore: Date): void {
  tx.defer(TIDY, [expiredBefore])
}
