// One request to the bank and the whole of its answer, taken as undici hands it over: the stream, the signal and the promises that
// its `request` makes of each cost more than all that we do with them.
import type { Dispatcher } from 'undici'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
}

type Headers = Readonly<Record<string, string | string[] | undefined>>
type Controller = Dispatcher.DispatchController

const INFORMATION_BELOW = 200

export class Exchange implements Dispatcher.DispatchHandler {
  /**
   * undici announces a request when it has a connection, before its first byte is written. From then on it counts as having left; until
   * then the bank has seen nothing of it, whatever goes wrong.
   */
  hasLeft = false
  readonly #resolve: (answer: Answer) => void
  readonly #reject: (error: unknown) => void
  readonly #timer: NodeJS.Timeout
  #controller: Controller | null = null
  #isOver = false
  #status = 0
  #headers: Headers = {}
  readonly #chunks: Buffer[] = []

  private constructor(timeoutMs: number, resolve: (answer: Answer) => void, reject: (error: unknown) => void) {
    this.#resolve = resolve
    this.#reject = reject
    this.#timer = setTimeout(() => this.#giveUp(), timeoutMs)
  }

  /** `begun` gets it as soon as there is one, because a failure is judged by how far it came. */
  static ask(
    dispatcher: Pick<Dispatcher, 'dispatch'>,
    options: Dispatcher.DispatchOptions,
    { timeoutMs, begun }: { timeoutMs: number; begun: (exchange: Exchange) => void },
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const exchange = new Exchange(timeoutMs, resolve, reject)
      begun(exchange)
      dispatcher.dispatch(options, exchange)
    })
  }

  onRequestStart(controller: Controller): void {
    // It waited for a connection longer than anybody waits for it: nothing is written then.
    if (this.#isOver) {
      controller.abort(timeoutError())
      return
    }
    this.hasLeft = true
    this.#controller = controller
  }

  onResponseStart(_controller: Controller, status: number, headers: Headers): void {
    if (status < INFORMATION_BELOW) return
    this.#status = status
    this.#headers = headers
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    const [first] = this.#chunks
    const bytes = this.#chunks.length === 1 ? first! : Buffer.concat(this.#chunks)
    if (this.#end()) this.#resolve({ status: this.#status, headers: this.#headers, bytes })
  }

  onResponseError(_controller: Controller, error: Error): void {
    if (this.#end()) this.#reject(error)
  }

  #giveUp(): void {
    if (!this.#end()) return
    const error = timeoutError()
    this.#controller?.abort(error)
    this.#reject(error)
  }

  /** Whether it was not over before. */
  #end(): boolean {
    if (this.#isOver) return false
    this.#isOver = true
    clearTimeout(this.#timer)
    return true
  }
}

function timeoutError(): Error {
  const error = new Error('The answer took too long.')
  error.name = 'TimeoutError'
  return error
}
