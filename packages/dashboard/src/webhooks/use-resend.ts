import type { WebhookDelivery } from '@kestrel/contract'

import { useEnvironment } from '../app/session.ts'
import { useAction } from '../app/use-action.ts'
import { DELIVERIES, ENDPOINTS } from '../server/webhook-queries.ts'
import { sendAgain } from '../server/webhooks.ts'

/** Sends an event to the same endpoint once more. It keeps its id, so a receiver that has it already knows. */
export function useResend(onDone?: (made: WebhookDelivery | undefined) => void) {
  const environment = useEnvironment()
  return useAction((delivery: WebhookDelivery) => sendAgain(environment, delivery), {
    done: 'The event is sent again.',
    refresh: [DELIVERIES, ENDPOINTS],
    onDone: ({ data }) => onDone?.(data[0]),
  })
}
