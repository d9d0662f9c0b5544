// One attempt: the event as it is sent, signed anew for this moment.
import { SERVICE_VERSION } from '../../core/service-version.ts'
import type { WebhookAnswer } from '../../outbound/send-webhook.ts'
import type { EndpointRow } from '../../storage/webhook-endpoints.ts'
import type { DataKeys, Deps } from '../deps.ts'
import { judgeKeptUrl } from './endpoint-rules.ts'
import { openSecret } from './endpoint-secret.ts'
import { type SignedMessage, createSigner, signedHeaders, timestampOf } from './sign.ts'

export type AttemptDeps = Pick<Deps, 'clock' | 'secrets' | 'outbound'>

export interface Message {
  /** The event's id. */
  readonly id: string
  readonly body: string
}

/** Sends one message to an endpoint. The attempt ends with `until`, unless it was answered before. */
export type Way = (message: Message, until: AbortSignal) => Promise<WebhookAnswer>

/** The way to an endpoint as it is: its address is judged and its secrets are opened once, for all that goes there. */
export function wayTo(deps: AttemptDeps, endpoint: EndpointRow): Way {
  const verdict = judgeKeptUrl(deps, endpoint.environment, endpoint.url)
  if (!verdict.isAllowed) return () => Promise.resolve({ ...NO_ANSWER, error: 'refused_address' })
  const { url, reach } = verdict
  const signed = signerOf(deps.secrets, endpoint)
  return ({ id, body: text }, until) => {
    const { headers, body } = signed({ id, at: deps.clock.now(), body: text })
    return deps.outbound.sender.send({ url, reach, headers: { ...SAME_ALWAYS, ...headers }, body, until })
  }
}

/** Signs with the secret from before as well, for as long as that counts. */
function signerOf(secrets: DataKeys, endpoint: EndpointRow) {
  const { id: endpointId, previousSecretSealed: previous, previousSecretUntil: until } = endpoint
  const newest = openSecret(secrets, endpoint.secretSealed, endpointId)
  const alone = createSigner(secrets, { endpointId, endpointSecrets: [newest] })
  if (previous === null || until === null) return alone
  const both = createSigner(secrets, {
    endpointId,
    endpointSecrets: [newest, openSecret(secrets, previous, endpointId)],
  })
  return (message: SignedMessage) => (until > message.at ? both : alone)(message)
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
