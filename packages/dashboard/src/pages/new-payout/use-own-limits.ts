import { useQuery } from '@tanstack/react-query'

import { useScope, useSession } from '../../app/session.ts'
import { type Room, leastRoom } from '../../limits/amounts-draft.ts'
import { membersQuery } from '../../server/queries.ts'

/** What the reader may still pay here; null without limits, or while that is not known: the server decides in any case. */
export function useOwnRoom(): Room | null {
  const { email } = useSession()
  const members = useQuery(membersQuery(useScope())).data?.data
  const own = members?.find((member) => member.email === email)
  return own === undefined ? null : leastRoom(own)
}
