// The parameters that lists share. A parameter that makes no sense is refused rather than ignored: an adapter that
// misspells one should hear of it here and not in production.
import type { FastifyRequest } from 'fastify'

import { invalidParameters } from '../core/bank-error.ts'
import { isUuid } from '../core/ids.ts'
import type { Readings } from '../domain/readings.ts'
import type { PageRequest } from '../storage/page.ts'

const DEFAULT_LIMIT = 10
const MOST_LIMIT = 100

export function textFrom(request: FastifyRequest, name: string): string | null {
  const value = (request.query as Readonly<Record<string, unknown>>)[name]
  if (value === undefined || value === '') return null
  if (typeof value !== 'string') throw invalidParameters('query', [name])
  return value
}

export function limitFrom(request: FastifyRequest, most = MOST_LIMIT): number {
  const text = textFrom(request, 'limit')
  if (text === null) return DEFAULT_LIMIT
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > most) throw invalidParameters('query', ['limit'], `limit is a number from 1 to ${most}.`)
  return limit
}

/** With `readings`: a page of a list that can also be asked for by when its rows changed. */
export function pageFrom(request: FastifyRequest, readings?: Readings): PageRequest {
  const startingAfter = cursorFrom(request, 'starting_after')
  const endingBefore = cursorFrom(request, 'ending_before')
  const cursor = startingAfter === null ? (endingBefore === null ? null : 'ending_before') : 'starting_after'
  if (cursor !== null && readings?.is('cursors_go_with_times') === false) refuseTimes(request, cursor)
  if (startingAfter !== null && endingBefore !== null) {
    throw invalidParameters('query', ['starting_after', 'ending_before'], 'Only one of the two can be set.')
  }
  return { limit: limitFrom(request), startingAfter, endingBefore }
}

function refuseTimes(request: FastifyRequest, cursor: string): void {
  const times = ['updated_after_ms', 'updated_before_ms'].filter((name) => textFrom(request, name) !== null)
  if (times.length === 0) return
  throw invalidParameters('query', [cursor, ...times], 'A cursor and a time cannot both be set.')
}

function cursorFrom(request: FastifyRequest, name: string): string | null {
  const id = textFrom(request, name)
  if (id !== null && !isUuid(id)) throw invalidParameters('query', [name])
  return id
}

/** `updated_after_ms` and `updated_before_ms`: milliseconds since 1970. */
export function updatedBetween(request: FastifyRequest): { updatedAfter: Date | null; updatedBefore: Date | null } {
  return {
    updatedAfter: momentFrom(request, 'updated_after_ms'),
    updatedBefore: momentFrom(request, 'updated_before_ms'),
  }
}

function momentFrom(request: FastifyRequest, name: string): Date | null {
  const text = textFrom(request, name)
  if (text === null) return null
  if (!/^\d{1,15}$/.test(text)) throw invalidParameters('query', [name])
  return new Date(Number(text))
}

export function wordFrom<T extends string>(request: FastifyRequest, name: string, words: readonly T[]): T | null {
  const text = textFrom(request, name)
  if (text === null) return null
  const word = words.find((each) => each === text)
  if (word === undefined) throw invalidParameters('query', [name])
  return word
}
