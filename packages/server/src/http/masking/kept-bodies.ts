// What the log of requests keeps of a request and its answer, so that somebody can see what their program sent. It is masked
// before anything is kept, and what cannot be read field by field is left out.
import type { FastifyReply, FastifyRequest } from 'fastify'

import { isUuid } from '../../core/ids.ts'
import type { NewRequestBodies } from '../../domain/activity/request-bodies.ts'
import { Mask } from './mask.ts'

/** A payout and its answer fit in. Enough to see a mistake; what is longer is cut, and said to be. */
export const LONGEST_KEPT = 4_096
/** A longer answer is a list, which is not worth reading whole to keep its beginning. */
export const LONGEST_READ = 16 * 1_024
const LONGEST_QUERY = 1_000
const LONGEST_HEADER = 200

export interface Sent {
  readonly bytes: number
  /** Null for a file, and for what is longer than is read. */
  readonly body: string | Buffer | null
  readonly isFile: boolean
}

/** What was answered, as the framework sends it. */
export function sentOf(payload: unknown): Sent | null {
  if (payload === null || payload === undefined || payload === '') return null
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return { bytes: 0, body: null, isFile: true }
  const bytes = Buffer.byteLength(payload)
  return { bytes, body: bytes > LONGEST_READ ? null : payload, isFile: false }
}

export function keptBodies(request: FastifyRequest, reply: FastifyReply, sent: Sent | null): NewRequestBodies {
  const mask = new Mask()
  // The request first: what it hides is hidden in the answer too.
  const query = keptQuery(request, mask)
  const headers = keptHeaders(request, mask)
  const asked = keptRequest(request, mask)
  const answer = keptAnswer(sent, mask, reply)
  return {
    subjectId: subjectOf(request),
    idempotencyKey: headerOf(request, 'idempotency-key', 'idempotency_key', mask),
    query,
    headers,
    requestBody: asked.body,
    requestBytes: asked.bytes,
    requestLeftOut: asked.leftOut,
    isRequestCut: asked.isCut,
    answerBody: answer.body,
    answerBytes: answer.bytes,
    answerLeftOut: answer.leftOut,
    isAnswerCut: answer.isCut,
  }
}

interface Kept {
  readonly body: string | null
  readonly bytes: number | null
  readonly leftOut: NewRequestBodies['requestLeftOut']
  readonly isCut: boolean
}

const NOTHING: Kept = { body: null, bytes: null, leftOut: null, isCut: false }

function keptRequest(request: FastifyRequest, mask: Mask): Kept {
  const length = Number(request.headers['content-length'] ?? Number.NaN)
  const bytes = Number.isSafeInteger(length) && length >= 0 && length <= 2 ** 31 - 1 ? length : null
  const { body, failureCode } = request
  if (Buffer.isBuffer(body)) return { ...NOTHING, bytes: body.length, leftOut: 'file' }
  if (body !== undefined && body !== null) {
    const masked = mask.value(body)
    return mask.isFull ? { ...NOTHING, bytes, leftOut: 'too_large' } : { ...keptText(JSON.stringify(masked)), bytes }
  }
  if (bytes === 0 || (bytes === null && request.headers['transfer-encoding'] === undefined)) return NOTHING
  if (failureCode === 'invalid_json' || failureCode === 'unsupported_media_type') {
    return { ...NOTHING, bytes, leftOut: 'not_json' }
  }
  return { ...NOTHING, bytes, leftOut: failureCode === 'body_too_large' ? 'too_large' : 'not_read' }
}

function keptAnswer(sent: Sent | null, mask: Mask, reply: FastifyReply): Kept {
  if (sent === null) return NOTHING
  const { bytes, body } = sent
  const type = String(reply.getHeader('content-type') ?? '')
  if (sent.isFile || !type.startsWith('application/json')) return { ...NOTHING, leftOut: 'file' }
  if (body === null) return { ...NOTHING, bytes, leftOut: 'too_large' }
  return { ...keptText(mask.answerText(String(body))), bytes }
}

function keptText(whole: string): Pick<Kept, 'body' | 'leftOut' | 'isCut'> {
  return { body: whole.slice(0, LONGEST_KEPT).toWellFormed(), leftOut: null, isCut: whole.length > LONGEST_KEPT }
}

function keptQuery(request: FastifyRequest, mask: Mask): string | null {
  const asked = (request.raw.url ?? '').split('?')[1] ?? ''
  if (asked === '') return null
  const pairs: string[] = []
  for (const [name, value] of new URLSearchParams(asked)) {
    const told = mask.value({ [name]: value })
    if (mask.isFull) break
    const [pair] = Object.entries(told as Record<string, unknown>)
    pairs.push(pair!.map((part) => encodeURIComponent(String(part).toWellFormed())).join('='))
  }
  return pairs.join('&').slice(0, LONGEST_QUERY)
}

const PLAIN_TYPE = 'application/json'
const ONLY_PLAIN_TYPE = JSON.stringify({ 'Content-Type': PLAIN_TYPE })
const OTHERS_KEPT = ['kestrel-business', 'max-wallet-debit-usdc', 'confirm-code']

/** The headers that a request is made with, besides who asks. Others could hold anything. */
function keptHeaders(request: FastifyRequest, mask: Mask): string | null {
  const type = request.headers['content-type']
  if (type === PLAIN_TYPE && OTHERS_KEPT.every((name) => request.headers[name] === undefined)) return ONLY_PLAIN_TYPE
  // A refusal may repeat what stands behind the type.
  for (const word of type?.split(/[\s;="]+/).slice(1) ?? []) mask.text(word, null)
  // So may one about a page of another business.
  const business = request.headers['kestrel-business']
  if (business !== undefined && business !== request.caller?.slug) mask.text(String(business), null)
  const debit = headerOf(request, 'max-wallet-debit-usdc', 'usdc', mask)
  const kept = {
    ...(type === undefined ? {} : { 'Content-Type': mediaType(type) }),
    ...(debit === null ? {} : { 'Max-Wallet-Debit-USDC': debit }),
    ...(request.headers['confirm-code'] === undefined ? {} : { 'Confirm-Code': '[secret]' }),
  }
  return Object.keys(kept).length === 0 ? null : JSON.stringify(kept)
}

const mediaType = (type: string) =>
  /^[a-z]{1,20}\/[a-z.+-]{1,40}/i.exec(type)?.[0].toLowerCase() ?? '[not a media type]'

/** Masked like the field of that name. Header values are bytes: what PostgreSQL cannot store is masked with the rest. */
function headerOf(request: FastifyRequest, header: string, field: string, mask: Mask): string | null {
  const given = request.headers[header]
  if (given === undefined) return null
  return mask.text([given].flat().join(', ').slice(0, LONGEST_HEADER), field).slice(0, LONGEST_HEADER)
}

/** The payout that came of it, or else the id in the address. */
function subjectOf({ activityDetail, params }: FastifyRequest): string | null {
  const detail = (activityDetail ?? '').slice(0, 36).toLowerCase()
  if (isUuid(detail)) return detail
  const ids = Object.values((params ?? {}) as Record<string, unknown>).map((value) => String(value).toLowerCase())
  return ids.find(isUuid) ?? null
}
