// How the routes about webhooks are described: who may call them, and how a sample looks.
import type { ActionName, ErrorCode } from '@kestrel/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type TProperties, type TSchema, Type } from 'typebox'

import { EnvironmentQuery, type Operation, operationSchema } from '../access/operation.ts'
import type { RouteContext } from './route-context.ts'

interface WebhookRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** With `:id` for what it is about. */
  readonly url: string
  /** What `:id` names, and the shell's variable for it in the sample. */
  readonly names?: { readonly what: string; readonly variable: string }
  readonly id: string
  readonly action: ActionName
  readonly summary: string
  readonly description: string
  readonly query?: TProperties
  readonly body?: Operation['body']
  readonly sampleBody?: string
  /** With its question mark. */
  readonly sampleQuery?: string
  readonly ok: { readonly status: number; readonly schema: TSchema & { $id: string }; readonly description: string }
  readonly errors?: readonly ErrorCode[]
  /** How many requests it counts as. */
  readonly cost?: number
  /** Waits for others, who may be slow: not in the line of what is answered at once. */
  readonly asksOutside?: true
  readonly answer: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
}

const BODY_ERRORS = ['invalid_json', 'body_too_large', 'unsupported_media_type'] as const

/** Members look; admins and programs change. */
export function addWebhookRoute({ app, publicUrl }: RouteContext, route: WebhookRoute): void {
  const { method, url, names, id, summary, description, body, ok } = route
  const line = route.asksOutside === true ? ({ line: 'bank' } as const) : {}
  const mayChange = method === 'GET' ? {} : ({ needs: 'admin' } as const)
  const query = Type.Object({ ...EnvironmentQuery.properties, ...route.query }, { additionalProperties: false })
  app.route({
    method,
    url,
    config: { auth: 'key', scope: 'webhooks', ...mayChange, action: route.action, cost: route.cost ?? 1, ...line },
    schema: operationSchema(
      {
        id,
        tag: 'Webhooks',
        summary,
        description,
        needs: 'admin',
        query,
        ...(names === undefined ? {} : { params: paramsOf(names.what) }),
        ...(body === undefined ? {} : { body }),
        ok: { [ok.status]: { schema: ok.schema, description: ok.description } },
        errors: [
          ...(route.errors ?? []),
          ...(names === undefined ? [] : (['not_found'] as const)),
          ...(body === undefined ? [] : BODY_ERRORS),
          'invalid_request',
        ],
        curl: (base) => sampleOf(base, route),
      },
      publicUrl,
    ),
    handler: async (request, reply) => {
      if (names !== undefined) request.activityDetail = idIn(request)
      const answer = await route.answer(request, reply)
      return reply.code(ok.status).send(answer)
    },
  })
}

export function idIn(request: FastifyRequest): string {
  return (request.params as { id: string }).id
}

function paramsOf(what: string): TSchema {
  return Type.Object({ id: Type.String({ description: `The id of the ${what}, a UUID.` }) })
}

function sampleOf(base: string, { method, url, names, sampleBody, sampleQuery = '' }: WebhookRoute): string {
  const path = `${url.replace(':id', `$${names?.variable ?? ''}`)}${sampleQuery}`
  return [
    `curl ${base}${path}${method === 'GET' ? '' : ` -X ${method}`}`,
    '-H "Authorization: Bearer $KEY"',
    ...(sampleBody === undefined ? [] : ['-H "Content-Type: application/json"', `-d '${sampleBody}'`]),
  ].join(' \\\n  ')
}
