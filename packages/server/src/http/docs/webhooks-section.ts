// The `webhooks` of the document: for each type of event, what arrives at a receiver, and what it may answer.
import { EVENT_KINDS, SENT_MEANINGS, SENT_TYPES, type SentType } from './event-kinds.ts'
import { eventOfType } from './event-of-type.ts'
import { refTo } from './published-schema.ts'

const header = (name: string, description: string, schema: object, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', ...schema },
  example,
})

export const WEBHOOK_PARAMETERS = {
  WebhookId: header(
    'webhook-id',
    'The id of the event: the same however often it is sent. Do nothing for one that you have seen.',
    { format: 'uuid' },
    '01a19b8a-dfec-7c3d-8b92-6e1f0a4d5c38',
  ),
  WebhookTimestamp: header(
    'webhook-timestamp',
    'When this attempt was made, in seconds since 1970. Refuse what is more than five minutes away.',
    { pattern: '^\\d+$' },
    '1793610932',
  ),
  WebhookSignature: header(
    'webhook-signature',
    'Signatures with spaces between them: `v1,` with the secret of the endpoint (HMAC-SHA256), `v1a,` with its public key (Ed25519). What is signed is the id, the timestamp and the body as it came, with dots between them. One that fits is enough.',
    {},
    `v1,${'Kx3v'.repeat(10)}Kx0= v1a,${'p2Qa'.repeat(21)}p2==`,
  ),
}

const WISH = {
  'webhook-delivery': {
    description: '`disable`: switch the endpoint off. `abort-message`: give this message up, and no other.',
    schema: { type: 'string', enum: ['disable', 'abort-message'] },
  },
}
const RETRY_AFTER = { 'Retry-After': { $ref: '#/components/headers/Retry-After' } }

const ANSWERS = {
  '2XX': {
    name: 'WebhookTaken',
    description: 'You have it: answer within 15 seconds, and work later. What the body says does not matter.',
  },
  '410': { name: 'WebhookGone', description: 'Nobody is there any more: the endpoint is switched off.' },
  '429': {
    name: 'WebhookTooMany',
    description: 'Too much: we wait as long as you say, up to an hour, and try again.',
    headers: RETRY_AFTER,
  },
  '503': {
    name: 'WebhookAway',
    description: 'Not now: we wait as long as you say, up to an hour, and try again.',
    headers: RETRY_AFTER,
  },
  default: {
    name: 'WebhookNotTaken',
    description:
      'It is tried again: ten attempts over 75 hours, with growing waits. A redirect is not followed. After a day of failures your admins get a mail; after five days the endpoint is switched off.',
    headers: WISH,
  },
}

export const WEBHOOK_ANSWERS = Object.fromEntries(
  Object.values(ANSWERS).map(({ name, ...response }) => [name, response]),
)

export function webhooksSection(): Readonly<Record<string, { readonly post: object }>> {
  return Object.fromEntries(SENT_TYPES.map((type) => [type, { post: arrival(type) }]))
}

function arrival(type: SentType): object {
  const { name } = EVENT_KINDS.find(({ types }) => types.includes(type))!
  const own = { type: 'object', properties: { type: { type: 'string', const: type } }, required: ['type'] }
  return {
    operationId: operationId(type),
    summary: type,
    description: SENT_MEANINGS[type],
    tags: ['Webhooks'],
    security: [],
    parameters: Object.keys(WEBHOOK_PARAMETERS).map((each) => ({ $ref: `#/components/parameters/${each}` })),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { allOf: [refTo(name), own] },
          examples: { example: { summary: type, value: eventOfType(type) } },
        },
      },
    },
    responses: Object.fromEntries(
      Object.entries(ANSWERS).map(([status, each]) => [status, { $ref: `#/components/responses/${each.name}` }]),
    ),
  }
}

/** Such as `onPayoutCompleted`. */
function operationId(type: SentType): string {
  return `on${type.replaceAll(/(?:^|[._])([a-z])/g, (_match, letter: string) => letter.toUpperCase())}`
}
