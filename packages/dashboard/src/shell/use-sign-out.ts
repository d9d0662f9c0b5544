import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'

import { describeChangeFailure } from '../app/failure.ts'
import { complain } from '../parts/toasts.tsx'
import { chooseBusiness, signOut } from '../server/auth.ts'
import { showBusiness } from '../server/business.ts'
import { ApiError } from '../server/client.ts'
import { SESSION } from '../server/queries.ts'
import { turnTo } from './other-tabs.ts'

const tell = (error: unknown) => {
  const { message, requestId } = describeChangeFailure(error)
  complain(message, requestId)
}

/** Removes everything but the session, whose listeners must see the change. */
function forget(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] })
}

/** A session that has already ended counts as signed out. */
async function endSession(): Promise<void> {
  try {
    await signOut()
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
  }
}

export function useSignOut(): () => void {
  const client = useQueryClient()
  const navigate = useNavigate()
  const leave = async () => {
    await endSession()
    // Leave the page first: it would take the end of the session for an error.
    await navigate({ to: '/sign-in', search: { environment: undefined } })
    showBusiness(null)
    client.setQueryData(SESSION, null)
    forget(client)
  }
  return () => void leave().catch(tell)
}

/** Opens a place of this page by its address, or the front page. */
export function useOpen(): (target: string | null) => Promise<void> {
  const navigate = useNavigate()
  const router = useRouter()
  return async (target) => {
    if (target === null) await navigate({ to: '/', replace: true })
    else router.history.replace(`${router.basepath.replace(/\/$/, '')}${target}`)
  }
}

export function useChooseBusiness(target: string | null = null): (slug: string) => void {
  const client = useQueryClient()
  const navigate = useNavigate()
  const open = useOpen()
  const choose = async (slug: string) => {
    const session = await chooseBusiness(slug)
    turnTo(slug)
    client.setQueryData(SESSION, session)
    if (target === null) await navigate({ to: '/', search: { environment: undefined }, replace: true })
    else await open(target)
    forget(client)
  }
  return (slug) => void choose(slug).catch(tell)
}
