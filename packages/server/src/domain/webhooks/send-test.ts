// Sends one message while the caller waits, to see whether a receiver works. Nothing of it is kept.
import type { Scope } from '../../core/scope.ts'
import { newId } from '../../core/ids.ts'
import type { Deps } from '../deps.ts'
import { type AttemptDeps, headersOf, sendTo } from './attempt.ts'
import { errorOf } from './decide-attempt.ts'
import { readEndpoint } from './change-endpoint.ts'
import { type EndpointDoing, howItDoes } from './how-endpoints-do.ts'

export interface TestAttempt {
  readonly isDelivered: boolean
  readonly at: Date
  readonly ms: number
  readonly status: number | null
  readonly error: string | null
  readonly answer: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** @param write The body, from the endpoint, a new id and this moment. */
export async function sendTest(
  deps: AttemptDeps & Pick<Deps, 'db'>,
  scope: Scope,
  id: string,
  write: (endpoint: EndpointDoing, message: { id: string; at: Date }) => string,
): Promise<TestAttempt> {
  const endpoint = await howItDoes(deps, await readEndpoint(deps, scope, id))
  const at = deps.clock.now()
  const messageId = newId(at)
  const message = { id: messageId, body: write(endpoint, { id: messageId, at }) }
  const headers = headersOf(deps, endpoint, message)
  const answered = await sendTo(deps, endpoint, { headers, body: message.body })
  const { status, ms, answer } = answered
  const isDelivered = status !== null && status >= 200 && status < 300
  return { isDelivered, at, ms, status, error: errorOf(answered, isDelivered), answer, headers, body: message.body }
}
