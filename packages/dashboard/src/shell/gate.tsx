import type { Session } from '@kestrel/contract'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

import { Loaded } from '../app/loaded.tsx'
import { SessionContext } from '../app/session.ts'
import { Skeleton } from '../parts/skeleton.tsx'
import { note } from '../parts/toasts.tsx'
import { hasMoved, showBusiness } from '../server/business.ts'
import { sessionQuery } from '../server/queries.ts'
import { loadAnew, useOtherTabs, whereMoved } from './other-tabs.ts'
import { Shell } from './shell.tsx'

/** Everything behind it is for somebody who is signed in; anybody else signs in and comes back to where they were. */
export function Gate() {
  const session = useQuery(sessionQuery)
  const before = useRef<string | null>(null)
  useEffect(() => {
    before.current = session.data?.partner.slug ?? before.current
  }, [session.data])
  return (
    <Loaded query={session} skeleton={<Skeleton rows={8} />}>
      {(found) => {
        if (found === null) return <ToSignIn business={before.current} />
        const { slug, name } = found.partner
        // The key mounts everything anew, so that nothing of one business is shown under another's name.
        return hasMoved(slug) ? <Elsewhere name={name} /> : <Inside key={slug} session={found} />
      }}
    </Loaded>
  )
}

function Inside({ session }: { session: Session }) {
  // Before anything below asks the server.
  useState(() => showBusiness(session.partner.slug))
  useOtherTabs()
  useEffect(() => {
    const moved = whereMoved()
    if (moved !== null)
      note(`You are now in ${moved}, which was opened in another tab. A browser shows one business at a time.`)
  }, [])
  return (
    <SessionContext value={session}>
      <Shell />
    </SessionContext>
  )
}

/** The session was turned to another business, and not by this tab. */
function Elsewhere({ name }: { name: string }) {
  useEffect(() => loadAnew(name), [name])
  return null
}

/** Navigates once. The address changes meanwhile, and must not be put into its own `next`. */
function ToSignIn({ business }: { business: string | null }) {
  const { href, pathname } = useLocation()
  const navigate = useNavigate()
  const way = useRef({
    ...(pathname === '/' ? {} : { next: href }),
    ...(business === null ? {} : { ended: 'yes', business }),
  })
  useEffect(() => void navigate({ to: '/sign-in', search: way.current, replace: true }), [navigate])
  return null
}
