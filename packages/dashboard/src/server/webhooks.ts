import type {
  Environment,
  NewWebhookEndpoint,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookDeliveryWithAttempts,
  WebhookEndpoint,
  WebhookEndpointChange,
  WebhookEndpointWithSecret,
  WebhookKey,
  WebhookReplay,
  WebhookReplayStarted,
  WebhookTestResult,
} from '@kestrel/contract'

import { call, type List } from './client.ts'

const ALL = '/v1/webhook-endpoints'
const one = (id: string) => `${ALL}/${encodeURIComponent(id)}`
const of = (environment: Environment) => ({ query: { environment } })

export const listEndpoints = (environment: Environment) => call<List<WebhookEndpoint>>(ALL, of(environment))
export const readEndpoint = (environment: Environment, id: string) => call<WebhookEndpoint>(one(id), of(environment))
export const createEndpoint = (environment: Environment, body: NewWebhookEndpoint) =>
  call<WebhookEndpointWithSecret>(ALL, { method: 'POST', ...of(environment), body })
export const changeEndpoint = (environment: Environment, id: string, body: WebhookEndpointChange) =>
  call<WebhookEndpoint>(one(id), { method: 'PATCH', ...of(environment), body })
export const deleteEndpoint = (environment: Environment, id: string) =>
  call<{ id: string; deleted: true }>(one(id), { method: 'DELETE', ...of(environment) })
export const rotateSecret = (environment: Environment, id: string, graceSeconds: number) =>
  call<WebhookEndpointWithSecret>(`${one(id)}/rotate-secret`, {
    method: 'POST',
    ...of(environment),
    body: { grace_seconds: graceSeconds },
  })
export const testEndpoint = (environment: Environment, id: string, type: string) =>
  call<WebhookTestResult>(`${one(id)}/test`, { method: 'POST', ...of(environment), body: { type } })
export const replayEvents = (environment: Environment, id: string, body: WebhookReplay) =>
  call<WebhookReplayStarted>(`${one(id)}/replay`, { method: 'POST', ...of(environment), body })

export const keysAddress = (id: string) => `/.well-known/kestrel-webhook-keys/${encodeURIComponent(id)}`
export const listPublicKeys = (id: string) => call<List<WebhookKey>>(keysAddress(id))

export interface DeliveryFilter {
  readonly state?: string
  readonly type?: string
}

const PAGE = 25

export const listDeliveries = (environment: Environment, id: string, filter: DeliveryFilter, cursor?: string) =>
  call<WebhookDeliveryList>(`${one(id)}/deliveries`, { query: { environment, limit: PAGE, ...filter, cursor } })
export const listDeliveriesAbout = (environment: Environment, subject: string, cursor?: string) =>
  call<WebhookDeliveryList>('/v1/deliveries', { query: { environment, subject, limit: PAGE, cursor } })
export const readDelivery = (environment: Environment, id: string) =>
  call<WebhookDeliveryWithAttempts>(`/v1/deliveries/${encodeURIComponent(id)}`, of(environment))
/** Sends the event of a delivery once more to the same endpoint. */
export const sendAgain = (environment: Environment, delivery: Pick<WebhookDelivery, 'event_id' | 'endpoint_id'>) =>
  call<List<WebhookDelivery>>(`/v1/events/${encodeURIComponent(delivery.event_id)}/redeliver`, {
    method: 'POST',
    ...of(environment),
    body: { endpoint_id: delivery.endpoint_id },
  })
