import { Type } from 'typebox'

import { invalidParameters, unknownId } from '../../core/bank-error.ts'
import { changeWebhook, deleteWebhook, registerWebhook } from '../../domain/register-webhook.ts'
import { presentDeliveryLog, presentEvent, presentWebhook } from '../../present/present-webhook.ts'
import { queueManualDelivery } from '../../storage/deliveries.ts'
import { EVENT_CATEGORIES, listUpcomingEvents } from '../../storage/events.ts'
import type { Db } from '../../storage/sql.ts'
import { type Webhook, findWebhook, listDeliveryLogs, listWebhooks } from '../../storage/webhooks.ts'
import { addIdempotentPost } from '../idempotent-post.ts'
import { limitFrom, wordFrom } from '../read-query.ts'
import { type RouteContext, listOf } from '../route-context.ts'

const Categories = Type.Optional(Type.Array(Type.Enum([...EVENT_CATEGORIES])))

const NewWebhook = Type.Object({
  url: Type.String({ minLength: 1 }),
  event_epoch: Type.Enum(['webhook_creation', 'beginning_of_time']),
  event_categories: Categories,
})

const WebhookChange = Type.Object({
  url: Type.Optional(Type.String({ minLength: 1 })),
  status: Type.Optional(Type.Enum(['active', 'disabled'])),
  event_categories: Categories,
})

const EventToSend = Type.Object({ event_id: Type.String({ minLength: 1 }) })

interface WebhookPath {
  readonly Params: { readonly webhookId: string }
}

interface Change {
  readonly url?: string
  readonly status?: 'active' | 'disabled'
  readonly event_categories?: readonly string[]
}

export function addWebhookRoutes(context: RouteContext): void {
  const { app, deps, nudge } = context
  const { db, clock, identity } = deps
  addWebhookPosts(context)

  app.get('/webhooks', async () => listOf((await listWebhooks(db)).map(presentWebhook)))

  app.get<WebhookPath>('/webhooks/:webhookId', async ({ params }) =>
    presentWebhook(await knownWebhook(db, params.webhookId)),
  )

  app.put<WebhookPath & { Body: Change }>(
    '/webhooks/:webhookId',
    { schema: { body: WebhookChange } },
    async ({ params, body }) => {
      const change = { url: body.url, status: body.status, eventCategories: body.event_categories }
      const webhook = await db.inTransaction((tx) => changeWebhook(tx, params.webhookId, change))
      nudge()
      return presentWebhook(webhook)
    },
  )

  app.delete<WebhookPath>('/webhooks/:webhookId', async ({ params }) =>
    presentWebhook(await db.inTransaction((tx) => deleteWebhook(tx, params.webhookId))),
  )

  app.get<WebhookPath>('/webhooks/:webhookId/events', async (request) => {
    const { id } = await knownWebhook(db, request.params.webhookId)
    const category = wordFrom(request, 'category', EVENT_CATEGORIES)
    const events = await listUpcomingEvents(db, id, { category, now: clock.now(), limit: limitFrom(request) })
    return listOf(events.map((event) => presentEvent(event, identity.developerId)))
  })

  app.get<WebhookPath>('/webhooks/:webhookId/logs', async (request) => {
    const { id } = await knownWebhook(db, request.params.webhookId)
    return listOf((await listDeliveryLogs(db, id, limitFrom(request))).map(presentDeliveryLog))
  })
}

function addWebhookPosts(context: RouteContext): void {
  const { deps } = context
  addIdempotentPost(context, {
    path: '/webhooks',
    body: NewWebhook,
    effect: async (tx, { body }) => {
      const webhook = await registerWebhook(deps, tx, {
        url: body.url,
        epoch: body.event_epoch,
        eventCategories: body.event_categories ?? null,
      })
      return { status: 201, body: presentWebhook(webhook) }
    },
  })

  addIdempotentPost(context, {
    path: '/webhooks/:webhookId/send',
    body: EventToSend,
    effect: async (tx, { body, request }) => {
      const { webhookId } = request.params as WebhookPath['Params']
      const { id } = await knownWebhook(tx, webhookId)
      if (!(await queueManualDelivery(tx, { webhookId: id, eventId: body.event_id, now: deps.clock.now() }))) {
        throw invalidParameters('body', ['event_id'], 'Unknown event id')
      }
      const message = 'The webhook event will be sent. This does not guarantee immediate delivery to the endpoint.'
      return { status: 200, body: { message } }
    },
  })
}

async function knownWebhook(db: Db, id: string): Promise<Webhook> {
  const webhook = await findWebhook(db, id)
  if (webhook === null) throw unknownId('webhook')
  return webhook
}
