// An event that never happened, for trying out a receiver.
import type { Environment, Payout } from '@kestrel/contract'

import { presentEndpoint } from '../present/webhook.ts'
import { CANCELLED, COMPLETED, FAILED, PENDING, PROCESSING, RETURNED } from './payout-examples.ts'

const PAYOUTS: Readonly<Record<string, Payout>> = {
  'payout.created': PROCESSING,
  'payout.pending': PENDING,
  'payout.processing': PROCESSING,
  'payout.completed': COMPLETED,
  'payout.failed': FAILED,
  'payout.cancelled': CANCELLED,
  'payout.returned': RETURNED,
  'payout.refunded': FAILED,
}

type Endpoint = Parameters<typeof presentEndpoint>[0] & { readonly environment: Environment }

export function sampleEvent(type: string, endpoint: Endpoint, { id, at }: { id: string; at: Date }): object {
  const payout = PAYOUTS[type]
  const { environment } = endpoint
  return {
    object: 'event',
    id,
    type,
    environment,
    occurred_at: at.toISOString(),
    subject:
      payout === undefined ? { object: 'webhook_endpoint', id: endpoint.id } : { object: 'payout', id: payout.id },
    sequence: 1,
    request_id: null,
    data: payout === undefined ? presentEndpoint(endpoint, { session: null }) : { ...payout, environment },
  }
}
