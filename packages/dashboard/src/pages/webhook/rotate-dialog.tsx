import type { WebhookEndpoint, WebhookEndpointWithSecret } from '@kestrel/contract'
import { useState } from 'react'

import { useEnvironment } from '../../app/session.ts'
import { useAction } from '../../app/use-action.ts'
import { useNow } from '../../app/use-now.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { Choice } from '../../parts/field.tsx'
import { ENDPOINTS } from '../../server/webhook-queries.ts'
import { rotateSecret } from '../../server/webhooks.ts'
import { timeLeft } from './time-left.ts'

const GRACES = [
  { value: '0', label: 'Now', hint: 'The old secret stops at once. For one that leaked.' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '24 hours', hint: 'Time to change it in your receiver.' },
  { value: '604800', label: '7 days' },
] as const

interface RotateProps {
  readonly endpoint: WebhookEndpoint
  readonly onMade: (made: WebhookEndpointWithSecret) => void
  readonly onClose: () => void
}

export function RotateDialog({ endpoint, onMade, onClose }: RotateProps) {
  const environment = useEnvironment()
  const now = useNow(1_000)
  // The receiver may still have the secret before: another rotation ends that one.
  const left = endpoint.previous_secret_until === null ? null : timeLeft(endpoint.previous_secret_until, now)
  const [chosen, setChosen] = useState<(typeof GRACES)[number]['value']>('86400')
  const grace = left === null ? chosen : '0'
  const act = useAction(() => rotateSecret(environment, endpoint.id, Number(grace)), {
    refresh: [ENDPOINTS],
    onDone: onMade,
  })
  return (
    <Dialog
      title="Rotate the secret"
      description="You get a new secret now. Until the old one stops, both sign, so that nothing is lost while you change your receiver."
      isOpen
      onClose={onClose}
    >
      <Choice
        legend="The old secret signs until"
        name="grace"
        value={grace}
        onChange={setChosen}
        options={left === null ? GRACES : GRACES.slice(0, 1)}
      />
      {left === null ? null : (
        <p className="num mt-2 text-sm text-muted">
          Two secrets sign already, for another {left}. Rotating now ends both of them.
        </p>
      )}
      {environment === 'live' ? <p className="mt-3 text-sm text-muted">Every admin gets a mail.</p> : null}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" busy={act.isPending ? 'Rotating…' : false} onClick={() => act.mutate(undefined)}>
          Rotate secret
        </Button>
      </DialogActions>
    </Dialog>
  )
}
