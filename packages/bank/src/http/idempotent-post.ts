// POST with an Idempotency-Key. The key, the effect and the answer are one transaction: two identical requests at once
// create once, and the second gets the first one's answer, byte for byte, for 24 hours. A refusal is an answer too.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'

import { BankError, GatewayTimeout, keyRefused } from '../core/bank-error.ts'
import { keyedHash, sha256 } from '../core/ids.ts'
import { inBatches } from '../core/in-batches.ts'
import type { BankDeps } from '../domain/bank-deps.ts'
import type { Readings } from '../domain/readings.ts'
import { type KeptAnswer, type KeyClaim, claimKey, claimKeys, keepAnswers } from '../storage/idempotency-keys.ts'
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
}

export interface PostRoute<Schema extends TSchema> {
  readonly path: string
  readonly body: Schema
  /** A refusal thrown here undoes everything and is the answer of the key: nothing was created. */
  readonly effect: (tx: Tx, input: PostInput<Static<Schema>>) => Promise<Effect>
  /** For what is asked for most: requests that come while others are under way share the next transaction. */
  readonly together?: {
    readonly mayJoin: (body: Static<Schema>) => boolean
    /** One effect or refusal per request. What it throws undoes all of them, and each is then done by itself. */
    readonly effects: (tx: Tx, inputs: readonly PostInput<Static<Schema>>[]) => Promise<(Effect | BankError)[]>
  }
}

interface Answer {
  readonly status: number
  readonly body: string
  readonly answersFrom: Date | null
  readonly isReplay: boolean
}

interface Asked<Schema extends TSchema> {
  readonly claim: KeyClaim
  readonly input: PostInput<Static<Schema>>
}

const LARGEST_BATCH = 100

export function addIdempotentPost<Schema extends TSchema>(context: RouteContext, route: PostRoute<Schema>): void {
  const { app, deps, nudge } = context
  const { together } = route
  const joined =
    together === undefined
      ? null
      : inBatches({
          largest: LARGEST_BATCH,
          // What went wrong goes wrong again for the one that it is about, and is told then.
          work: (asked: readonly Asked<Schema>[]) =>
            answerTogether(deps, together.effects, asked).catch(() => asked.map(() => null)),
        })
  // A body that makes no sense is refused with the key in hand, like anything else.
  app.post(route.path, { schema: { body: route.body }, attachValidation: true }, async (request, reply) => {
    const claim = claimOf(context, request)
    const input = { body: request.body as Static<Schema>, request, idempotencyKey: claim.key }
    const mayJoin = request.validationError === undefined && together?.mayJoin(input.body) === true
    const first = joined !== null && mayJoin ? await joined({ claim, input }) : null
    const answer = first ?? (await answerAlone(deps, route, { claim, input }))
    if (!answer.isReplay) nudge()
    return send(answer, deps.clock.now(), reply)
  })
}

/** Null for requests whose key is taken, or comes twice: each of those is answered by itself. */
function answerTogether<Schema extends TSchema>(
  { db, readings }: BankDeps,
  effects: NonNullable<PostRoute<Schema>['together']>['effects'],
  asked: readonly Asked<Schema>[],
): Promise<(Answer | null)[]> {
  const firsts = [...new Map(asked.toReversed().map((each) => [each.claim.key, each])).values()].toReversed()
  return db.inTransaction(async (tx) => {
    const claimed = await claimKeys(
      tx,
      firsts.map(({ claim }) => claim),
    )
    const fresh = firsts.filter(({ claim }) => claimed.has(claim.key))
    const outcomes = await effects(
      tx,
      fresh.map(({ input }) => input),
    )
    const answers = new Map(fresh.map((each, index) => [each, answerOf(outcomes[index]!, readings)]))
    keepAnswers(
      tx,
      fresh.map((each) => ({ claim: each.claim, ...answers.get(each)! })),
    )
    return asked.map((each) => answers.get(each) ?? null)
  })
}

function answerAlone<Schema extends TSchema>(
  { db, readings }: BankDeps,
  route: PostRoute<Schema>,
  { claim, input }: Asked<Schema>,
): Promise<Answer> {
  return db.inTransaction(async (tx) => {
    const kept = await claimKey(tx, claim)
    if (kept !== null) return replayed(kept, claim)
    tx.defer('savepoint before_the_effect')
    const outcome = await effectOrRefusal(tx, route, input)
    if (outcome instanceof BankError) await tx.query('rollback to savepoint before_the_effect')
    const answer = answerOf(outcome, readings)
    keepAnswers(tx, [{ claim, ...answer }])
    return answer
  })
}

async function effectOrRefusal<Schema extends TSchema>(
  tx: Tx,
  route: PostRoute<Schema>,
  input: PostInput<Static<Schema>>,
): Promise<Effect | BankError> {
  try {
    if (input.request.validationError !== undefined) throw input.request.validationError
    return await route.effect(tx, input)
  } catch (error) {
    const refusal = refusalOf(error)
    // What is turned away at the door, or fails, is no answer of the bank's and binds nothing.
    if (refusal === null) throw error
    return refusal
  }
}

/** A refusal is thrown where it leaves its key free. */
function answerOf(outcome: Effect | BankError, readings: Readings): Answer {
  if (!(outcome instanceof BankError)) {
    const { status, body, answersFrom = null } = outcome
    return { status, body: JSON.stringify(body), answersFrom, isReplay: false }
  }
  if (!readings.is('refusals_bind_keys')) throw outcome
  const { status, body } = outcome
  return { status, body: JSON.stringify(spelled(body, readings)), answersFrom: null, isReplay: false }
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
