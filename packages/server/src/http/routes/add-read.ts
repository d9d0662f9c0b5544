import type { ActionName, ErrorCode } from '@kestrel/contract'
import type { FastifyRequest } from 'fastify'
import { type TProperties, type TSchema, Type } from 'typebox'

import { EnvironmentQuery, NOT_CHANGED, type Operation, operationSchema } from '../access/operation.ts'
import type { RouteAccess } from '../access/route-access.ts'
import { answersShared } from './shared-answer.ts'
import type { RouteContext } from './route-context.ts'

export interface Read {
  readonly tag: Operation['tag']
  readonly url: string
  readonly id: string
  readonly action: ActionName
  readonly summary: string
  readonly description: string
  readonly schema: TSchema & { $id: string; description?: string }
  readonly errors?: readonly ErrorCode[]
  /** Fields of the query besides the environment, which every read takes. */
  readonly query?: TProperties
  /** How many requests it counts as, and the line that it waits in. */
  readonly cost?: number
  readonly line?: RouteAccess['line']
  /** Many ask for it again and again, and what it says depends on the caller and the address alone. */
  readonly isShared?: true
  readonly answer: (request: FastifyRequest) => Promise<object>
}

/** A GET with a key whose whole answer is one resource or list. */
export function addRead({ app, publicUrl }: RouteContext, read: Read): void {
  const { url, id, summary, description, schema, errors = [] } = read
  const answer = answersShared()
  app.get(url, {
    config: { auth: 'key', action: read.action, cost: read.cost ?? 1, ...(read.line && { line: read.line }) },
    schema: operationSchema(
      {
        id,
        tag: read.tag,
        summary,
        description,
        query: Type.Object({ ...EnvironmentQuery.properties, ...read.query }, { additionalProperties: false }),
        ok: { 200: { schema, description: schema.description ?? summary }, ...(read.isShared && NOT_CHANGED) },
        errors: [...errors, 'invalid_request'],
        curl: (base) => `curl ${base}${url} \\\n  -H "Authorization: Bearer $KEY"`,
      },
      publicUrl,
    ),
    handler:
      read.isShared === true
        ? (request, reply) =>
            answer(request, reply, { read: async () => ({ said: await read.answer(request), version: null }) })
        : (request) => read.answer(request),
  })
}
