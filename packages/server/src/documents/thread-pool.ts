// A few threads for work that might take long, eat memory or fall over: each has one job at a time, a job that goes too
// far ends its thread and nothing else, and the next job gets a fresh one. Threads start when there is something to do,
// and take turns between those whose jobs wait.
import { Worker } from 'node:worker_threads'

import { AppError } from '../core/errors.ts'
import { TurnQueue } from './turn-queue.ts'

export interface ThreadPoolOptions {
  /** A JavaScript file that answers each message with one. */
  readonly entry: string
  readonly threads: number
  readonly longestMs: number
  readonly memoryMb: number
  /** Beyond them a job is refused: whoever waits that long has gone. */
  readonly mostWaiting: number
  /** Of one owner: nobody's crowd is everybody's. */
  readonly mostWaitingEach: number
}

export interface ThreadPool<Job, Result> {
  /** Whose job it is decides when it has its turn. */
  readonly run: (owner: string, job: Job) => Promise<Result>
  /** Ends the threads; what is under way fails. */
  readonly close: () => Promise<void>
}

/** A job that took its thread with it: too long, too large, or a mistake that nobody caught. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded'
}

/** Nothing is wrong with the job: there was nobody left to do it. */
export class PoolClosed extends Error {
  override readonly name = 'PoolClosed'
}

interface Task<Job, Result> {
  readonly job: Job
  readonly resolve: (result: Result) => void
  readonly reject: (error: Error) => void
}

export function createThreadPool<Job, Result>(options: ThreadPoolOptions): ThreadPool<Job, Result> {
  const pool = new Pool<Job, Result>(options)
  return { run: (owner, job) => pool.run(owner, job), close: () => pool.close() }
}

class Pool<Job, Result> {
  readonly #options: ThreadPoolOptions
  readonly #waiting: TurnQueue<Task<Job, Result>>
  readonly #idle: Worker[] = []
  readonly #busy = new Map<Worker, { task: Task<Job, Result>; timer: NodeJS.Timeout }>()
  #isClosed = false

  constructor(options: ThreadPoolOptions) {
    this.#options = options
    this.#waiting = new TurnQueue({ most: options.mostWaiting, mostEach: options.mostWaitingEach })
  }

  run(owner: string, job: Job): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(closed())
      for (const { reject: refuse } of this.#waiting.push(owner, { job, resolve, reject })) refuse(tooManyWaiting())
      this.#fill()
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const { reject } of this.#waiting.clear()) reject(closed())
    const threads = [...this.#busy.keys(), ...this.#idle]
    for (const thread of threads) this.#takeTask(thread)?.reject(closed())
    await Promise.all(threads.map((thread) => thread.terminate()))
  }

  #fill(): void {
    while (!this.#isClosed && (this.#idle.length > 0 || this.#busy.size < this.#options.threads)) {
      const task = this.#waiting.shift()
      if (task === undefined) return
      this.#give(this.#idle.pop() ?? this.#start(), task)
    }
  }

  #give(thread: Worker, task: Task<Job, Result>): void {
    const { longestMs } = this.#options
    const isTooLong = () => this.#end(thread, new ThreadEnded(`A thread took longer than ${longestMs} ms.`))
    this.#busy.set(thread, { task, timer: setTimeout(isTooLong, longestMs) })
    thread.ref()
    thread.postMessage(task.job, [])
  }

  #start(): Worker {
    const thread = openThread(this.#options)
    thread.on('message', (result: Result) => {
      const task = this.#takeTask(thread)
      if (task === undefined) return
      thread.unref()
      this.#idle.push(thread)
      task.resolve(result)
      this.#fill()
    })
    thread.on('error', (cause) => this.#end(thread, new ThreadEnded(`A thread ended: ${cause.message}`, { cause })))
    thread.on('exit', (code) => this.#end(thread, new ThreadEnded(`A thread ended with code ${code}.`)))
    return thread
  }

  #end(thread: Worker, error: Error): void {
    const place = this.#idle.indexOf(thread)
    if (place !== -1) this.#idle.splice(place, 1)
    const task = this.#takeTask(thread)
    void thread.terminate()
    task?.reject(error)
    this.#fill()
  }

  /** The thread is then without one. */
  #takeTask(thread: Worker): Task<Job, Result> | undefined {
    const under = this.#busy.get(thread)
    clearTimeout(under?.timer)
    this.#busy.delete(thread)
    return under?.task
  }
}

const closed = () => new PoolClosed('The service is being stopped.')

function openThread({ entry, memoryMb }: ThreadPoolOptions): Worker {
  return new Worker(entry, {
    // Nothing of the program's settings: what is drawn there was written by strangers.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32 },
  })
}

function tooManyWaiting(): AppError {
  return new AppError('unavailable', 'Too many documents are being drawn at once. Try again in a few seconds.', {
    retryAfterSeconds: 5,
  })
}
