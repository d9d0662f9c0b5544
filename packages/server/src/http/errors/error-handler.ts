// Turns every failure into the specification's error body: our refusals, the framework's, outages and bugs.
import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { AppError, notFound } from '../../core/errors.ts'
import { isOutage } from '../../core/outage.ts'
import { acceptedAmount, refuseOtherCountry } from '../../domain/quotes/quote.ts'
import { certainly } from './certainly.ts'
import { errorBody } from './error-body.ts'
import { statusOf } from './error-catalogue.ts'
import { hasBody } from '../body/no-body.ts'
import { bodyRefusal, queryRefusal } from '../body/validation-errors.ts'
import { RATE_LIMIT_HEADERS } from '../limits/rate-limit-headers.ts'

export function addErrorHandling(app: FastifyInstance, log: FastifyBaseLogger, publicUrl: string): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (hasLeft(error, request)) {
      log.debug({ requestId: request.id, route: request.routeOptions.url }, 'a caller left in the middle of a request')
      return sendRefusal(brokeOff(), request, reply, publicUrl)
    }
    const refusal = refusalOf(error, request)
    if (isFailure(refusal)) return tellOfFailure(error, refusal, request, reply)
    if ((request.assumed ?? null) === null) return sendRefusal(refusal, request, reply, publicUrl)
    return certainly(request, error).then(
      (told) => sendRefusal(refusalOf(told, request), request, reply, publicUrl),
      (other: FastifyError) => tellOfFailure(other, refusalOf(other, request), request, reply),
    )
  })
  function tellOfFailure(
    error: FastifyError,
    refusal: AppError,
    request: FastifyRequest,
    reply: FastifyReply,
  ): FastifyReply {
    // Not the request's own logger: it adds fields that are not on the list.
    log.error({ requestId: request.id, route: request.routeOptions.url, err: error }, 'request failed')
    return sendRefusal(refusal, request, reply, publicUrl)
  }
  app.setNotFoundHandler((request, reply) => sendRefusal(notFound(), request, reply, publicUrl))
  // The body of somebody who hung up while it was found out who asks would be waited for without end, arrived or not.
  app.addHook('preParsing', ({ raw }, _reply, payload, done) => {
    if (raw.destroyed && !raw.readableEnded && hasBody(raw.headers)) throw brokeOff()
    done(null, payload)
  })
}

const isFailure = ({ code }: AppError): boolean => code === 'internal_error' || code === 'unavailable'

const brokeOff = () => new AppError('bad_request', 'The request broke off.')

/** A client that hangs up in the middle of its body is no failure, and there is nobody to answer. */
function hasLeft(error: FastifyError, request: FastifyRequest): boolean {
  // A reset of the database's connection has the same code, and may come before the body has arrived.
  return error.code === 'ECONNRESET' && request.raw.destroyed && !request.raw.complete
}

export function sendRefusal(
  refusal: AppError,
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string,
): FastifyReply {
  request.failureCode = refusal.code
  if (refusal.retryAfterSeconds !== undefined) reply.header('Retry-After', refusal.retryAfterSeconds)
  if (refusal.code === 'unauthorized') reply.header('WWW-Authenticate', 'Bearer realm="Kestrel Payouts"')
  // How busy the business is, is told to nobody whose key it is not.
  if (refusal.code === 'unauthorized' || refusal.code === 'address_not_allowed') {
    for (const name of RATE_LIMIT_HEADERS) reply.removeHeader(name)
  }
  return reply.code(statusOf(refusal.code)).send(errorBody(refusal, request.id, publicUrl))
}

function refusalOf(error: FastifyError | AppError, request: FastifyRequest): AppError {
  if (error instanceof AppError) return error
  if (error.validation !== undefined) {
    const schema = request.routeOptions.schema ?? {}
    return error.validationContext === 'body'
      ? firstOf(bodyRefusal(error.validation, schema.body ?? {}, request.body), request)
      : queryRefusal(error.validation, schema.querystring ?? {})
  }
  if (isOutage(error)) {
    return new AppError(
      'unavailable',
      'The service is busy or restarting. Try again shortly; repeat a payout with the same Idempotency-Key, it will never pay twice.',
      { retryAfterSeconds: 1 },
    )
  }
  return frameworkRefusal(error, request)
}

/**
 * Corridor and amount come before the recipient, and an account may have narrower ones than the schema. So they are
 * checked before a malformed recipient is reported.
 */
function firstOf(refusal: AppError, request: FastifyRequest): AppError {
  const { caller } = request
  if (caller === null || (refusal.code !== 'invalid_recipient' && refusal.code !== 'invalid_amount')) return refusal
  const { country = 'GB', amount_gbp: amount } = request.body as { country?: string; amount_gbp?: unknown }
  try {
    refuseOtherCountry(country, caller)
    if (refusal.code === 'invalid_recipient' && typeof amount === 'string') acceptedAmount(amount, caller)
    return refusal
  } catch (earlier) {
    return earlier instanceof AppError ? earlier : refusal
  }
}

const DEFAULT_LIMIT_KIB = 32

function tooLarge(limitBytes: number): string {
  const limit = limitBytes / 1_024
  return `The body is larger than ${limit} KiB.${limit === DEFAULT_LIMIT_KIB ? ' Send one payout per request.' : ''}`
}

function frameworkRefusal(error: FastifyError, request: FastifyRequest): AppError {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new AppError('body_too_large', tooLarge(request.routeOptions.bodyLimit))
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new AppError('unsupported_media_type', 'Send the body as JSON, with Content-Type: application/json.')
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return notFound()
    default:
  }
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new AppError('bad_request', 'The request could not be read. Check its length and its headers.')
  }
  return new AppError(
    'internal_error',
    'Something went wrong on our side. Repeat a payout with the same Idempotency-Key: it will never pay twice.',
  )
}
