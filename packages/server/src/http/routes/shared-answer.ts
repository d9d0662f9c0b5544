// An answer that many ask for again and again: those of one caller who ask for the same at the same time share one reading, and one
// who has it already, and says so by its ETag, is told that nothing has changed.
import { hash } from 'node:crypto'

import type { FastifyReply, FastifyRequest } from 'fastify'

import { assert } from '../../core/assert.ts'
import { monotonicMs } from '../../core/clock.ts'
import { KeptVersions } from '../../core/kept-versions.ts'
import { SharedReads } from '../../core/shared-reads.ts'
import { callerOf } from '../access/authenticate.ts'

interface Answer {
  /** As it is sent: written once for all who share it. */
  readonly body: Buffer | string
  readonly etag: string
}

/** Both may depend on the caller and on the address, and on nothing else of the request. */
interface Asked {
  /** What is answered, with a version of all that it is made from; null where there is none. */
  readonly read: () => Promise<{ readonly said: object; readonly version: string | null }>
  /** The version that it has now, for less than reading it costs. */
  readonly readVersion?: () => Promise<string | null>
}

export type AnswerShared = (request: FastifyRequest, reply: FastifyReply, asked: Asked) => Promise<FastifyReply>

/** Some 150 pages of 50 payouts. A page that nobody has asked for within the minute is not waited for again. */
const KEPT = { bytes: 4 * 1_048_576, ms: 60_000 } as const

/** For one route. */
export function answersShared(): AnswerShared {
  const reads = new SharedReads<Answer>()
  const keptAnswers = new KeptVersions<Answer>(KEPT, monotonicMs)
  return async (request, reply, { read, readVersion }) => {
    const { id, environment, keyId, session } = callerOf(request)
    const what = [id, environment, keyId ?? session?.id, request.url].join(' ')
    const write = reply.getSerializationFunction('200', 'application/json')
    assert(write !== undefined, 'A shared answer has a schema')
    const { body, etag } = await reads.read(what, async () => {
      if (readVersion !== undefined && keptAnswers.has(what)) {
        const kept = keptAnswers.get(what, await readVersion())
        if (kept !== undefined) return kept
      }
      const { said, version } = await read()
      const answer = written(write({ ...said }))
      if (version !== null) {
        keptAnswers.keep(what, { version, value: answer, bytes: answer.body.length + version.length + what.length })
      }
      return answer
    })
    reply.header('ETag', etag)
    if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').send(body)
  }
}

/** A short text goes to the socket in one piece with its headers, which costs less than a second piece; a long one is not copied. */
const LONGEST_TEXT = 4_096

function written(text: string): Answer {
  const bytes = Buffer.from(text)
  const body = bytes.length > LONGEST_TEXT ? bytes : text
  return { body, etag: `"${hash('sha256', bytes, 'base64url').slice(0, 27)}"` }
}

/** A proxy on the way may have marked it as weak. */
function isKnown(known: string | undefined, etag: string): boolean {
  if (known === undefined) return false
  return known.split(',').some((each) => [etag, `W/${etag}`, '*'].includes(each.trim()))
}
