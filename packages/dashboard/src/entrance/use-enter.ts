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
  /** The slug of the business that was open before, or whose own sign-in page this is. */
  readonly business?: string | undefined
}

/** After sign-in: opens the page that was wanted. Somebody with several businesses chooses one first, unless they have. */
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
    // Somebody who has just chosen is not sent to the choice again.
    const target = hasChosen && wanted === '/choose' ? null : wanted
    const isAsked = session.partners.length > 1 || session.invitations.length > 0
    if (isAsked && !hasChosen && session.partner.slug !== business && target !== '/choose') {
      void navigate({ to: '/choose', search: target === null ? {} : { next: target }, replace: true })
    } else {
      void open(target)
    }
  }
}
