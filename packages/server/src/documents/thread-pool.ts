// A few threads for work that might take long, eat memory or crash. Each has one job at a time; a job that goes too far
// ends only its own thread, and the next job gets a fresh one. Threads start when there is work, and owners with
// waiting jobs take turns.
import { Worker } from 'node:worker_threads'

import { AppError } from '../core/errors.ts'
import { TurnQueue } from './turn-queue.ts'

export interface ThreadPoolOptions {
  /** A JavaScript file that answers each message with one. */
  readonly entry: string
  readonly threads: number
  readonly longestMs: number
  readonly memoryMb: number
  /** Beyond this many a job is refused: a caller that waits that long has gone. */
  readonly mostWaiting: number
  /** Per owner: one owner's crowd must not fill the queue for everybody. */
  readonly mostWaitingEach: number
}

export interface ThreadPool<Job, Result> {
  /** The owner decides when the job has its turn. */
  readonly run: (owner: string, job: Job) => Promise<Result>
  /** Ends the threads; jobs under way fail. */
  readonly close: () => Promise<void>
}

/** The job ended its thread: too long, too large, or an error that nobody caught. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded'
}

/** Nothing is wrong with the job: the pool has closed. */
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

  /** Takes a thread's job away from it. */
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
    // Without the program's environment: the data drawn there was written by strangers.
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
