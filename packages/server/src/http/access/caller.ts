// The partner that a request is about, the environment, and who acts: a key or a member, never both.
import type { authenticateSession } from '../../domain/access/authenticate-session.ts'
import type { KeyScope } from '@kestrel/contract'

import type { authenticateKey } from '../../domain/api-keys/authenticate-key.ts'
import { scopesOf } from '../../domain/api-keys/key-rules.ts'
import type { CountedAs } from '../limits/caller-limits.ts'

type SessionHolder = Awaited<ReturnType<typeof authenticateSession>>
type KeyHolder = Awaited<ReturnType<typeof authenticateKey>>

export interface Caller extends Omit<
  KeyHolder,
  'version' | 'keyId' | 'keyHash' | 'keyPrefix' | 'scopes' | 'allowedIps'
> {
  /** The caller's name in activity: the start of the key, or the email. */
  readonly by: string
  readonly keyId: string | null
  /** What the key may be used for, and from where; null for a member. */
  readonly keyRules: { readonly scopes: readonly KeyScope[]; readonly allowedIps: readonly string[] | null } | null
  readonly session: SessionFacts | null
}

export interface SessionFacts {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly memberId: string
  readonly role: SessionHolder['role']
  readonly expiresAt: Date
}

/**
 * Sandbox and live are counted apart, so that a test program in a loop does not stop what is paid; and people apart from
 * programs, so that somebody can still look what the program does.
 */
export function countedAs({ id, environment, session, keyId }: Caller): CountedAs {
  if (session !== null) return { kind: 'member', own: session.memberId, shared: `${id}/members` }
  return { kind: 'key', own: keyId ?? id, shared: `${id}/${environment}` }
}

export function sessionOfCaller({ session }: Caller): SessionFacts {
  if (session === null) throw new Error('Only somebody who is signed in has a session')
  return session
}

/** Requests that shared the look-up of their key share the caller too. */
const madeOf = new WeakMap<KeyHolder, Caller>()

export function callerWithKey(holder: KeyHolder): Caller {
  const known = madeOf.get(holder)
  if (known !== undefined) return known
  const caller = keyCaller(holder)
  madeOf.set(holder, caller)
  return caller
}

function keyCaller(holder: KeyHolder): Caller {
  const { version: _version, keyId, keyHash: _secret, keyPrefix, scopes, allowedIps, ...account } = holder
  const keyRules = { scopes: scopesOf(account.environment, scopes), allowedIps }
  return { ...account, by: keyPrefix, keyId, keyRules, session: null }
}

export function callerInSession(holder: SessionHolder): Caller {
  const { sessionId, tokenHash: _secret, email, memberId, memberName, role, expiresAt, ...account } = holder
  const session = { id: sessionId, email, name: memberName, memberId, role, expiresAt }
  return { ...account, by: email, keyId: null, keyRules: null, spenderId: memberId, session }
}
