// An event in the document: one of its kinds, told apart by `type`. Types that are not known yet are of a kind of their own.
import { EVENT_KINDS, EVENT_SCHEMAS } from './event-kinds.ts'
import { type Json, published, refTo } from './published-schema.ts'

type Schemas = Record<string, Json>

export function withEvents(schemas: Schemas): Schemas {
  const named = EVENT_SCHEMAS.map((schema) => published(schema as unknown as Json))
  return {
    ...schemas,
    Event: anyEvent(schemas['Event']!),
    ...Object.fromEntries(named),
    WebhookDeliveryWithAttempts: withPayload(schemas['WebhookDeliveryWithAttempts']!),
  }
}

function anyEvent({ description }: Json): Json {
  const mapping = EVENT_KINDS.flatMap(({ name, types }) => types.map((type) => [type, refTo(name).$ref]))
  return {
    type: 'object',
    description: `${String(description)} What \`data\` holds is known by \`type\`: the subject in the shape that its own \`GET\` answers, or the part that the event is about. There will be more types.`,
    oneOf: [...EVENT_KINDS.map(({ name }) => refTo(name)), refTo('EventOfAnotherType')],
    discriminator: { propertyName: 'type', mapping: Object.fromEntries(mapping) },
  }
}

function withPayload(delivery: Json): Json {
  const properties = delivery['properties'] as Record<string, Json>
  const { description } = properties['payload']!
  return {
    ...delivery,
    properties: { ...properties, payload: { description, anyOf: [refTo('Event'), { type: 'null' }] } },
  }
}
