import type { Session } from '@kestrel/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'

import { turnTo } from '../shell/other-tabs.ts'
import { useOpen } from '../shell/use-sign-out.ts'
import { SESSION } from '../server/queries.ts'
import { safeNext } from './safe-next.ts'

interface Wanted {
  /** Where the visitor wanted to go. */
  readonly next?: string | undefined
  /** The business that it was in, or whose own door this is, by its slug. */
  readonly business?: string | undefined
}

/** Goes in: to where the visitor wanted to go, after the choice between several businesses unless it is made. */
export function useEnter({ next, business }: Wanted): (session: Session, hasChosen?: boolean) => void {
  const client = useQueryClient()
  const navigate = useNavigate()
  const open = useOpen()
  return (session, hasChosen = false) => {
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] })
    turnTo(session.partner.slug)
    // The key is shown once and kept nowhere.
    client.setQueryData(SESSION, { ...session, sandbox_key: undefined })
    const wanted = safeNext(next)
    // Whoever has just chosen is through with the page where one chooses.
    const target = hasChosen && wanted === '/choose' ? null : wanted
    const isAsked = session.partners.length > 1 || session.invitations.length > 0
    if (isAsked && !hasChosen && session.partner.slug !== business && target !== '/choose') {
      void navigate({ to: '/choose', search: target === null ? {} : { next: target }, replace: true })
    } else {
      void open(target)
    }
  }
}
