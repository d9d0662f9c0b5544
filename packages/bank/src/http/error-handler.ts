// Turns every error into one of the real bank's error bodies.
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify'

import type { BankLog } from '../bank-log.ts'
import { BankError, type ErrorBody, GatewayTimeout, TooManyRequests, invalidParameters } from '../core/bank-error.ts'
import type { Readings } from '../domain/readings.ts'

export const UNEXPECTED_BODY = {
  errors: [{ code: 'unexpected', message: 'An unexpected error occurred, you may try again later' }],
}

export function addErrorHandling(app: FastifyInstance, log: BankLog, readings: Readings): void {
  app.setErrorHandler((error: FastifyError, _request, reply) => {
    if (error instanceof TooManyRequests || error instanceof GatewayTimeout) return turnedAway(error, reply)
    const refusal = refusalOf(error)
    if (refusal === null) {
      log.failure('bank request failed', error)
      return reply.code(500).send(UNEXPECTED_BODY)
    }
    return reply.code(refusal.status).send(spelled(refusal.body, readings))
  })
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send({ code: 'not_found', message: 'The sandbox bank has no such route.' }),
  )
}

/** A gateway in front of the bank speaks plain text. */
function turnedAway(error: TooManyRequests | GatewayTimeout, reply: FastifyReply): FastifyReply {
  const isBusy = error instanceof TooManyRequests
  if (isBusy && error.retryAfter !== null) reply.header('Retry-After', error.retryAfter)
  return reply
    .code(isBusy ? 429 : 504)
    .type('text/plain')
    .send(isBusy ? 'Too Many Requests' : 'Gateway Timeout')
}

/** Also for errors that are not the bank's own: what the framework cannot read was the body. */
export function refusalOf(error: unknown): BankError | null {
  if (error instanceof BankError) return error
  const { statusCode } = error as FastifyError
  if (statusCode === undefined || statusCode >= 500) return null
  return invalidParameters(
    'body',
    ['body'],
    'The body could not be read: send JSON with Content-Type application/json.',
  )
}

/** The description has fields in one text, and examples with a word for each. */
export function spelled(body: ErrorBody, readings: Readings): ErrorBody {
  if (typeof body.source?.key !== 'string' || !readings.is('fields_are_an_object')) return body
  const key = Object.fromEntries(body.source.key.split(',').map((name) => [name, body.message]))
  return { ...body, source: { ...body.source, key } }
}
