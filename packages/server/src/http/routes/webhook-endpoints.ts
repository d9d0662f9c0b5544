// Receivers of webhooks: every member may look at them; admins, and programs with a sandbox key, change them.
import {
  DEFAULT_GRACE_SECONDS,
  NewWebhookEndpoint,
  WebhookEndpoint,
  WebhookEndpointChange,
  WebhookEndpointDeleted,
  WebhookEndpointList,
  WebhookEndpointWithSecret,
  WebhookKeyList,
  WebhookSecretRotation,
} from '@kestrel/contract'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'

import { notFound } from '../../core/errors.ts'
import { isUuid } from '../../core/ids.ts'

import {
  changeEndpoint,
  deleteEndpoint,
  listEndpoints,
  readEndpoint,
  rotateSecret,
} from '../../domain/webhooks/change-endpoint.ts'
import { changesBetween } from '../../domain/activity/audited.ts'
import type { EndpointNotice } from '../../domain/webhooks/endpoint-notice.ts'
import { createEndpoint } from '../../domain/webhooks/create-endpoint.ts'
import { howItDoes, withFigures } from '../../domain/webhooks/how-endpoints-do.ts'
import { signingKeys } from '../../domain/webhooks/sign.ts'
import { callerOf, scopeOf } from '../access/authenticate.ts'
import { operationSchema } from '../access/operation.ts'
import { presentList } from '../present/lists.ts'
import { endpointName, presentEndpoint, presentWithSecret, settingsIn } from '../present/webhook.ts'
import { addWebhookRoute, idIn } from './add-webhook-route.ts'
import type { RouteContext } from './route-context.ts'

const ALL = '/v1/webhook-endpoints'
const ONE = { url: `${ALL}/:id`, names: { what: 'endpoint', variable: 'ENDPOINT_ID' } } as const

export function addWebhookEndpointRoutes(context: RouteContext): void {
  addReads(context)
  addCreate(context)
  addChanges(context)
  addPublicKeys(context)
}

function addReads(context: RouteContext): void {
  const { deps } = context
  addWebhookRoute(context, {
    method: 'GET',
    url: ALL,
    id: 'listWebhookEndpoints',
    action: 'webhook_endpoints.list',
    summary: 'List webhook endpoints',
    description: 'The receivers of this environment and how they do, never their secrets.',
    ok: { status: 200, schema: WebhookEndpointList, description: 'The oldest first.' },
    answer: async (request) => {
      const scope = scopeOf(request)
      const all = await withFigures(deps, scope, await listEndpoints(deps, scope))
      return presentList(all.map((each) => presentEndpoint(each, callerOf(request))))
    },
  })
  addWebhookRoute(context, {
    ...ONE,
    method: 'GET',
    id: 'readWebhookEndpoint',
    action: 'webhook_endpoint.read',
    summary: 'Read a webhook endpoint',
    description: 'One receiver, without its secret.',
    ok: { status: 200, schema: WebhookEndpoint, description: 'The endpoint.' },
    answer: async (request) => {
      const endpoint = await readEndpoint(deps, scopeOf(request), idIn(request))
      return presentEndpoint(await howItDoes(deps, endpoint), callerOf(request))
    },
  })
}

function noticeOf(request: FastifyRequest, { publicUrl }: RouteContext): EndpointNotice {
  return { by: callerOf(request).by, url: `${publicUrl}/dashboard/webhooks?environment=live` }
}

function addCreate(context: RouteContext): void {
  addWebhookRoute(context, {
    method: 'POST',
    url: ALL,
    id: 'createWebhookEndpoint',
    asksOutside: true,
    action: 'webhook_endpoint.create',
    summary: 'Create a webhook endpoint',
    description:
      'Events are sent to it from now on, signed as Standard Webhooks says. The secret is shown this once. Without `events` it gets all of them. Of a live one every admin gets a mail.',
    body: NewWebhookEndpoint,
    sampleBody: '{"url": "https://hooks.thistle.example/kestrel", "events": ["payout.completed", "payout.failed"]}',
    ok: { status: 201, schema: WebhookEndpointWithSecret, description: 'The endpoint, with its secret.' },
    errors: ['endpoint_not_allowed', 'endpoint_limit_reached'],
    answer: async (request) => {
      const { url, description = null, events = ['*'] } = request.body as NewWebhookEndpoint
      const wanted = { url, description, events, by: callerOf(request).by }
      const notice = noticeOf(request, context)
      const { endpoint, secret } = await createEndpoint(context.deps, scopeOf(request), wanted, notice)
      request.activityDetail = endpoint.id
      const made = { description, events: settingsIn(endpoint).events }
      request.audited = { subject: endpointName(endpoint), changes: changesBetween({}, made) }
      return presentWithSecret(await howItDoes(context.deps, endpoint), secret, callerOf(request))
    },
  })
}

function addChanges(context: RouteContext): void {
  const { deps } = context
  addWebhookRoute(context, {
    ...ONE,
    method: 'PATCH',
    id: 'changeWebhookEndpoint',
    asksOutside: true,
    action: 'webhook_endpoint.change',
    summary: 'Change a webhook endpoint',
    description:
      'What is left out stays as it is. A paused endpoint keeps its events and gets them when it is active again; `active` also switches on again what the service switched off. When a live one is moved to another address, every admin gets a mail.',
    body: WebhookEndpointChange,
    sampleBody: '{"status": "paused"}',
    ok: { status: 200, schema: WebhookEndpoint, description: 'The endpoint as it is now.' },
    errors: ['endpoint_not_allowed'],
    answer: async (request) => {
      const change = request.body as WebhookEndpointChange
      const wanted = { id: idIn(request), change, notice: noticeOf(request, context) }
      const { before, endpoint } = await changeEndpoint(deps, scopeOf(request), wanted)
      const changes = changesBetween(settingsIn(before), settingsIn(endpoint, before))
      request.audited = { subject: endpointName(before), changes }
      return presentEndpoint(await howItDoes(deps, endpoint), callerOf(request))
    },
  })
  addWebhookRoute(context, {
    ...ONE,
    method: 'POST',
    url: `${ALL}/:id/rotate-secret`,
    id: 'rotateWebhookSecret',
    action: 'webhook_endpoint.rotate_secret',
    summary: 'Rotate the secret of a webhook endpoint',
    description:
      'The new secret is shown this once. Until the grace is over the secret before signs as well, so that a receiver can be changed without losing anything. With `0` it stops at once. In live every admin gets a mail.',
    body: WebhookSecretRotation,
    sampleBody: '{"grace_seconds": 86400}',
    ok: { status: 200, schema: WebhookEndpointWithSecret, description: 'The endpoint, with its new secret.' },
    answer: async (request) => {
      const { grace_seconds: graceSeconds = DEFAULT_GRACE_SECONDS } = request.body as WebhookSecretRotation
      const wanted = { id: idIn(request), graceSeconds, notice: noticeOf(request, context) }
      const { endpoint, secret } = await rotateSecret(deps, scopeOf(request), wanted)
      request.audited = { subject: endpointName(endpoint), changes: [] }
      return presentWithSecret(await howItDoes(deps, endpoint), secret, callerOf(request))
    },
  })
  addWebhookRoute(context, {
    ...ONE,
    method: 'DELETE',
    id: 'deleteWebhookEndpoint',
    action: 'webhook_endpoint.delete',
    summary: 'Delete a webhook endpoint',
    description: 'Nothing more is sent to it, not even what waits. Its secret is gone.',
    ok: { status: 200, schema: WebhookEndpointDeleted, description: 'The endpoint is gone.' },
    answer: async (request): Promise<WebhookEndpointDeleted> => {
      const deleted = await deleteEndpoint(deps, scopeOf(request), idIn(request))
      request.audited = { subject: endpointName(deleted), changes: [] }
      return { id: idIn(request), deleted: true }
    },
  })
}

const KEYS_AT = '/.well-known/kestrel-webhook-keys'
const OfEndpoint = Type.Object({ endpoint_id: Type.String({ description: 'The id of the endpoint, a UUID.' }) })

function addPublicKeys({ app, deps, publicUrl }: RouteContext): void {
  app.get<{ Params: { endpoint_id: string } }>(`${KEYS_AT}/:endpoint_id`, {
    config: { auth: 'none' },
    schema: operationSchema(
      {
        id: 'listWebhookKeys',
        tag: 'Webhooks',
        summary: 'List the public keys of a webhook endpoint',
        params: OfEndpoint,
        description:
          'Verifies the signature `v1a`, for receivers that would rather not keep a secret. Each endpoint has its own, so a message to one proves nothing to another. There are two while the operator changes keys: accept a webhook that one of them verifies, and read them again when none does.',
        auth: 'none',
        ok: { 200: { schema: WebhookKeyList, description: 'The newest first.' } },
        errors: ['not_found'],
        curl: (base) => `curl ${base}${KEYS_AT}/$ENDPOINT_ID`,
      },
      publicUrl,
    ),
    handler: async (request, reply) => {
      const { endpoint_id } = request.params
      if (!isUuid(endpoint_id)) throw notFound()
      void reply.header('cache-control', 'public, max-age=300')
      return presentList(
        signingKeys(deps.secrets, endpoint_id.toLowerCase()).map(({ id, publicKey }) => {
          return { id, algorithm: 'ed25519', public_key: publicKey }
        }),
      )
    },
  })
}
