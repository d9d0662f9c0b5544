// What was sent to endpoints, what they answered, and sending it again.
import {
  DELIVERY_STATES,
  Redelivery,
  WebhookDeliveriesMade,
  WebhookDeliveryList,
  WebhookDeliveryWithAttempts,
  WebhookReplay,
  WebhookReplayStarted,
  WebhookTest,
  WebhookTestResult,
  Words,
} from '@kestrel/contract'
import { Type } from 'typebox'

import { listEndpointDeliveries, listSubjectDeliveries, readDelivery } from '../../domain/webhooks/read-deliveries.ts'
import { redeliver, replay } from '../../domain/webhooks/replay.ts'
import { sendTest } from '../../domain/webhooks/send-test.ts'
import { scopeOf } from '../access/authenticate.ts'
import { presentList } from '../present/lists.ts'
import {
  presentDelivery,
  presentDeliveryPage,
  presentDeliveryWithAttempts,
  presentTest,
} from '../present/webhook-delivery.ts'
import { sampleEvent } from '../docs/sample-event.ts'
import { Moment, momentAsked } from '../query/moment-query.ts'
import { PAGE_FIELDS, pageAsked } from '../query/page-query.ts'
import { addWebhookRoute, idIn } from './add-webhook-route.ts'
import type { RouteContext } from './route-context.ts'

const ONE = '/v1/webhook-endpoints/:id'
const OF_ENDPOINT = { names: { what: 'endpoint', variable: 'ENDPOINT_ID' } } as const

export function addWebhookDeliveryRoutes(context: RouteContext): void {
  addTest(context)
  addReads(context)
  addOfSubject(context)
  addRedeliver(context)
  addReplay(context)
}

/** As much as a costly read: it holds a connection to somebody else's machine. */
const TEST_COST = 10

function addTest(context: RouteContext): void {
  addWebhookRoute(context, {
    ...OF_ENDPOINT,
    method: 'POST',
    url: `${ONE}/test`,
    id: 'testWebhookEndpoint',
    asksOutside: true,
    action: 'webhook_endpoint.test',
    summary: 'Send a test to a webhook endpoint',
    description:
      'One attempt, signed like any other, made while you wait: a `ping`, or an event about a payout that does not exist. It is not kept and not tried again.',
    body: WebhookTest,
    sampleBody: '{"type": "ping"}',
    cost: TEST_COST,
    ok: { status: 200, schema: WebhookTestResult, description: 'What was sent, and what was answered.' },
    answer: async (request) => {
      const { type = 'ping' } = request.body as WebhookTest
      const write: Parameters<typeof sendTest>[3] = (endpoint, message) =>
        JSON.stringify(sampleEvent(type, endpoint, message))
      return presentTest(await sendTest(context.deps, scopeOf(request), idIn(request), write))
    },
  })
}

const FILTER = {
  ...PAGE_FIELDS,
  state: Type.Optional(
    Words(DELIVERY_STATES, { description: 'Only deliveries in this state.', 'x-rule': DELIVERY_STATES.join(', ') }),
  ),
  type: Type.Optional(Type.String({ maxLength: 60, description: 'Only events of this type.' })),
  event: Type.Optional(Type.String({ format: 'uuid', description: 'Only this event, by its id.', 'x-rule': 'a UUID' })),
  from: Moment('Only deliveries made since.'),
}

interface FilterQuery {
  limit?: number
  cursor?: string
  state?: (typeof DELIVERY_STATES)[number]
  type?: string
  event?: string
  from?: string
}

function addReads(context: RouteContext): void {
  const { deps } = context
  addWebhookRoute(context, {
    ...OF_ENDPOINT,
    method: 'GET',
    url: `${ONE}/deliveries`,
    id: 'listWebhookDeliveries',
    action: 'webhook_deliveries.list',
    summary: 'List the deliveries of a webhook endpoint',
    description: 'What was sent to it in the last 90 days, and what waits.',
    query: FILTER,
    ok: { status: 200, schema: WebhookDeliveryList, description: 'The newest first.' },
    answer: async (request) => {
      const { state = null, type = null, event: eventId = null, from, ...page } = request.query as FilterQuery
      const asked = { state, type, eventId, from: momentAsked('from', from), ...pageAsked(page) }
      return presentDeliveryPage(await listEndpointDeliveries(deps, scopeOf(request), idIn(request), asked))
    },
  })
  addWebhookRoute(context, {
    method: 'GET',
    url: '/v1/deliveries/:id',
    names: { what: 'delivery', variable: 'DELIVERY_ID' },
    id: 'readWebhookDelivery',
    action: 'webhook_delivery.read',
    summary: 'Look into a delivery',
    description: 'What is sent, and every attempt with its answer.',
    ok: { status: 200, schema: WebhookDeliveryWithAttempts, description: 'The delivery.' },
    answer: async (request) =>
      presentDeliveryWithAttempts(deps, await readDelivery(deps, scopeOf(request), idIn(request))),
  })
}

const OF_SUBJECT = {
  ...PAGE_FIELDS,
  subject: Type.String({
    format: 'uuid',
    description: 'What the events are about, by its id, such as a payout.',
    'x-rule': 'a UUID',
  }),
}

function addOfSubject(context: RouteContext): void {
  addWebhookRoute(context, {
    method: 'GET',
    url: '/v1/deliveries',
    sampleQuery: '?subject=$PAYOUT_ID',
    id: 'listDeliveriesOfSubject',
    action: 'webhook_deliveries.list',
    summary: 'List the deliveries about a payout',
    description:
      'What was sent about a payout, or anything else that has events, to all endpoints of the environment, and what waits. Of a subject with very many events, those of the newest 200.',
    query: OF_SUBJECT,
    ok: { status: 200, schema: WebhookDeliveryList, description: 'The newest first.' },
    answer: async (request) => {
      const { subject: subjectId, ...page } = request.query as FilterQuery & { subject: string }
      const asked = { subjectId, ...pageAsked(page) }
      return presentDeliveryPage(await listSubjectDeliveries(context.deps, scopeOf(request), asked))
    },
  })
}

function addRedeliver(context: RouteContext): void {
  addWebhookRoute(context, {
    method: 'POST',
    url: '/v1/events/:id/redeliver',
    names: { what: 'event', variable: 'EVENT_ID' },
    id: 'redeliverEvent',
    action: 'event.redeliver',
    summary: 'Send an event again',
    description:
      'To every endpoint that wants it, or to one. It keeps its id, so a receiver that has it already knows.',
    body: Redelivery,
    sampleBody: '{}',
    ok: { status: 202, schema: WebhookDeliveriesMade, description: 'It is sent as soon as possible.' },
    answer: async (request) => {
      const { endpoint_id: endpointId = null } = request.body as Redelivery
      const made = await redeliver(context.deps, scopeOf(request), { eventId: idIn(request), endpointId })
      return presentList(made.map(presentDelivery))
    },
  })
}

function addReplay(context: RouteContext): void {
  addWebhookRoute(context, {
    ...OF_ENDPOINT,
    method: 'POST',
    url: `${ONE}/replay`,
    id: 'replayWebhooks',
    action: 'webhook_endpoint.replay',
    summary: 'Send the events of a time again',
    description:
      'What failed since a moment, or all of it, to this endpoint. Events keep their ids and their order. At most 5,000 at once: where there are more, replay again from `until`.',
    body: WebhookReplay,
    sampleBody: '{"from": "2026-11-02T09:00:00Z"}',
    cost: TEST_COST,
    ok: { status: 202, schema: WebhookReplayStarted, description: 'They are sent as soon as possible.' },
    answer: async (request): Promise<WebhookReplayStarted> => {
      const { from, to, only = 'failed' } = request.body as WebhookReplay
      const wanted = { from: momentAsked('from', from)!, to: momentAsked('to', to), only }
      const { deliveries, hasMore, until } = await replay(context.deps, scopeOf(request), { id: idIn(request), wanted })
      return { object: 'webhook_replay', deliveries, has_more: hasMore, until: until.toISOString() }
    },
  })
}
