import type { FastifyRequest } from 'fastify'

import type { Confirmer } from '../../domain/access/confirm-codes.ts'
import { callerOf, sessionOf } from './authenticate.ts'

/** The member who would have to confirm the request: the one signed in, in this browser. */
export function confirmerOf(request: FastifyRequest): Confirmer {
  const { id: partnerId, name: businessName } = callerOf(request)
  const { id: sessionId, email } = sessionOf(request)
  return { partnerId, email, sessionId, businessName }
}
