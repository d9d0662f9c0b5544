import type { Member } from '@kestrel/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'

import { Loaded } from '../../app/loaded.tsx'
import { Page } from '../../app/page.tsx'
import { useIsAdmin, useScope, useSession } from '../../app/session.ts'
import { amountsInWords } from '../../limits/amounts-draft.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { WhoCan } from '../../parts/states.tsx'
import { Badge } from '../../parts/status-pill.tsx'
import { Time } from '../../parts/time.tsx'
import { membersQuery } from '../../server/queries.ts'
import { Devices } from './devices.tsx'
import { Invitations } from './invitations.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { MemberActions } from './member-actions.tsx'
import { MayPay } from './member-limits.tsx'

export function TeamPage() {
  const { invite } = useSearch({ from: '/inside/team' })
  const navigate = useNavigate({ from: '/team' })
  const isAdmin = useIsAdmin()
  const { partner } = useSession()
  const [wantsToInvite, setInviting] = useState(false)
  const isInviting = isAdmin && (wantsToInvite || invite !== undefined)
  const members = useQuery(membersQuery(useScope()))
  const close = () => {
    setInviting(false)
    if (invite !== undefined) void navigate({ search: {}, replace: true })
  }
  return (
    <Page
      title="Team"
      sub="Admins send payouts and manage keys and people. Viewers see everything and move nothing."
      actions={
        isAdmin ? (
          <Button kind="primary" icon="plus" onClick={() => setInviting(true)}>
            Invite
          </Button>
        ) : (
          <WhoCan>Only admins can invite people. Ask an admin of {partner.name}.</WhoCan>
        )
      }
    >
      <Card flush className="overflow-hidden">
        <Loaded query={members}>{({ data }) => <Members members={data} />}</Loaded>
      </Card>
      <Invitations />
      <Devices />
      {isInviting ? <InviteDialog onClose={close} /> : null}
    </Page>
  )
}

function Members({ members }: { members: readonly Member[] }) {
  const isAdmin = useIsAdmin()
  const columns = useMemo(() => columnsOf(isAdmin), [isAdmin])
  return (
    <DataTable
      caption="Team"
      columns={columns}
      rows={members}
      rowId={({ id }) => id}
      narrow={(member) => (
        <div className="flex items-center justify-between gap-3">
          <span className="min-w-0">
            <Who member={member} />
            {isUnlimited(member) ? null : (
              <span className="block text-sm text-muted">
                <MayPay member={member} />
              </span>
            )}
          </span>
          <span className="flex items-center gap-1">
            <Role member={member} />
            {isAdmin ? <MemberActions member={member} /> : null}
          </span>
        </div>
      )}
    />
  )
}

const isUnlimited = (member: Member) => member.role === 'viewer' || amountsInWords(member).length === 0

function Who({ member: { name, email } }: { member: Member }) {
  const own = useSession().email
  return (
    <span className="min-w-0 wrap-anywhere">
      <span className="block font-medium">
        {name ?? email}
        {email === own ? <span className="font-normal text-muted"> (you)</span> : null}
      </span>
      {name == null ? null : <span className="block text-sm text-muted">{email}</span>}
    </span>
  )
}

function Role({ member: { role } }: { member: Member }) {
  return <Badge tone={role === 'admin' ? 'info' : 'quiet'}>{role === 'admin' ? 'Admin' : 'Viewer'}</Badge>
}

function columnsOf(isAdmin: boolean): readonly Column<Member>[] {
  const columns: Column<Member>[] = [
    { id: 'who', header: 'Person', cell: (row) => <Who member={row} />, sortBy: (row) => row.name ?? row.email },
    { id: 'role', header: 'Role', cell: (row) => <Role member={row} />, sortBy: (row) => row.role },
    { id: 'pays', header: 'May pay', cell: (row) => <MayPay member={row} /> },
    {
      id: 'seen',
      header: 'Last sign-in',
      cell: ({ last_login_at }) =>
        last_login_at == null ? <span className="text-muted">Not yet</span> : <Time at={last_login_at} />,
      sortBy: ({ last_login_at }) => last_login_at ?? '',
    },
    {
      id: 'by',
      header: 'Invited by',
      cell: ({ invited_by }) => <span className="wrap-anywhere text-muted">{invited_by}</span>,
    },
  ]
  if (isAdmin) {
    columns.push({ id: 'actions', header: 'Actions', isRight: true, cell: (row) => <MemberActions member={row} /> })
  }
  return columns
}
