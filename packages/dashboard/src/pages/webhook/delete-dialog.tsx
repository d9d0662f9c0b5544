import type { WebhookEndpoint } from '@kestrel/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import { useScope } from '../../app/session.ts'
import { useAction } from '../../app/use-action.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { endpointsQuery } from '../../server/webhook-queries.ts'
import { deleteEndpoint } from '../../server/webhooks.ts'

/** Whoever deletes types the host: what waits there is lost. */
export function DeleteDialog({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const scope = useScope()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const { host } = new URL(endpoint.url)
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
      <form
        className="grid gap-1"
        onSubmit={(event) => {
          event.preventDefault()
          if (typed.trim() === host && !act.isPending) act.mutate(undefined)
        }}
      >
        <Field
          label={`Type ${host} to confirm`}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <DialogActions>
          <Button onClick={onClose}>Keep it</Button>
          <Button
            kind="danger"
            type="submit"
            disabled={typed.trim() !== host}
            busy={act.isPending ? 'Deleting…' : false}
          >
            Delete endpoint
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
