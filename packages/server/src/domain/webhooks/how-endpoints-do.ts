// How well an endpoint does, in figures that cost the same however much was sent: the hours of a day, and the last failure.
import { after } from '../../core/clock.ts'
import type { Scope } from '../../core/scope.ts'
import { keepMilestones } from '../../storage/milestones.ts'
import type { Tx } from '../../storage/sql.ts'
import type { EndpointRow } from '../../storage/webhook-endpoints.ts'
import { type EndpointFigures, noteEndpoint, readEndpointFigures } from '../../storage/webhook-hours.ts'
import type { Deps } from '../deps.ts'
import type { AttemptVerdict } from './decide-attempt.ts'

export const DAY_MS = 24 * 3_600_000

export type EndpointDoing = EndpointRow & Pick<EndpointFigures, 'attempts' | 'delivered'>

export async function withFigures(
  deps: Pick<Deps, 'db' | 'clock'>,
  scope: Scope,
  endpoints: readonly EndpointRow[],
): Promise<EndpointDoing[]> {
  const since = after(deps.clock.now(), -DAY_MS)
  const read = await readEndpointFigures(deps.db, scope, { ids: endpoints.map(({ id }) => id), since })
  const byId = new Map(read.map((figures) => [figures.endpointId, figures]))
  return endpoints.map((endpoint) => {
    const { attempts = 0, delivered = 0 } = byId.get(endpoint.id) ?? {}
    return { ...endpoint, attempts, delivered }
  })
}

export async function howItDoes(deps: Pick<Deps, 'db' | 'clock'>, endpoint: EndpointRow): Promise<EndpointDoing> {
  return (await withFigures(deps, endpoint, [endpoint]))[0]!
}

/** Under the endpoint's lock. Writes nothing for an endpoint that goes on answering well. */
export function noteHowItDoes(
  tx: Tx,
  endpoint: EndpointRow,
  { heard, now }: { heard: readonly AttemptVerdict[]; now: Date },
): void {
  const failure = heard.findLast(({ isDelivered }) => !isDelivered)?.result ?? null
  const isFirst = endpoint.firstDeliveredAt === null && heard.some(({ isDelivered }) => isDelivered)
  if (failure === null && !isFirst) return
  noteEndpoint(tx, endpoint, { deliveredAt: isFirst ? now : null, failure })
  const { partnerId, environment } = endpoint
  if (isFirst) keepMilestones(tx, partnerId, [{ environment, name: 'webhook_verified', at: now }])
}
