// Receivers are looked at, changed, paused, given another secret and deleted.
import { after } from '../../core/clock.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { isUuid } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { readLastPosition } from '../../storage/events.ts'
import type { Tx } from '../../storage/sql.ts'
import { giveUpDeliveries, keepInOrder } from '../../storage/webhook-deliveries.ts'
import {
  type EndpointRow,
  deleteEndpoint as writeDeletion,
  findEndpoint,
  listEndpoints as readEndpoints,
  lockEndpoint,
  updateEndpoint,
} from '../../storage/webhook-endpoints.ts'
import type { EndpointDeps, EndpointWithSecret } from './create-endpoint.ts'
import { type EndpointNotice, tellOfEndpoint } from './endpoint-notice.ts'
import { newSecret, sealSecret } from './endpoint-secret.ts'
import { requireAllowedUrl, requireKnownEvents } from './endpoint-rules.ts'
import { IN_ORDER_MS } from './make-deliveries.ts'

export function listEndpoints(deps: Pick<EndpointDeps, 'db'>, scope: Scope): Promise<EndpointRow[]> {
  return readEndpoints(deps.db, scope)
}

export async function readEndpoint(deps: Pick<EndpointDeps, 'db'>, scope: Scope, id: string): Promise<EndpointRow> {
  const found = isUuid(id) ? await findEndpoint(deps.db, scope, id) : null
  if (found === null) throw notFound()
  return found
}

export interface EndpointChange {
  readonly url?: string
  readonly description?: string | null
  readonly events?: readonly string[]
  readonly status?: 'active' | 'paused'
}

export async function changeEndpoint(
  deps: EndpointDeps,
  scope: Scope,
  { id, change, notice }: { id: string; change: EndpointChange; notice: EndpointNotice },
): Promise<{ before: EndpointRow; endpoint: EndpointRow }> {
  let before = await readEndpoint(deps, scope, id)
  const events = change.events === undefined ? {} : { events: requireKnownEvents(change.events) }
  const url = change.url === undefined ? {} : { url: await requireAllowedUrl(deps, scope.environment, change.url) }
  const changed = await withLocked(deps, scope, id, async (locked, tx) => {
    before = locked
    const endpoint = {
      ...locked,
      ...url,
      ...events,
      ...(change.description === undefined ? {} : { description: change.description }),
      ...(change.status === undefined ? {} : await inState(tx, deps, locked, change.status)),
    }
    if (endpoint.url !== locked.url) {
      await tellOfEndpoint(tx, deps, { event: 'moved', endpoint, before: locked, notice })
    }
    return endpoint
  })
  return { before, endpoint: changed }
}

/**
 * Whoever says how it shall be has looked at it: what failed before is forgotten. What waits goes out in its order; what happened
 * while it was switched off is not sent.
 */
async function inState(tx: Tx, deps: EndpointDeps, endpoint: EndpointRow, status: 'active' | 'paused') {
  const { status: before, position } = endpoint
  if (status === 'active' && before === 'paused') keepInOrder(tx, endpoint, after(deps.clock.now(), IN_ORDER_MS))
  return {
    status,
    disabledReason: null,
    disabledAt: null,
    failingSince: null,
    toldAt: null,
    quietUntil: null,
    position: before === 'disabled' ? await readLastPosition(tx, endpoint) : position,
  }
}

/** The new secret signs from now on, and the one before as well until the grace is over. */
export async function rotateSecret(
  deps: EndpointDeps,
  scope: Scope,
  { id, graceSeconds, notice }: { id: string; graceSeconds: number; notice: EndpointNotice },
): Promise<EndpointWithSecret> {
  await readEndpoint(deps, scope, id)
  const secret = newSecret()
  const at = deps.clock.now()
  const endpoint = await withLocked(deps, scope, id, async (old, tx) => {
    // The secret that the receiver has may be the one before: another rotation would end it at once.
    if (graceSeconds > 0 && old.previousSecretUntil !== null && old.previousSecretUntil > at)
      throw inGrace(old.previousSecretUntil)
    await tellOfEndpoint(tx, deps, { event: 'rotated', endpoint: old, notice })
    return {
      ...old,
      secretSealed: sealSecret(deps.secrets, secret, id),
      previousSecretSealed: graceSeconds === 0 ? null : old.secretSealed,
      previousSecretUntil: graceSeconds === 0 ? null : after(at, graceSeconds * 1_000),
    }
  })
  return { endpoint, secret }
}

function inGrace(until: Date): AppError {
  return new AppError(
    'invalid_request',
    `Two secrets sign until ${until.toISOString()}. Rotate again after that, or with grace_seconds 0, which ends the secret before at once. Nothing was changed.`,
    { details: { fields: ['grace_seconds (0 while two secrets sign)'] } },
  )
}

async function withLocked(
  deps: EndpointDeps,
  scope: Scope,
  id: string,
  change: (endpoint: EndpointRow, tx: Tx) => Promise<EndpointRow>,
): Promise<EndpointRow> {
  const written = await deps.db.inTransaction(async (tx: Tx) => {
    const endpoint = await lockEndpoint(tx, scope, id)
    if (endpoint === null) throw notFound()
    const changed = await change(endpoint, tx)
    updateEndpoint(tx, changed)
    return changed
  })
  deps.post.wake()
  return written
}

/** Returns what it was. */
export async function deleteEndpoint(deps: EndpointDeps, scope: Scope, id: string): Promise<EndpointRow> {
  if (!isUuid(id)) throw notFound()
  return deps.db.inTransaction(async (tx) => {
    // Before its deliveries, as everybody does: nobody can make one more of them until it is gone.
    const endpoint = await lockEndpoint(tx, scope, id)
    if (endpoint === null) throw notFound()
    const at = deps.clock.now()
    giveUpDeliveries(tx, { ...scope, id }, at)
    writeDeletion(tx, scope, id, at)
    return endpoint
  })
}
