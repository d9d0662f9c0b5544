import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'

import { describeFailure } from '../app/failure.ts'
import { complain } from '../parts/toasts.tsx'
import { chooseBusiness, signOut } from '../server/auth.ts'
import { SESSION } from '../server/queries.ts'

const tell = (error: unknown) => {
  const { message, requestId } = describeFailure(error)
  complain(message, requestId)
}

/** Everything but the session itself, whose watchers must hear of the change. */
function forget(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] })
}

export function useSignOut(): () => void {
  const client = useQueryClient()
  const navigate = useNavigate()
  const leave = async () => {
    await signOut()
    // Away first: a page that is still there would take the end of the session for an accident.
    await navigate({ to: '/sign-in', search: { environment: undefined } })
    client.setQueryData(SESSION, null)
    forget(client)
  }
  return () => void leave().catch(tell)
}

export function useChooseBusiness(): (slug: string) => void {
  const client = useQueryClient()
  const navigate = useNavigate()
  const choose = async (slug: string) => {
    client.setQueryData(SESSION, await chooseBusiness(slug))
    await navigate({ to: '/', search: { environment: undefined } })
    forget(client)
  }
  return (slug) => void choose(slug).catch(tell)
}
