// Asking the bank something over HTTP: once, without any retries that nobody sees.
import { request } from 'node:http'

import { API_KEY, CONTROL_KEY } from './test-bank.ts'

// What comes back is checked by the tests, field by field.
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  readonly json: Json
}

export interface Question {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Null leaves the header out; undefined makes a new one for every POST. */
  readonly key?: string | null
  readonly apiKey?: string | null
  readonly timeoutMs?: number
}

// Making a key pair takes seconds on a machine that has much else to do.
const PATIENCE_MS = 30_000

let asked = 0

export function aKey(): string {
  return `key-${process.pid}-${asked++}`
}

/** Rejects when the connection breaks before the whole answer is there. */
export function ask(bank: { url: string }, path: string, question: Question = {}): Promise<Reply> {
  const method = question.method ?? (question.body === undefined ? 'GET' : 'POST')
  const body = question.body === undefined ? null : JSON.stringify(question.body)
  const key = question.key === undefined && method === 'POST' ? aKey() : question.key
  const apiKey = question.apiKey === undefined ? API_KEY : question.apiKey
  const headers = {
    ...(apiKey === null ? {} : { 'api-key': apiKey }),
    ...(key === null || key === undefined ? {} : { 'idempotency-key': key }),
    ...(body === null ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    ...question.headers,
  }
  return send(new URL(path, bank.url), { method, headers, body, timeoutMs: question.timeoutMs ?? PATIENCE_MS })
}

function send(
  url: URL,
  message: { method: string; headers: Record<string, string | number>; body: string | null; timeoutMs: number },
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const { method, headers, body, timeoutMs } = message
    const signal = AbortSignal.timeout(timeoutMs)
    const sent = request(url, { method, headers, agent: false, signal }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => (text += part))
      response.on('end', () => resolve(replyOf(response.statusCode ?? 0, response.headers, text)))
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body ?? undefined)
  })
}

function replyOf(status: number, headers: Reply['headers'], text: string): Reply {
  let json: Json
  try {
    json = JSON.parse(text)
  } catch {
    json = undefined
  }
  return { status, headers, text, json }
}

export function control(bank: { url: string }, path: string, body?: unknown, method?: string): Promise<Reply> {
  return ask(bank, `/_control${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    key: null,
    apiKey: null,
    headers: { authorization: `Bearer ${CONTROL_KEY}` },
    ...(body === undefined ? {} : { body }),
  })
}
