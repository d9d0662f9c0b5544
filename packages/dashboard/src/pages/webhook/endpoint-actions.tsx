import type { WebhookEndpoint, WebhookEndpointWithSecret } from '@kestrel/contract'
import { useState } from 'react'

import { useEnvironment, useIsAdmin, useSession } from '../../app/session.ts'
import { useAction } from '../../app/use-action.ts'
import { Button } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Menu, MenuItem } from '../../parts/menu.tsx'
import { WhoCan } from '../../parts/states.tsx'
import { DELIVERIES, ENDPOINTS } from '../../server/webhook-queries.ts'
import { changeEndpoint } from '../../server/webhooks.ts'
import { draftOf } from '../../webhooks/endpoint-draft.ts'
import { EndpointForm } from '../../webhooks/endpoint-form.tsx'
import { EndpointSecretDialog } from '../../webhooks/endpoint-secret-dialog.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { ReplayDialog } from './replay-dialog.tsx'
import { RotateDialog } from './rotate-dialog.tsx'
import { TestDialog } from './test-dialog.tsx'

type Open = 'test' | 'edit' | 'rotate' | 'replay' | 'delete' | { readonly made: WebhookEndpointWithSecret } | null

export function EndpointActions({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { partner } = useSession()
  const isAdmin = useIsAdmin()
  const [open, setOpen] = useState<Open>(null)
  if (!isAdmin) return <WhoCan>Only admins change endpoints and send again. Ask an admin of {partner.name}.</WhoCan>
  return (
    <>
      <Button kind="primary" onClick={() => setOpen('test')}>
        Send test event
      </Button>
      <PauseButton endpoint={endpoint} />
      <Menu
        trigger={
          <Button>
            More
            <Icon name="chevronDown" size={14} />
          </Button>
        }
      >
        <MenuItem icon="settings" onSelect={() => setOpen('edit')}>
          Edit
        </MenuItem>
        <MenuItem icon="refresh" onSelect={() => setOpen('replay')}>
          Replay events
        </MenuItem>
        <MenuItem icon="keys" onSelect={() => setOpen('rotate')}>
          Rotate secret
        </MenuItem>
        <MenuItem icon="trash" onSelect={() => setOpen('delete')}>
          Delete
        </MenuItem>
      </Menu>
      <OpenDialog endpoint={endpoint} open={open} onOpen={setOpen} />
    </>
  )
}

interface DialogProps {
  readonly endpoint: WebhookEndpoint
  readonly open: Open
  readonly onOpen: (open: Open) => void
}

function OpenDialog({ endpoint, open, onOpen }: DialogProps) {
  const onClose = () => onOpen(null)
  if (open === null) return null
  if (typeof open === 'object') return <EndpointSecretDialog made={open.made} onClose={onClose} />
  switch (open) {
    case 'test':
      return <TestDialog endpoint={endpoint} onClose={onClose} />
    case 'edit':
      return <EditDialog endpoint={endpoint} onClose={onClose} />
    case 'rotate':
      return <RotateDialog endpoint={endpoint} onMade={(made) => onOpen({ made })} onClose={onClose} />
    case 'replay':
      return <ReplayDialog endpoint={endpoint} onClose={onClose} />
    case 'delete':
      return <DeleteDialog endpoint={endpoint} onClose={onClose} />
  }
}

function EditDialog({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const environment = useEnvironment()
  return (
    <EndpointForm
      title="Edit the endpoint"
      description="What waits is sent to the new address, and signed with the same secret."
      verb="Save"
      busy="Saving…"
      start={draftOf(endpoint)}
      run={(body) => changeEndpoint(environment, endpoint.id, body)}
      onDone={onClose}
      onClose={onClose}
    />
  )
}

function PauseButton({ endpoint: { id, status } }: { endpoint: WebhookEndpoint }) {
  const environment = useEnvironment()
  const next = status === 'active' ? 'paused' : 'active'
  const act = useAction(() => changeEndpoint(environment, id, { status: next }), {
    done: next === 'paused' ? 'The endpoint is paused: its events are kept.' : 'Events are sent to it again.',
    refresh: [ENDPOINTS, DELIVERIES],
  })
  const word = status === 'active' ? 'Pause' : status === 'paused' ? 'Resume' : 'Switch on'
  return (
    <Button busy={act.isPending ? `${word}…` : false} onClick={() => act.mutate(undefined)}>
      {word}
    </Button>
  )
}
