import type { Session } from '@kestrel/contract'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from '@tanstack/react-router'

import { Loaded } from '../../app/loaded.tsx'
import { NotFound } from '../../shell/lost.tsx'
import { useChooseBusiness } from '../../shell/use-sign-out.ts'
import { Delayed } from '../../parts/skeleton.tsx'
import { ApiError } from '../../server/client.ts'
import { publicPartnerQuery, sessionQuery } from '../../server/queries.ts'
import { useEffect } from 'react'
import { SignInForm } from './sign-in-form.tsx'
import { useEnter } from '../../entrance/use-enter.ts'

/** /dashboard/thistle-market: the sign-in page of one business, with its logo and colour. */
export function BusinessSignInPage() {
  const { slug } = useParams({ from: '/$slug' })
  const session = useQuery(sessionQuery)
  const partner = useQuery(publicPartnerQuery(slug))
  const enter = useEnter({ business: slug })
  const waiting = (
    <Delayed>
      <p className="pt-24 text-center text-muted">Loading…</p>
    </Delayed>
  )
  if (partner.error instanceof ApiError && partner.error.status < 500) return <NotFound />
  return (
    <Loaded query={session} skeleton={waiting}>
      {(found) =>
        found !== null && found.partners.some((own) => own.slug === slug) ? (
          <Arrive session={found} slug={slug} />
        ) : (
          <Loaded query={partner} skeleton={waiting}>
            {(dress) => <SignInForm partner={dress} onSignedIn={enter} />}
          </Loaded>
        )
      }
    </Loaded>
  )
}

/** Somebody who is signed in already and belongs to the business goes straight in. */
function Arrive({ session, slug }: { session: Session; slug: string }) {
  const choose = useChooseBusiness()
  const isThere = session.partner.slug === slug
  useEffect(() => {
    if (!isThere) choose(slug)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when the page opens
  }, [isThere, slug])
  return isThere ? <Navigate to="/" replace /> : null
}
