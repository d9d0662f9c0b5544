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

export interface Limits {
  readonly timeoutMs: number
  readonly mostBytes: number
}

/** The answer is longer than anything that the bank has to say there. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError'

  constructor() {
    super('The answer is too large.')
  }
}

const INFORMATION_BELOW = 200
const MOST_PIECES = 1_024

export class Exchange implements Dispatcher.DispatchHandler {
  /**
   * undici announces a request when it has a connection, before its first byte is written. From then on it counts as having left; until
   * then the bank has seen nothing of it, whatever goes wrong.
   */
  hasLeft = false
  readonly #limits: Limits
  readonly #resolve: (answer: Answer) => void
  readonly #reject: (error: unknown) => void
  readonly #timer: NodeJS.Timeout
  #controller: Controller | null = null
  #isOver = false
  #status = 0
  #headers: Headers = {}
  #size = 0
  readonly #pieces: Buffer[] = []
  /** Pieces that are joined already. */
  readonly #blocks: Buffer[] = []

  private constructor(limits: Limits, resolve: (answer: Answer) => void, reject: (error: unknown) => void) {
    this.#limits = limits
    this.#resolve = resolve
    this.#reject = reject
    this.#timer = setTimeout(() => this.#fail(this.#controller, timeoutError()), limits.timeoutMs)
  }

  /** `begun` gets it as soon as there is one, because a failure is judged by how far it came. */
  static ask(
    dispatcher: Pick<Dispatcher, 'dispatch'>,
    options: Dispatcher.DispatchOptions,
    { begun, ...limits }: Limits & { begun: (exchange: Exchange) => void },
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const exchange = new Exchange(limits, resolve, reject)
      begun(exchange)
      dispatcher.dispatch(options, exchange)
    })
  }

  onRequestStart(controller: Controller): void {
    // It waited for a connection longer than anybody waits for it. Of what throws here undici writes nothing, and the connection serves the
    // next; to abort it would cost the connection.
    if (this.#isOver) throw timeoutError()
    this.hasLeft = true
    this.#controller = controller
  }

  onResponseStart(_controller: Controller, status: number, headers: Headers): void {
    if (status < INFORMATION_BELOW) return
    this.#status = status
    this.#headers = headers
  }

  onResponseData(controller: Controller, piece: Buffer): void {
    this.#size += piece.length
    if (this.#size > this.#limits.mostBytes) {
      this.#fail(controller, new TooLargeError())
      return
    }
    this.#pieces.push(piece)
    // A piece of one byte takes a hundred times as much beside it.
    if (this.#pieces.length >= MOST_PIECES) this.#blocks.push(Buffer.concat(this.#pieces.splice(0)))
  }

  onResponseEnd(): void {
    const all = [...this.#blocks, ...this.#pieces]
    const bytes = all.length === 1 ? all[0]! : Buffer.concat(all)
    if (this.#end()) this.#resolve({ status: this.#status, headers: this.#headers, bytes })
  }

  onResponseError(_controller: Controller, error: Error): void {
    if (this.#end()) this.#reject(error)
  }

  #fail(controller: Controller | null, error: Error): void {
    if (!this.#end()) return
    controller?.abort(error)
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
