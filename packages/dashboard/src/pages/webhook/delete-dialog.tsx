import type { WebhookEndpoint } from '@kestrel/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'

import { useScope } from '../../app/session.ts'
import { useAction } from '../../app/use-action.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { TypedConfirmation } from '../../parts/typed-confirmation.tsx'
import { endpointsQuery } from '../../server/webhook-queries.ts'
import { deleteEndpoint } from '../../server/webhooks.ts'

/** Whoever deletes types the host: what waits there is lost. */
export function DeleteDialog({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const scope = useScope()
  const client = useQueryClient()
  const navigate = useNavigate()
  // Its own page would read it once more, and find nothing.
  const leave = async () => {
    await navigate({ to: '/webhooks' })
    await client.invalidateQueries(endpointsQuery(scope))
  }
  const act = useAction(() => deleteEndpoint(scope.environment, endpoint.id), {
    done: 'The endpoint was deleted.',
    onDone: () => void leave(),
  })
  return (
    <Dialog
      title="Delete this endpoint?"
      description="Nothing more is sent to it, not even what waits, and its secret is gone. This cannot be undone. To stop for a while, pause it instead."
      isOpen
      onClose={onClose}
    >
      <TypedConfirmation
        name={new URL(endpoint.url).host}
        verb="Delete endpoint"
        busy={act.isPending ? 'Deleting…' : false}
        onConfirm={() => act.mutate(undefined)}
        onClose={onClose}
      />
    </Dialog>
  )
}
