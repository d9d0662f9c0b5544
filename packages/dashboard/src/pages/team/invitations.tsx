import type { Invitation } from '@kestrel/contract'
import { useQuery } from '@tanstack/react-query'

import { Loaded } from '../../app/loaded.tsx'
import { useIsAdmin, useScope } from '../../app/session.ts'
import { useAction } from '../../app/use-action.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Badge } from '../../parts/status-pill.tsx'
import { Time } from '../../parts/time.tsx'
import { sendInvitation, withdrawInvitation } from '../../server/account.ts'
import { invitationsQuery } from '../../server/queries.ts'

/** People who were invited and have not answered. They are not members yet. */
export function Invitations() {
  const invitations = useQuery(invitationsQuery(useScope()))
  if (invitations.data?.data.length === 0) return null
  return (
    <Card title="Invited, not yet accepted">
      <Loaded query={invitations}>
        {({ data }) => (
          <ul className="divide-y divide-line">
            {data.map((invitation) => (
              <Pending key={invitation.id} invitation={invitation} />
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  )
}

function Pending({ invitation }: { invitation: Invitation }) {
  const { email, role, invited_by, expires_at, mailed_at } = invitation
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2.5">
      <span className="min-w-0">
        <span className="font-medium break-words">{email}</span>{' '}
        <Badge tone={role === 'admin' ? 'info' : 'quiet'}>{role === 'admin' ? 'Admin' : 'Viewer'}</Badge>
        <span className="block text-sm break-words text-muted">
          Invited by {invited_by}, valid until <Time at={expires_at} />.{' '}
          {mailed_at === null ? 'No mail was sent: this address has had several invitations lately.' : null}
        </span>
      </span>
      <Actions invitation={invitation} />
    </li>
  )
}

function Actions({ invitation: { id, email } }: { invitation: Invitation }) {
  const isAdmin = useIsAdmin()
  const refresh = ['invitations']
  const again = useAction(() => sendInvitation(id), { done: `The invitation to ${email} was sent again.`, refresh })
  const withdraw = useAction(() => withdrawInvitation(id), {
    done: `The invitation to ${email} was withdrawn.`,
    refresh,
  })
  if (!isAdmin) return null
  return (
    <span className="flex flex-wrap gap-2">
      <Button
        aria-label={`Send again: the invitation to ${email}`}
        busy={again.isPending ? 'Sending…' : false}
        onClick={() => again.mutate(undefined)}
      >
        Send again
      </Button>
      <Button
        aria-label={`Withdraw the invitation to ${email}`}
        busy={withdraw.isPending ? 'Withdrawing…' : false}
        onClick={() => withdraw.mutate(undefined)}
      >
        Withdraw
      </Button>
    </span>
  )
}
