// One attempt: the event as it is sent, signed anew for this moment.
import { SERVICE_VERSION } from '../../core/service-version.ts'
import type { WebhookAnswer } from '../../outbound/send-webhook.ts'
import type { EndpointRow } from '../../storage/webhook-endpoints.ts'
import type { DataKeys, Deps } from '../deps.ts'
import { judgeKeptUrl } from './endpoint-rules.ts'
import { openSecret } from './endpoint-secret.ts'
import { signedHeaders, timestampOf } from './sign.ts'

export type AttemptDeps = Pick<Deps, 'clock' | 'secrets' | 'outbound'>

export interface Message {
  /** The event's id. */
  readonly id: string
  readonly body: string
}

export function attempt(deps: AttemptDeps, endpoint: EndpointRow, message: Message): Promise<WebhookAnswer> {
  return sendTo(deps, endpoint, { headers: headersOf(deps, endpoint, message), body: message.body })
}

const NO_ANSWER = { status: null, ms: 0, answer: '', retryAfter: null, wish: null } as const

export async function sendTo(
  deps: Pick<Deps, 'outbound'>,
  endpoint: EndpointRow,
  request: { headers: Readonly<Record<string, string>>; body: string },
): Promise<WebhookAnswer> {
  const verdict = judgeKeptUrl(deps, endpoint.environment, endpoint.url)
  if (!verdict.isAllowed) return { ...NO_ANSWER, error: 'refused_address' }
  return deps.outbound.sender.send({ url: verdict.url, reach: verdict.reach, ...request })
}

const SAME_ALWAYS = {
  'content-type': 'application/json',
  'user-agent': `Kestrel-Payouts/${SERVICE_VERSION}`,
  accept: '*/*',
  'accept-encoding': 'identity',
} as const

export function headersOf(
  { clock, secrets }: Pick<Deps, 'clock' | 'secrets'>,
  endpoint: EndpointRow,
  { id, body }: Message,
): Readonly<Record<string, string>> {
  const at = clock.now()
  const signing = { endpointId: endpoint.id, endpointSecrets: secretsThatSign(secrets, endpoint, at) }
  return { ...SAME_ALWAYS, ...signedHeaders(secrets, signing, { id, at, body }) }
}

/** Without the signature, which is made for each attempt and not kept. */
export function plainHeaders(id: string, at: Date | null): Readonly<Record<string, string>> {
  const timestamp = at === null ? {} : { 'webhook-timestamp': timestampOf(at) }
  return { ...SAME_ALWAYS, 'webhook-id': id, ...timestamp }
}

function secretsThatSign(keys: DataKeys, endpoint: EndpointRow, at: Date): string[] {
  const { id, secretSealed, previousSecretSealed: previous, previousSecretUntil: until } = endpoint
  const isInGrace = previous !== null && until !== null && until > at
  return [openSecret(keys, secretSealed, id), ...(isInGrace ? [openSecret(keys, previous, id)] : [])]
}
