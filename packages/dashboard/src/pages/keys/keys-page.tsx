import type { ApiKey, ApiKeyCreated, Environment } from '@kestrel/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'

import { isActiveKey } from '../../keys/active-key.ts'
import { Loaded } from '../../app/loaded.tsx'
import { buttonClass, Page } from '../../app/page.tsx'
import { useIsAdmin, useIsVerified, useScope, useSession } from '../../app/session.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { EmptyState, WhoCan } from '../../parts/states.tsx'
import { keysQuery } from '../../server/queries.ts'
import { CreateKeyDialog, KeySecretDialog, RevokeKeyDialog, RotateKeyDialog } from './key-dialogs.tsx'
import { KeyTable } from './key-table.tsx'
import { LimitsDialog } from './limits-dialog.tsx'

const LIMIT = 5

type Open =
  | { readonly dialog: 'create'; readonly environment: Environment }
  | { readonly dialog: 'limits' | 'rotate' | 'revoke'; readonly chosen: ApiKey }
  | { readonly dialog: 'secret'; readonly created: ApiKeyCreated }

export function KeysPage() {
  const scope = useScope()
  const { create } = useSearch({ from: '/inside/keys' })
  const navigate = useNavigate({ from: '/keys' })
  const isAdmin = useIsAdmin()
  const { partner } = useSession()
  const keys = useQuery(keysQuery(scope))
  const isVerified = useIsVerified()
  const [picked, setOpen] = useState<Open | null>(null)
  const isAsked = create !== undefined && isAdmin && isVerified
  const open = picked ?? (isAsked ? ({ dialog: 'create', environment: scope.environment } as const) : null)
  const show = (next: Open | null) => {
    setOpen(next)
    if (create !== undefined) void navigate({ search: {}, replace: true })
  }
  const order: readonly Environment[] = scope.environment === 'live' ? ['live', 'sandbox'] : ['sandbox', 'live']
  return (
    <Page
      title="API keys"
      sub="A key belongs to one environment and sees only this business."
      actions={isAdmin ? undefined : <WhoCan>Only admins manage keys. Ask an admin of {partner.name}.</WhoCan>}
    >
      <Loaded query={keys}>
        {({ data }) =>
          order.map((environment) => (
            <KeyCard
              key={environment}
              environment={environment}
              keys={data.filter((key) => key.environment === environment)}
              onOpen={show}
            />
          ))
        }
      </Loaded>
      <OpenDialog open={open} keys={keys.data?.data ?? []} onOpen={show} onClose={() => show(null)} />
    </Page>
  )
}

interface DialogProps {
  readonly open: Open | null
  readonly keys: readonly ApiKey[]
  readonly onOpen: (open: Open) => void
  readonly onClose: () => void
}

function OpenDialog({ open, keys, onOpen, onClose }: DialogProps) {
  if (open === null) return null
  const onCreated = (created: ApiKeyCreated) => onOpen({ dialog: 'secret', created })
  switch (open.dialog) {
    case 'create':
      return <CreateKeyDialog environment={open.environment} onCreated={onCreated} onClose={onClose} />
    case 'secret':
      return <KeySecretDialog created={open.created} onClose={onClose} />
    case 'limits':
      return <LimitsDialog chosen={open.chosen} onClose={onClose} />
    case 'revoke':
      return <RevokeKeyDialog chosen={open.chosen} onClose={onClose} />
    case 'rotate': {
      const beside = keys.filter((key) => key.environment === open.chosen.environment && isActiveKey(key, new Date()))
      const isFull = beside.length >= LIMIT
      return <RotateKeyDialog chosen={open.chosen} isFull={isFull} onCreated={onCreated} onClose={onClose} />
    }
  }
}

interface CardProps {
  readonly environment: Environment
  readonly keys: readonly ApiKey[]
  readonly onOpen: (open: Open) => void
}

function KeyCard({ environment, keys, onOpen }: CardProps) {
  const isAdmin = useIsAdmin()
  const { partner } = useSession()
  const active = keys.filter((key) => isActiveKey(key, new Date())).length
  const isClosed = environment === 'live' && partner.verification_status !== 'approved'
  return (
    <Card
      flush
      title={`${environment === 'live' ? 'Live' : 'Sandbox'}, ${active} of ${LIMIT}`}
      action={
        isAdmin && !isClosed ? (
          <Button
            icon="plus"
            disabled={active >= LIMIT}
            title={active >= LIMIT ? 'Five keys is the limit. Revoke or rotate one.' : undefined}
            onClick={() => onOpen({ dialog: 'create', environment })}
          >
            Create {environment} key
          </Button>
        ) : undefined
      }
    >
      {isClosed ? (
        <LiveIsClosed />
      ) : keys.length === 0 ? (
        <EmptyState icon="keys" title={`No ${environment} keys`}>
          {isAdmin ? 'Create one to use the API from your own programs.' : 'An admin can create one.'}
        </EmptyState>
      ) : (
        <KeyTable
          keys={keys}
          {...(isAdmin
            ? { onPick: (dialog: 'limits' | 'rotate' | 'revoke', chosen: ApiKey) => onOpen({ dialog, chosen }) }
            : {})}
        />
      )}
    </Card>
  )
}

function LiveIsClosed() {
  return (
    <EmptyState icon="lock" title="Live keys come with verification">
      <p>A live key moves real money, so the bank verifies the business first.</p>
      <Link to="/compliance" className={buttonClass()}>
        Go to verification
      </Link>
    </EmptyState>
  )
}
