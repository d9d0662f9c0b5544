// Events by type, as the document describes them: what `data` holds is known by `type`. What serialises is `Event`, the same
// without the difference.
import {
  ApiKey,
  DISABLED_REASONS,
  DateTime,
  Deposit,
  EVENT_MEANINGS,
  EVENT_TYPES,
  Environment,
  Event,
  type EventSubject,
  Invoice,
  Member,
  Money,
  Named,
  Nullable,
  Payout,
  RefTo,
  Uuid,
  VERIFICATION_STATUSES,
  WEBHOOK_ENDPOINT_STATUSES,
  WebhookEndpoint,
  Words,
} from '@kestrel/contract'
import { Type, type TSchema } from 'typebox'

const BalanceOfEvent = Named(
  'BalanceOfEvent',
  Type.Object(
    {
      object: Type.Literal('balance'),
      usdc: Money('What the wallet could spend then, in USDC.', '20.00'),
      low_balance_usdc: Money('The threshold that the settings had then.', '50.00'),
    },
    { description: 'The balance, and what it was measured by.' },
  ),
)

const VerificationOfEvent = Named(
  'VerificationOfEvent',
  Type.Object(
    {
      object: Type.Literal('compliance'),
      business_verification: Type.Object({
        status: Words(VERIFICATION_STATUSES, { 'x-open': true }),
        provider_status: Nullable(Type.String({ description: 'The bank’s own word.' })),
      }),
    },
    { description: 'The part of `GET /v1/compliance` that changed.' },
  ),
)

const WebhookEndpointOfEvent = Named(
  'WebhookEndpointOfEvent',
  Type.Object(
    {
      object: Type.Literal('webhook_endpoint'),
      id: Uuid,
      environment: Environment,
      host: Type.String({ description: 'Where it is. Its whole address may hold a secret.' }),
      status: Words(WEBHOOK_ENDPOINT_STATUSES),
      disabled_reason: Nullable(Words(DISABLED_REASONS)),
      disabled_at: Nullable(DateTime),
    },
    { description: 'A receiver of events as it is switched off.' },
  ),
)

/** What a receiver can get: events, and the test of itself. */
export const SENT_TYPES = [...EVENT_TYPES, 'ping'] as const
export type SentType = (typeof SENT_TYPES)[number]

export const SENT_MEANINGS: Readonly<Record<SentType, string>> = {
  ...EVENT_MEANINGS,
  ping: 'A test of an endpoint. It is no event: it is sent when you ask for it, and not kept.',
}

export interface EventKind {
  /** The name of its schema. */
  readonly name: string
  readonly subject: EventSubject
  readonly types: readonly SentType[]
  readonly data: TSchema & { readonly $id: string }
}

const typesOf = (prefix: string) => EVENT_TYPES.filter((type) => type.startsWith(`${prefix}.`))

export const EVENT_KINDS: readonly EventKind[] = [
  { name: 'EventOfPayout', subject: 'payout', types: typesOf('payout'), data: Payout },
  { name: 'EventOfBalance', subject: 'account', types: typesOf('balance'), data: BalanceOfEvent },
  { name: 'EventOfDeposit', subject: 'deposit', types: typesOf('deposit'), data: Deposit },
  { name: 'EventOfInvoice', subject: 'invoice', types: typesOf('invoice'), data: Invoice },
  { name: 'EventOfVerification', subject: 'account', types: typesOf('verification'), data: VerificationOfEvent },
  { name: 'EventOfApiKey', subject: 'api_key', types: typesOf('api_key'), data: ApiKey },
  { name: 'EventOfMember', subject: 'member', types: typesOf('member'), data: Member },
  {
    name: 'EventOfWebhookEndpoint',
    subject: 'webhook_endpoint',
    types: typesOf('webhook_endpoint'),
    data: WebhookEndpointOfEvent,
  },
  { name: 'PingEvent', subject: 'webhook_endpoint', types: ['ping'], data: WebhookEndpoint },
]

const fields = Event.properties

/** One schema per kind, with those of their data that nothing else has. */
export const EVENT_SCHEMAS: readonly (TSchema & { readonly $id: string })[] = [
  ...EVENT_KINDS.map(({ name, subject, types, data }) =>
    Named(
      name,
      Type.Object(
        {
          ...fields,
          type: Words(types, { description: types.map((type) => `\`${type}\`: ${SENT_MEANINGS[type]}`).join(' ') }),
          subject: Type.Object({ ...fields.subject.properties, object: Type.Literal(subject) }),
          data: RefTo(data),
        },
        { description: `An event of ${inWords(types)}.` },
      ),
    ),
  ),
  Named(
    'EventOfAnotherType',
    Type.Object(
      {
        ...fields,
        type: {
          ...Type.String({ description: 'None of the types above.' }),
          not: { type: 'string', enum: [...SENT_TYPES] },
        },
        subject: Type.Object({ ...fields.subject.properties, object: Type.String() }),
        data: fields.data,
      },
      {
        description: 'A type that there was not yet when this was written: answer 2xx, and leave it be.',
      },
    ),
  ),
  BalanceOfEvent,
  Deposit,
  VerificationOfEvent,
  WebhookEndpointOfEvent,
]

function inWords(types: readonly string[]): string {
  const all = types.map((type) => `\`${type}\``)
  return all.length === 1 ? all[0]! : `${all.slice(0, -1).join(', ')} or ${all.at(-1)!}`
}
