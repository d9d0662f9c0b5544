// What a receiver answers to one attempt: its status, a little of its body, and what it asks of us. Nothing is kept of the rest, and
// nobody waits for it.
import type { IncomingHttpHeaders } from 'node:http'

import type { Dispatcher } from 'undici'

/** Receivers that answer and then go on talking are listened to no longer than this. */
const BODY_MS = 2_000
const MOST_ANSWER_BYTES = 2_048

export interface Heard {
  readonly status: number
  /** The first 2 KB. */
  readonly answer: string
  readonly headers: IncomingHttpHeaders
}

export interface Ends {
  /** Without an answer by then, the attempt fails. */
  readonly afterMs: number
  readonly onHeard: (heard: Heard) => void
  /** `why` is what went wrong, or what `end` was given. */
  readonly onFailed: (why: Error) => void
}

/** The attempt took longer than it may. */
export class TooLate extends Error {
  override readonly name = 'TooLate'
}

const ENOUGH = new Error('Enough of the answer was read.')

/** Undici's side of one attempt. Calls exactly one of `onHeard` and `onFailed`, once. */
export class AnswerReader implements Dispatcher.DispatchHandler {
  readonly #ends: Ends
  #timer: NodeJS.Timeout
  #controller: Dispatcher.DispatchController | null = null
  #status: number | null = null
  #headers: IncomingHttpHeaders = {}
  #parts: Buffer[] = []
  #bytes = 0
  #isOver = false
  #why = ENOUGH

  constructor(ends: Ends) {
    this.#ends = ends
    this.#timer = setTimeout(() => this.end(new TooLate()), ends.afterMs)
  }

  /** Ends the attempt now. What has been answered by then counts. */
  end(why: Error): void {
    this.#finish(why)
    this.#controller?.abort(why)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // It waited for a connection, and nobody waits for it any more.
    if (this.#isOver) controller.abort(this.#why)
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200 || this.#isOver) return
    this.#status = status
    this.#headers = headers
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.end(ENOUGH), Math.min(BODY_MS, this.#ends.afterMs))
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return
    // Copied: what is left of a chunk of any size would be kept with it.
    this.#parts.push(Buffer.from(chunk.subarray(0, MOST_ANSWER_BYTES - this.#bytes)))
    this.#bytes += chunk.length
    if (this.#bytes >= MOST_ANSWER_BYTES) this.end(ENOUGH)
  }

  onResponseEnd(): void {
    this.#finish(ENOUGH)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#finish(error)
  }

  #finish(why: Error): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#why = why
    clearTimeout(this.#timer)
    const status = this.#status
    // Once the status has come, how the rest of the answer ends changes nothing.
    if (status === null) this.#ends.onFailed(why)
    else this.#ends.onHeard({ status, answer: textOf(this.#parts), headers: this.#headers })
  }
}

function textOf(parts: readonly Buffer[]): string {
  if (parts.length === 0) return ''
  const text = (parts.length === 1 ? parts[0]! : Buffer.concat(parts)).toString('utf8')
  // PostgreSQL keeps no NUL.
  return text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text
}
