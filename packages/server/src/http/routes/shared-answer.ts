// An answer that many ask for again and again: those of one caller who ask for the same at the same time share one reading, and one
// who has it already, and says so by its ETag, is told that nothing has changed.
import { hash } from 'node:crypto'

import type { FastifyReply, FastifyRequest } from 'fastify'

import { assert } from '../../core/assert.ts'
import { SharedReads } from '../../core/shared-reads.ts'
import { callerOf } from '../access/authenticate.ts'

interface Answer {
  /** As it is sent: written once for all who share it. */
  readonly body: Buffer | string
  readonly etag: string
}

export type AnswerShared = (
  request: FastifyRequest,
  reply: FastifyReply,
  read: () => Promise<object>,
) => Promise<FastifyReply>

/** For one route. What `read` gives may depend on the caller and on the address, and on nothing else of the request. */
export function answersShared(): AnswerShared {
  const reads = new SharedReads<Answer>()
  return async (request, reply, read) => {
    const { id, environment, keyId, session } = callerOf(request)
    const what = [id, environment, keyId ?? session?.id, request.url].join(' ')
    const write = reply.getSerializationFunction('200', 'application/json')
    assert(write !== undefined, 'A shared answer has a schema')
    const { body, etag } = await reads.read(what, async () => written(write({ ...(await read()) })))
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
