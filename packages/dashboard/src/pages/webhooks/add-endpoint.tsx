import type { WebhookEndpointWithSecret } from '@kestrel/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import { useEnvironment } from '../../app/session.ts'
import { createEndpoint } from '../../server/webhooks.ts'
import { NEW_DRAFT } from '../../webhooks/endpoint-draft.ts'
import { EndpointForm } from '../../webhooks/endpoint-form.tsx'
import { EndpointSecretDialog } from '../../webhooks/endpoint-secret-dialog.tsx'

/** First the form, then the secret, and then the new endpoint's page. */
export function AddEndpoint({ onClose }: { onClose: () => void }) {
  const environment = useEnvironment()
  const navigate = useNavigate()
  const [made, setMade] = useState<WebhookEndpointWithSecret | null>(null)
  if (made !== null) {
    const show = () => void navigate({ to: '/webhooks/$id', params: { id: made.id }, search: {} })
    return <EndpointSecretDialog made={made} onClose={show} />
  }
  return (
    <EndpointForm
      title={`Add a ${environment} endpoint`}
      description="The address of your program that shall hear what happens. Events are sent to it from now on."
      verb="Add endpoint"
      busy="Adding…"
      start={NEW_DRAFT}
      run={({ description, ...body }) =>
        createEndpoint(environment, { ...body, ...(description === null ? {} : { description }) })
      }
      onDone={setMade}
      onClose={onClose}
    />
  )
}
