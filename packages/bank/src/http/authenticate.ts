// The two keys: one for the real bank's API, one for the control plane. Hashes are compared, so that the time taken
// says nothing about the key.
import { timingSafeEqual } from 'node:crypto'

import type { FastifyInstance } from 'fastify'

import { BankError } from '../core/bank-error.ts'
import { sha256 } from '../core/ids.ts'

export function requireApiKey(app: FastifyInstance, apiKey: string): void {
  const expected = sha256(apiKey)
  app.addHook('onRequest', async (request) => {
    const given = request.headers['api-key']
    if (given === undefined || given === '') throw unauthorised('required', 'Missing Api-Key header')
    if (!timingSafeEqual(sha256(String(given)), expected)) throw unauthorised('invalid', 'Invalid Api-Key header')
  })
}

function unauthorised(code: string, message: string): BankError {
  return new BankError(401, { code, location: 'header', name: 'Api-Key', message })
}

export function requireControlKey(app: FastifyInstance, controlKey: string): void {
  const expected = sha256(`Bearer ${controlKey}`)
  app.addHook('onRequest', async (request) => {
    if (!timingSafeEqual(sha256(request.headers.authorization ?? ''), expected)) {
      throw new BankError(401, { code: 'unauthorized', message: 'Send Authorization: Bearer with the control key.' })
    }
  })
}
