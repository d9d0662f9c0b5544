// One call: its tries, how long each may take, and what is known when none succeeded.
import {
  ApiError,
  ConnectionError,
  type ErrorAnswer,
  OutcomeUnknownError,
  UsageError,
  leavesInDoubt,
} from './errors.ts'
import { VERSION } from './generated/error-codes.ts'
import type { Operations } from './generated/operations.ts'
import { ForeignAnswer, errorAnswer, jsonAnswer, sentence, streamAnswer } from './read-answer.ts'
import { reasonOf } from './reason-of.ts'
import { isNeverHeard, mayTryAgain, pause, waitBefore } from './retries.ts'
import { wholeNumber } from './whole-number.ts'

export type Route = keyof Operations
export type Answer<R extends Route> = Operations[R]['answer']

/** What a single call may change. */
export interface CallOptions {
  /** How long one try may take. */
  readonly timeoutMs?: number | undefined
  readonly maxRetries?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export interface Settings {
  readonly apiKey: string
  readonly baseUrl: string
  readonly timeoutMs: number
  readonly maxRetries: number
  readonly fetch: typeof fetch
}

interface Extras {
  readonly headers?: Readonly<Record<string, string>>
  readonly idempotencyKey?: string
  /** Whether asking twice comes to the same as asking once. Reads always do. */
  readonly isRepeatable?: boolean
  /** Whether it is about a payout that exists: whatever goes wrong, it is not certain that nothing was sent. */
  readonly concernsPayout?: boolean
}

/** What the route wants, and no more. */
export type Input<R extends Route> = Omit<Operations[R], 'answer'> & Extras

interface Request extends Extras {
  readonly path?: Readonly<Record<string, string>> | undefined
  readonly query?: Readonly<Record<string, unknown>> | undefined
  readonly body?: unknown
}

export class Transport {
  readonly #settings: Settings

  constructor(settings: Settings) {
    this.#settings = settings
  }

  /** The answer as JSON. */
  async json<R extends Route>(route: R, input: Input<R>, options: CallOptions = {}): Promise<Answer<R>> {
    return this.#call(route, input, options, (response) => jsonAnswer(response) as Promise<Answer<R>>)
  }

  /** A document: its bytes. */
  async bytes<R extends Route>(route: R, input: Input<R>, options: CallOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    return this.#call(route, input, options, async (response) => new Uint8Array(await response.arrayBuffer()))
  }

  async text<R extends Route>(route: R, input: Input<R>, options: CallOptions = {}): Promise<string> {
    return this.#call(route, input, options, (response) => response.text())
  }

  /** An answer that has no end: it is read as it comes, and only its beginning may take the time of one try. */
  async open<R extends Route>(route: R, input: Input<R>, options: CallOptions = {}): Promise<Response> {
    return this.#call(route, input, options, async (response) => streamAnswer(response))
  }

  async #call<T>(
    route: string,
    request: Request,
    { timeoutMs = this.#settings.timeoutMs, maxRetries = this.#settings.maxRetries, signal }: CallOptions,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    wholeNumber('timeoutMs', timeoutMs, 1)
    wholeNumber('maxRetries', maxRetries, 0)
    const [method = '', template = ''] = route.split(' ')
    const url = this.#settings.baseUrl + pathOf(template, request.path) + queryOf(request.query)
    const init = { method, headers: checked(this.#headers(request)), body: bodyOf(request) }
    const { idempotencyKey } = request
    const isRepeatable = method === 'GET' || idempotencyKey !== undefined || request.isRepeatable === true
    let wasInDoubt = request.concernsPayout === true
    let waitedMs = 0
    for (let tries = 1; ; tries += 1) {
      if (signal?.aborted === true) throw finalError(signal.reason, request, { wasInDoubt, signal })
      const tried = await this.#try(url, init, { timeoutMs, signal, read })
      if ('value' in tried) return tried.value
      const { answer, error } = tried
      const refusal: ApiError | null = answer && new ApiError({ ...answer, idempotencyKey }, { wasInDoubt })
      wasInDoubt ||= answer === null ? !isNeverHeard(error) : leavesInDoubt(answer)
      const waitMs = waitBefore(tries, refusal?.retryAfterSeconds ?? null)
      if (tries > maxRetries || !mayTryAgain(refusal, { isRepeatable, waitMs, waitedMs })) {
        throw refusal ?? finalError(error, request, { wasInDoubt, signal })
      }
      waitedMs += waitMs
      await pause(waitMs, signal)
    }
  }

  async #try<T>(
    url: string,
    init: { method: string; headers: Record<string, string>; body: string | null },
    limits: { timeoutMs: number; signal: AbortSignal | undefined; read: (response: Response) => Promise<T> },
  ): Promise<{ value: T } | { answer: ErrorAnswer | null; error: unknown }> {
    const { timeoutMs, signal, read } = limits
    const giveUp = new AbortController()
    const timer = setTimeout(() => giveUp.abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
    const onAbort = () => giveUp.abort(signal?.reason)
    signal?.addEventListener('abort', onAbort)
    try {
      // An answer from another address is none of ours, and a key must not go there.
      const response = await this.#settings.fetch(url, { ...init, redirect: 'manual', signal: giveUp.signal })
      return response.ok ? { value: await read(response) } : { answer: await errorAnswer(response), error: null }
    } catch (error) {
      return { answer: null, error: giveUp.signal.aborted ? giveUp.signal.reason : error }
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  #headers({ headers, idempotencyKey, body }: Request): Record<string, string> {
    return {
      Authorization: `Bearer ${this.#settings.apiKey}`,
      Accept: 'application/json',
      'User-Agent': `kestrel-sdk/${VERSION}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
      ...headers,
    }
  }
}

/** What is thrown when no answer came: it says of all tries together whether somebody may have heard them. */
function finalError(
  error: unknown,
  request: Request,
  { wasInDoubt, signal }: { wasInDoubt: boolean; signal: AbortSignal | undefined },
): unknown {
  const { idempotencyKey, concernsPayout = false } = request
  if (idempotencyKey !== undefined && wasInDoubt) return new OutcomeUnknownError(idempotencyKey, error)
  if (signal?.aborted === true && error === signal.reason) return error
  const message = error instanceof ForeignAnswer ? sentence(error.message) : `Nobody answered: ${reasonOf(error)}`
  // Nobody heard this call; one before it, with the same key, may have been heard.
  const nothingWasSent = !concernsPayout && idempotencyKey === undefined
  return new ConnectionError(message, { nothingWasSent, cause: error })
}

/** Made once, so that every try sends the same. */
function bodyOf({ body }: Request): string | null {
  try {
    return body === undefined ? null : JSON.stringify(body)
  } catch (error) {
    throw new UsageError(
      `The request cannot be written as JSON: ${reasonOf(error)}. Amounts are text, such as gbp(2500n). Nothing was asked.`,
    )
  }
}

/** What no header can hold would be taken for a connection that broke, after which nobody knows whether it was heard. */
function checked(headers: Record<string, string>): Record<string, string> {
  const [name] = Object.entries(headers).find(([, value]) => !/^[\t -~\u0080-\u00ff]*$/.test(value)) ?? []
  if (name === undefined) return headers
  throw new UsageError(`The header ${name} cannot hold what it was given. Nothing was asked.`)
}

function pathOf(template: string, values: Readonly<Record<string, string>> = {}): string {
  return template.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const text = values[name] ?? ''
    // A URL folds dots away: they would lead to another operation.
    if (text === '' || text === '.' || text === '..')
      throw new UsageError(`${name} is empty. Give the id of what you mean.`)
    return encodeURIComponent(text)
  })
}

function queryOf(values: Readonly<Record<string, unknown>> = {}): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== null)
  const query = new URLSearchParams(given.map(([name, value]): [string, string] => [name, textOf(value)]))
  return given.length === 0 ? '' : `?${query.toString()}`
}

function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value)
}
