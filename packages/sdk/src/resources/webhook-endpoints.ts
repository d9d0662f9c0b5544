import type { Operations } from '../generated/operations.ts'
import type {
  NewWebhookEndpoint,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookDeliveryWithAttempts,
  WebhookEndpoint,
  WebhookEndpointChange,
  WebhookEndpointDeleted,
  WebhookEndpointList,
  WebhookEndpointWithSecret,
  WebhookReplay,
  WebhookReplayStarted,
  WebhookSecretRotation,
  WebhookTest,
  WebhookTestResult,
} from '../generated/types.ts'
import { Pages } from '../pages.ts'
import type { CallOptions, Transport } from '../transport.ts'

type DeliveryQuery = NonNullable<Operations['GET /v1/webhook-endpoints/{id}/deliveries']['query']>
type SubjectQuery = Operations['GET /v1/deliveries']['query']

export class WebhookEndpoints {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  list(options?: CallOptions): Pages<WebhookEndpoint, WebhookEndpointList> {
    return new Pages(() => this.#transport.json('GET /v1/webhook-endpoints', {}, options))
  }

  /** The answer has the secret, which is shown this once. */
  create(body: NewWebhookEndpoint, options?: CallOptions): Promise<WebhookEndpointWithSecret> {
    return this.#transport.json('POST /v1/webhook-endpoints', { body }, options)
  }

  retrieve(id: string, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.#transport.json('GET /v1/webhook-endpoints/{id}', { path: { id } }, options)
  }

  update(id: string, body: WebhookEndpointChange, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.#transport.json('PATCH /v1/webhook-endpoints/{id}', { path: { id }, body, isRepeatable: true }, options)
  }

  delete(id: string, options?: CallOptions): Promise<WebhookEndpointDeleted> {
    return this.#transport.json('DELETE /v1/webhook-endpoints/{id}', { path: { id } }, options)
  }

  /** A new secret; the old one goes on signing for a while. */
  rotateSecret(
    id: string,
    body: WebhookSecretRotation = {},
    options?: CallOptions,
  ): Promise<WebhookEndpointWithSecret> {
    return this.#transport.json('POST /v1/webhook-endpoints/{id}/rotate-secret', { path: { id }, body }, options)
  }

  /** Sends one, while you wait. */
  test(id: string, body: WebhookTest = {}, options?: CallOptions): Promise<WebhookTestResult> {
    return this.#transport.json('POST /v1/webhook-endpoints/{id}/test', { path: { id }, body }, options)
  }

  /** The newest first. */
  deliveries(
    id: string,
    query: DeliveryQuery = {},
    options?: CallOptions,
  ): Pages<WebhookDelivery, WebhookDeliveryList> {
    return new Pages((page) =>
      this.#transport.json(
        'GET /v1/webhook-endpoints/{id}/deliveries',
        { path: { id }, query: { ...query, ...page } },
        options,
      ),
    )
  }

  /** Sends again what was not delivered, or everything, of a span of time. */
  replay(id: string, body: WebhookReplay, options?: CallOptions): Promise<WebhookReplayStarted> {
    return this.#transport.json('POST /v1/webhook-endpoints/{id}/replay', { path: { id }, body }, options)
  }
}

export class Deliveries {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** What was sent about a payout, or whatever `subject` names, to every endpoint; the newest first. */
  list(query: SubjectQuery, options?: CallOptions): Pages<WebhookDelivery, WebhookDeliveryList> {
    return new Pages((page) => this.#transport.json('GET /v1/deliveries', { query: { ...query, ...page } }, options))
  }

  /** With what is sent, and every attempt. */
  retrieve(id: string, options?: CallOptions): Promise<WebhookDeliveryWithAttempts> {
    return this.#transport.json('GET /v1/deliveries/{id}', { path: { id } }, options)
  }
}
