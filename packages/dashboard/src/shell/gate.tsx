import { useQuery } from '@tanstack/react-query'
import { Navigate, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

import { Loaded } from '../app/loaded.tsx'
import { SessionContext } from '../app/session.ts'
import { Skeleton } from '../parts/skeleton.tsx'
import { sessionQuery } from '../server/queries.ts'
import { Shell } from './shell.tsx'

/** Everything behind it is for somebody who is signed in; anybody else signs in and comes back to where they were. */
export function Gate() {
  const session = useQuery(sessionQuery)
  const { href, pathname } = useLocation()
  const wasSignedIn = useRef(false)
  useEffect(() => {
    wasSignedIn.current ||= session.data != null
  }, [session.data])
  const way = {
    ...(pathname === '/' ? {} : { next: href }),
    ...(wasSignedIn.current ? { ended: 'yes' } : {}),
  }
  return (
    <Loaded query={session} skeleton={<Skeleton rows={8} />}>
      {(found) =>
        found === null ? (
          <Navigate to="/sign-in" search={way} replace />
        ) : (
          <SessionContext value={found}>
            <Shell />
          </SessionContext>
        )
      }
    </Loaded>
  )
}
