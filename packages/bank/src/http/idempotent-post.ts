// POST with an Idempotency-Key. The key, the effect and the answer are one transaction: two identical requests at once
// create once, and the second gets the first one's answer, byte for byte, for 24 hours. A refusal is an answer too.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'

import { BankError, GatewayTimeout, keyRefused } from '../core/bank-error.ts'
import { keyedHash, sha256 } from '../core/ids.ts'
import { violates } from '../storage/database.ts'
import { type KeptAnswer, type KeyClaim, claimKey, keepAnswer } from '../storage/idempotency-keys.ts'
import type { Tx } from '../storage/sql.ts'
import { refusalOf, spelled } from './error-handler.ts'
import type { RouteContext } from './route-context.ts'

const KEY_LIFE_MS = 24 * 60 * 60 * 1_000
const LONGEST_KEY = 255

export interface Effect {
  readonly status: 200 | 201
  readonly body: object
  /** Until then the bank answers 504, as if it had not finished. */
  readonly answersFrom?: Date
}

export interface PostInput<Body> {
  readonly body: Body
  readonly request: FastifyRequest
  readonly idempotencyKey: string
  /** The wallet was not what it had been a moment before: read it under its lock. */
  readonly isLocked: boolean
}

export interface PostRoute<Schema extends TSchema> {
  readonly path: string
  readonly body: Schema
  /** A refusal thrown here undoes everything and is the answer of the key: nothing was created. */
  readonly effect: (tx: Tx, input: PostInput<Static<Schema>>) => Promise<Effect>
}

interface Answer {
  readonly status: number
  readonly body: string
  readonly answersFrom: Date | null
  readonly isReplay: boolean
}

export function addIdempotentPost<Schema extends TSchema>(context: RouteContext, route: PostRoute<Schema>): void {
  const { app, deps, nudge } = context
  // A body that makes no sense is refused with the key in hand, like anything else.
  app.post(route.path, { schema: { body: route.body }, attachValidation: true }, async (request, reply) => {
    const claim = claimOf(context, request)
    const answerTo = (isLocked: boolean) =>
      deps.db.inTransaction(async (tx): Promise<Answer> => {
        const kept = await claimKey(tx, claim)
        if (kept !== null) return replayed(kept, claim)
        const fresh = await firstAnswer(context, tx, { route, request, idempotencyKey: claim.key, isLocked })
        keepAnswer(tx, claim, fresh)
        return { ...fresh, isReplay: false }
      })
    // Money that another took in between is noticed by the books, which have then kept nothing.
    const answer = await answerTo(false).catch((error: unknown) => {
      if (!violates(error, 'wallet_is_never_negative')) throw error
      return answerTo(true)
    })
    if (!answer.isReplay) nudge()
    return send(answer, deps.clock.now(), reply)
  })
}

async function firstAnswer<Schema extends TSchema>(
  { deps: { readings } }: RouteContext,
  tx: Tx,
  asked: { route: PostRoute<Schema>; request: FastifyRequest; idempotencyKey: string; isLocked: boolean },
): Promise<Omit<Answer, 'isReplay'>> {
  const { route, request, idempotencyKey, isLocked } = asked
  tx.defer('savepoint before_the_effect')
  try {
    if (request.validationError !== undefined) throw request.validationError
    const {
      status,
      body,
      answersFrom = null,
    } = await route.effect(tx, {
      body: request.body as Static<Schema>,
      request,
      idempotencyKey,
      isLocked,
    })
    return { status, body: JSON.stringify(body), answersFrom }
  } catch (error) {
    const refusal = refusalOf(error)
    // What is turned away at the door, or fails, is no answer of the bank's and binds nothing.
    if (refusal === null || !readings.is('refusals_bind_keys')) throw error
    await tx.query('rollback to savepoint before_the_effect')
    return { status: refusal.status, body: JSON.stringify(spelled(refusal.body, readings)), answersFrom: null }
  }
}

function send(answer: Answer, now: Date, reply: FastifyReply): FastifyReply {
  if (answer.answersFrom !== null && now < answer.answersFrom) {
    throw new GatewayTimeout()
  }
  if (answer.isReplay) reply.header('Idempotent-Replayed', 'true')
  return reply.code(answer.status).type('application/json; charset=utf-8').send(answer.body)
}

function replayed(kept: KeptAnswer, claim: KeyClaim): Answer {
  if (claim.at.getTime() - kept.createdAt.getTime() > KEY_LIFE_MS) {
    throw keyRefused('Idempotency Key Retry Deadline Exceeded')
  }
  if (!kept.fingerprint.equals(claim.fingerprint)) {
    throw keyRefused('Idempotency Key was used with another request. Retries must use the same request body.')
  }
  return { status: kept.status, body: kept.body, answersFrom: kept.answersFrom, isReplay: true }
}

function claimOf({ deps }: RouteContext, request: FastifyRequest): KeyClaim {
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string' || key === '' || key.length > LONGEST_KEY) {
    throw new BankError(400, {
      code: key === undefined ? 'required' : 'invalid',
      message: key === undefined ? 'Missing Idempotency-Key header' : 'Invalid Idempotency-Key header',
      location: 'header',
      name: 'Idempotency-Key',
      source: { location: 'header', key: 'Idempotency-Key' },
    })
  }
  const path = request.url.split('?')[0]
  return {
    apiKeyHash: sha256(String(request.headers['api-key'])),
    key,
    // Keyed, because a plain hash of a body with an account number in it could be tried out.
    fingerprint: keyedHash(deps.identity.salt, `${path}\n${canonical(request.body ?? {})}`),
    at: deps.clock.now(),
  }
}

/** The same text for bodies that differ only in the order of their fields. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
}
