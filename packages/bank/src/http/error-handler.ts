// Turns every error into one of the real bank's error bodies.
import type { FastifyError, FastifyInstance } from 'fastify'

import type { BankLog } from '../bank-log.ts'
import { BankError, invalidParameters } from '../core/bank-error.ts'

export const UNEXPECTED_BODY = {
  errors: [{ code: 'unexpected', message: 'An unexpected error occurred, you may try again later' }],
}

export function addErrorHandling(app: FastifyInstance, log: BankLog): void {
  app.setErrorHandler((error: FastifyError, _request, reply) => {
    const refusal = refusalOf(error)
    if (refusal === null) {
      log.failure('bank request failed', error)
      return reply.code(500).send(UNEXPECTED_BODY)
    }
    if (refusal.retryAfterSeconds !== null) reply.header('Retry-After', refusal.retryAfterSeconds)
    return reply.code(refusal.status).send(refusal.body)
  })
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send({ code: 'not_found', message: 'The sandbox bank has no such route.' }),
  )
}

function refusalOf(error: FastifyError): BankError | null {
  if (error instanceof BankError) return error
  if (error.statusCode === undefined || error.statusCode >= 500) return null
  return invalidParameters(
    'body',
    ['body'],
    'The body could not be read: send JSON with Content-Type application/json.',
  )
}
