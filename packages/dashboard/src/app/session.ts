// Who is signed in, for which business and in which environment. Inside the shell there is always a signed-in person.
import type { Environment, Session } from '@kestrel/contract'
import { useSearch } from '@tanstack/react-router'
import { createContext, use } from 'react'

import type { Scope } from '../server/client.ts'

export const SessionContext = createContext<Session | null>(null)

export function useSession(): Session {
  const session = use(SessionContext)
  if (session === null) throw new Error('This part of the page is only shown to somebody who is signed in.')
  return session
}

/** The environment stands in the address, so a link, a reload and a second tab all keep it. */
export function useEnvironment(): Environment {
  const search: { environment?: unknown } = useSearch({ strict: false })
  return search.environment === 'live' ? 'live' : 'sandbox'
}

export function useScope(): Scope {
  const environment = useEnvironment()
  return { slug: useSession().partner.slug, environment }
}

export function useIsAdmin(): boolean {
  return useSession().role === 'admin'
}

/** Sandbox is open to everybody; live needs an approved business. */
export function useIsVerified(): boolean {
  const environment = useEnvironment()
  return useSession().partner.verification_status === 'approved' || environment === 'sandbox'
}
