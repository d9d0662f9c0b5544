import { type Tx, statement } from './sql.ts'

export interface NewSignInCode {
  readonly email: string
  readonly codeHash: Buffer
  /** Set when the code was asked for to sign up. */
  readonly businessName: string | null
  readonly memberName: string | null
  readonly createdAt: Date
  readonly expiresAt: Date
}

const PUT = statement(
  'put_sign_in_code',
  `insert into sign_in_codes (email, code_hash, business_name, member_name, created_at, expires_at)
   values ($1, $2, $3, $4, $5, $6)
   on conflict (email) do update
      set code_hash = excluded.code_hash, business_name = excluded.business_name, member_name = excluded.member_name,
          created_at = excluded.created_at, expires_at = excluded.expires_at, attempts = 0, used_at = null`,
)

/** In the place of whatever code the address had. */
export function putSignInCode(tx: Tx, code: NewSignInCode): void {
  const { email, codeHash, businessName, memberName, createdAt, expiresAt } = code
  tx.defer(PUT, [email, codeHash, businessName, memberName, createdAt, expiresAt])
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
    where email = $1 and used_at is null and attempts < $3 and expires_at > $2
   returning code_hash as "codeHash", attempts, business_name as "businessName", member_name as "memberName"`,
)

/** Counts an attempt, and with it locks the code until the end of the transaction; null when there is none left. */
export async function trySignInCode(tx: Tx, email: string, at: Date, mostAttempts: number): Promise<TriedCode | null> {
  return (await tx.query<TriedCode>(TRY, [email, at, mostAttempts]))[0] ?? null
}

const UNTRY = statement('untry_sign_in_code', 'update sign_in_codes set attempts = attempts - 1 where email = $1')

/** The code was right and is still needed: the try was none. After `trySignInCode`, in the same transaction. */
export function untrySignInCode(tx: Tx, email: string): void {
  tx.defer(UNTRY, [email])
}

const USE = statement('use_sign_in_code', 'update sign_in_codes set used_at = $2 where email = $1')

export function useSignInCode(tx: Tx, email: string, at: Date): void {
  tx.defer(USE, [email, at])
}

const TIDY = statement('tidy_sign_in_codes', 'delete from sign_in_codes where expires_at < $1')

export function tidySignInCodes(tx: Tx, expiredBefore: Date): void {
  tx.defer(TIDY, [expiredBefore])
}
