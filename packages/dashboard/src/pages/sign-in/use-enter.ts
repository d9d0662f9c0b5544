import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'

import { SESSION } from '../../server/queries.ts'
import type { Session } from '../../server/shapes.ts'
import { safeNext } from './safe-next.ts'

/** Goes in: to where the visitor wanted to go, or to the choice between several businesses. */
export function useEnter(next: string | undefined, isBusinessKnown: boolean): (session: Session) => void {
  const client = useQueryClient()
  const navigate = useNavigate()
  const router = useRouter()
  return (session) => {
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] })
    // The key is shown once and kept nowhere.
    client.setQueryData(SESSION, { ...session, sandbox_key: undefined })
    const target = safeNext(next)
    if (session.partners.length > 1 && !isBusinessKnown) {
      void navigate({ to: '/choose', replace: true })
    } else if (target === null) {
      void navigate({ to: '/', replace: true })
    } else {
      router.history.replace(`${router.basepath.replace(/\/$/, '')}${target}`)
    }
  }
}
