// At most ten receivers per environment, however many requests ask at once.
import { MOST_ENDPOINTS } from '@kestrel/contract'

import { AppError } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { readLastPosition } from '../../storage/events.ts'
import { lockPartner } from '../../storage/partners.ts'
import { type EndpointRow, insertEndpoint, listEndpoints } from '../../storage/webhook-endpoints.ts'
import type { Deps } from '../deps.ts'
import { type Limit, takeOrRefuse } from '../limits/limit.ts'
import { type EndpointNotice, tellOfEndpoint } from './endpoint-notice.ts'
import { newSecret, sealSecret } from './endpoint-secret.ts'
import { requireAllowedUrl, requireKnownEvents } from './endpoint-rules.ts'

export type EndpointDeps = Pick<Deps, 'db' | 'clock' | 'secrets' | 'outbound' | 'mailer' | 'post'>

export interface EndpointWithSecret {
  readonly endpoint: EndpointRow
  readonly secret: string
}

const AT_ONCE = 50
const EVERY_MINUTES = 30

/** Only ten are there at a time, but making and deleting over and over would leave endless rows. */
const MAKE_ENDPOINT: Limit = {
  name: 'webhook-endpoint/partner',
  everyMs: EVERY_MINUTES * 60_000,
  burst: AT_ONCE,
  refusal: `A business can make ${AT_ONCE} webhook endpoints at once and then one more every ${EVERY_MINUTES} minutes. Wait as long as Retry-After says. Nothing was done.`,
}

export async function createEndpoint(
  deps: EndpointDeps,
  scope: Scope,
  wanted: { url: string; description: string | null; events: readonly string[]; by: string },
  notice?: EndpointNotice,
): Promise<EndpointWithSecret> {
  const events = requireKnownEvents(wanted.events)
  const url = await requireAllowedUrl(deps, scope.environment, wanted.url)
  const made = await deps.db.inTransaction(async (tx) => {
    await lockPartner(tx, scope.partnerId)
    if ((await listEndpoints(tx, scope)).length >= MOST_ENDPOINTS) throw limitReached(scope)
    await takeOrRefuse(tx, deps, MAKE_ENDPOINT, scope.partnerId)
    const at = deps.clock.now()
    const [id, secret] = [newId(at), newSecret()]
    const endpoint: EndpointRow = {
      ...scope,
      id,
      url,
      description: wanted.description,
      events,
      status: 'active',
      disabledReason: null,
      disabledAt: null,
      secretSealed: sealSecret(deps.secrets, secret, id),
      previousSecretSealed: null,
      previousSecretUntil: null,
      failingSince: null,
      toldAt: null,
      quietUntil: null,
      servedBy: null,
      servedUntil: null,
      lastFailedAt: null,
      lastFailedStatus: null,
      lastFailedError: null,
      firstDeliveredAt: null,
      createdAt: at,
      createdBy: wanted.by,
      // What happened before is not sent.
      position: await readLastPosition(tx, scope),
    }
    insertEndpoint(tx, endpoint)
    if (notice !== undefined) await tellOfEndpoint(tx, deps, { event: 'created', endpoint, notice })
    return { endpoint, secret }
  })
  deps.post.wake()
  return made
}

function limitReached({ environment }: Scope): AppError {
  return new AppError(
    'endpoint_limit_reached',
    `There are ${MOST_ENDPOINTS} webhook endpoints in ${environment} already, which is the limit. Delete one first.`,
  )
}
