import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

import { Loaded } from '../app/loaded.tsx'
import { SessionContext } from '../app/session.ts'
import { Skeleton } from '../parts/skeleton.tsx'
import { sessionQuery } from '../server/queries.ts'
import { Shell } from './shell.tsx'

/** Everything behind it is for somebody who is signed in; anybody else signs in and comes back to where they were. */
export function Gate() {
  const session = useQuery(sessionQuery)
  const wasSignedIn = useRef(false)
  useEffect(() => {
    wasSignedIn.current ||= session.data != null
  }, [session.data])
  return (
    <Loaded query={session} skeleton={<Skeleton rows={8} />}>
      {(found) =>
        found === null ? (
          <ToSignIn hasEnded={wasSignedIn.current} />
        ) : (
          <SessionContext value={found}>
            <Shell />
          </SessionContext>
        )
      }
    </Loaded>
  )
}

/** Goes once: while it is on its way the address changes under it, and must not become part of itself. */
function ToSignIn({ hasEnded }: { hasEnded: boolean }) {
  const { href, pathname } = useLocation()
  const navigate = useNavigate()
  const way = useRef({
    ...(pathname === '/' ? {} : { next: href }),
    ...(hasEnded ? { ended: 'yes' } : {}),
  })
  useEffect(() => void navigate({ to: '/sign-in', search: way.current, replace: true }), [navigate])
  return null
}
