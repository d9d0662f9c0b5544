import type { Session } from '@kestrel/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Navigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'

import { describeChangeFailure } from '../../app/failure.ts'
import { Loaded } from '../../app/loaded.tsx'
import { setTitle } from '../../app/title.ts'
import { Skeleton } from '../../parts/skeleton.tsx'
import { complain, say } from '../../parts/toasts.tsx'
import { acceptInvitation, declineInvitation } from '../../server/auth.ts'
import { SESSION, sessionQuery } from '../../server/queries.ts'
import { turnTo } from '../../shell/other-tabs.ts'
import { useChooseBusiness, useOpen } from '../../shell/use-sign-out.ts'
import { Entrance } from '../../entrance/entrance.tsx'
import { safeNext } from '../../entrance/safe-next.ts'
import { ChoiceList } from '../../entrance/choice-list.tsx'

export function ChoosePage() {
  const session = useQuery(sessionQuery)
  useEffect(() => setTitle(['Choose a business'], null, null), [])
  return (
    <Loaded query={session} skeleton={<Skeleton />}>
      {(found) =>
        found === null ? (
          <Navigate to="/sign-in" search={{ next: '/choose' }} replace />
        ) : (
          <Entrance title="Choose a business">
            <Choices session={found} />
          </Entrance>
        )
      }
    </Loaded>
  )
}

const tell = (error: Error) => {
  const { message, requestId } = describeChangeFailure(error)
  complain(message, requestId)
}

function Choices({ session }: { session: Session }) {
  const { next } = useSearch({ from: '/choose' })
  const choose = useChooseBusiness(safeNext(next))
  const client = useQueryClient()
  const open = useOpen()
  const readAgain = () => client.invalidateQueries({ queryKey: SESSION })
  const accept = useMutation({
    mutationFn: acceptInvitation,
    onSuccess: async (moved) => {
      turnTo(moved.partner.slug)
      client.setQueryData(SESSION, moved)
      await open(null)
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] })
    },
    onError: (error) => {
      tell(error)
      void readAgain()
    },
  })
  const decline = useMutation({
    mutationFn: declineInvitation,
    onSuccess: () => say('The invitation was declined.'),
    onError: tell,
    onSettled: readAgain,
  })
  return (
    <ChoiceList
      partners={session.partners}
      invitations={session.invitations}
      isBusy={accept.isPending || decline.isPending}
      onChoose={choose}
      onAccept={accept.mutate}
      onDecline={decline.mutate}
    />
  )
}
