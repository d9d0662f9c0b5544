import type { PersonInBrowser } from './known-browsers.ts'
import { type Tx, statement } from './sql.ts'

export interface NewSignInCode {
  readonly email: string
  readonly browserHash: Buffer
  readonly codeHash: Buffer
  /** Set when the code was asked for to sign up. */
  readonly businessName: string | null
  readonly memberName: string | null
  readonly createdAt: Date
  readonly expiresAt: Date
}

const PUT = statement(
  'put_sign_in_code',
  `insert into sign_in_codes (email, browser_hash, code_hash, business_name, member_name, created_at, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7)
   on conflict (email, browser_hash) do update
      set code_hash = excluded.code_hash, business_name = excluded.business_name, member_name = excluded.member_name,
          created_at = excluded.created_at, expires_at = excluded.expires_at, attempts = 0, used_at = null`,
)

/** Replaces any code that the address had in this browser; codes in other browsers stay. */
export function putSignInCode(tx: Tx, code: NewSignInCode): void {
  const { email, browserHash, codeHash, businessName, memberName, createdAt, expiresAt } = code
  tx.defer(PUT, [email, browserHash, codeHash, businessName, memberName, createdAt, expiresAt])
}

export interface TriedCode {
  readonly codeHash: Buffer
  readonly attempts: number
  readonly businessName: string | null
  readonly memberName: string | null
}

const TRY = statement(
  'try_sign_in_code',
  `update sign_in_codes set attempts = attempts + 1
    where email = $1 and browser_hash = $2 and used_at is null and attempts < $4 and expires_at > $3
   returning code_hash as "codeHash", attempts, business_name as "businessName", member_name as "memberName"`,
)

/** Counts an attempt, which also locks the code until the transaction ends. Null when no attempt is left. */
export async function trySignInCode(
  tx: Tx,
  { email, browserHash }: PersonInBrowser,
  attempt: { at: Date; mostAttempts: number },
): Promise<TriedCode | null> {
  return (await tx.query<TriedCode>(TRY, [email, browserHash, attempt.at, attempt.mostAttempts]))[0] ?? null
}

const UNTRY = statement(
  'untry_sign_in_code',
  'update sign_in_codes set attempts = attempts - 1 where email = $1 and browser_hash = $2',
)

/**
 * Takes back the attempt with a right code that is still needed. Call it after `trySignInCode`, in the same
 * transaction.
 */
export function untrySignInCode(tx: Tx, { email, browserHash }: PersonInBrowser): void {
  tx.defer(UNTRY, [email, browserHash])
}

const USE = statement(
  'use_sign_in_code',
  'update sign_in_codes set used_at = $3 where email = $1 and browser_hash = $2',
)

export function useSignInCode(tx: Tx, { email, browserHash }: PersonInBrowser, at: Date): void {
  tx.defer(USE, [email, browserHash, at])
}

const TIDY = statement('tidy_sign_in_codes', 'delete from sign_in_codes where expires_at < $1')

export function tidySignInCodes(tx: Tx, expiredBefore: Date): void {
  tx.defer(TIDY, [expiredBefore])
}
