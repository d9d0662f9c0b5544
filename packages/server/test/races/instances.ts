// More than one process at work on one database, and a bank that can be slow, down or watched.
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { pino } from 'pino'

import { type Service, composeService } from '../../src/compose.ts'
import type { PayoutRail, SubmitAnswer } from '../../src/rail/port.ts'
import type { TransferRequest } from '../../src/rail/transfer.ts'
import { createSimulatedRail } from '../../src/rail/simulated-rail.ts'
import { PUBLIC_URL, TEST_SECRETS, type TestApp } from '../support/app.ts'
import type { TestClock } from '../support/clock.ts'
import { type TestPartner, aPayoutBody, type PayoutBody } from '../support/fixtures.ts'

export interface Instance {
  readonly deps: Service['deps']
  post(partner: Pick<TestPartner, 'key'>, key: string, body?: PayoutBody): Promise<LightMyRequestResponse>
  get(partner: Pick<TestPartner, 'key'>, url: string): Promise<LightMyRequestResponse>
  request(request: InjectOptions): Promise<LightMyRequestResponse>
  close(): Promise<void>
}

/** Another instance of the service on the same database, with the same clock and the same bank. */
export async function anotherInstance(test: TestApp): Promise<Instance> {
  const service = await composeService({
    databaseUrl: test.database.url,
    secrets: TEST_SECRETS,
    clock: test.clock,
    log: pino({ level: 'silent' }),
  })
  Object.assign(service.deps.rails, test.deps.rails)
  const app = await service.api({ publicUrl: PUBLIC_URL, rateLimitPerSecond: 0 })
  await app.ready()
  return {
    ...asInstance(service.deps, app),
    close: async () => {
      await app.close()
      await service.close()
    },
  }
}

export function firstInstance(test: TestApp): Instance {
  return { ...asInstance(test.deps, test.app), close: () => Promise.resolve() }
}

function asInstance(deps: Service['deps'], app: TestApp['app']): Omit<Instance, 'close'> {
  return {
    deps,
    post: (partner, key, body = {}) =>
      app.inject({
        method: 'POST',
        url: '/v1/payouts',
        headers: { authorization: `Bearer ${partner.key}`, 'idempotency-key': key },
        payload: aPayoutBody(body),
      }),
    request: (request) => app.inject(request),
    get: (partner, url) => app.inject({ method: 'GET', url, headers: { authorization: `Bearer ${partner.key}` } }),
  }
}

type Answering = (request: TransferRequest, nth: number) => Promise<SubmitAnswer> | SubmitAnswer

export interface WatchedRail extends PayoutRail {
  /** Which payouts the bank was asked to make, in order, each time it was asked. */
  readonly asked: string[]
  /** What it answers; the simulated bank's own answer unless a test says otherwise. */
  answering: Answering | null
}

export function watchedRail(clock: Pick<TestClock, 'now'>): WatchedRail {
  const simulated = createSimulatedRail(clock)
  const rail: WatchedRail = {
    ...simulated,
    asked: [],
    answering: null,
    submit: async (request) => {
      const nth = rail.asked.push(request.clientReference)
      return rail.answering === null ? simulated.submit(request) : rail.answering(request, nth)
    },
  }
  return rail
}

/** A moment of real time, for a bank that takes its time. */
export const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

/** How often each status occurs. */
export function tally(replies: readonly { statusCode: number }[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { statusCode } of replies) counts[statusCode] = (counts[statusCode] ?? 0) + 1
  return counts
}

export const idsOf = (replies: readonly LightMyRequestResponse[]) => [
  ...new Set(replies.map((reply) => reply.json<{ id: string }>().id)),
]
