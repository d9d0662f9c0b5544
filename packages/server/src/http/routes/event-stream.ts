// One open stream of server-sent events: what it sends, and when it ends.
import { PassThrough, type Readable } from 'node:stream'

import { sleep } from '../../core/clock.ts'
import { formatUsdcHeld } from '../../core/money.ts'
import type { Change } from '../../domain/changes/change-feed.ts'

/** Shorter than the time after which a silent connection is cut. */
const HEARTBEAT_MS = 20_000
/** While nothing is written. */
const RECHECK_MS = 10_000
const AGAIN_MS = 1_000
/** A reader that is this far behind does better to reconnect. */
const MOST_WAITING_BYTES = 256 * 1024

export interface EventStream {
  readonly body: Readable
  tell(change: Hint): void
  /** Is written as soon as it is known that the listener may still listen. */
  write(text: string): void
  /** Resolves when the listener has taken what was written, or has left. */
  drained(): Promise<void>
  isOver(): boolean
  end(): void
}

/** What a page is told, to read it again. */
export type Hint = Exclude<Change, { readonly kind: 'events' }>

export function openEventStream(options: {
  /** False once the listener may no longer listen. */
  isStillAllowed: () => Promise<boolean>
  onEnd: () => void
}): EventStream {
  const body = new PassThrough()
  let waiting = ''
  let passing: Promise<void> | null = null
  let isOver = false
  const isFarBehind = () => body.writableLength + waiting.length > MOST_WAITING_BYTES
  const hasMore = () => waiting !== '' && !isOver

  function write(text: string): void {
    if (isOver) return
    if (isFarBehind()) return end()
    waiting += text
    passing ??= passOn()
  }

  async function passOn(): Promise<void> {
    // What is written in one turn of the program is asked about once.
    await Promise.resolve()
    while (hasMore()) {
      // What comes after the question may be newer than the answer.
      const text = waiting
      if (await ask()) {
        waiting = waiting.slice(text.length)
        body.write(text)
      } else if (!isOver) await sleep(AGAIN_MS)
    }
    passing = null
  }

  /** Whether it is known that the listener may still listen. While the database is away nobody knows: the stream stays. */
  async function ask(): Promise<boolean> {
    const isAllowed = await options.isStillAllowed().catch(() => null)
    if (isAllowed === false) end()
    return isAllowed === true && !isOver
  }

  const heartbeat = setInterval(() => (isFarBehind() ? end() : body.write(': still here\n\n')), HEARTBEAT_MS)
  const recheck = setInterval(() => void ask(), RECHECK_MS)
  function end(): void {
    if (isOver) return
    isOver = true
    clearInterval(heartbeat)
    clearInterval(recheck)
    options.onEnd()
    body.end()
  }
  body.once('close', end)
  body.write('retry: 3000\n\n')
  return {
    body,
    tell: (change) => write(hintText(change)),
    write,
    drained: async () => {
      await passing
      if (body.writableNeedDrain && !isOver) await drainOrClose(body)
    },
    isOver: () => isOver,
    end,
  }
}

/** Leaves no listener behind: a stream may live for months, and wait thousands of times. */
function drainOrClose(body: PassThrough): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      body.off('drain', done).off('close', done)
      resolve()
    }
    body.on('drain', done).on('close', done)
  })
}

function hintText(change: Hint): string {
  return `event: ${change.kind}\ndata: ${JSON.stringify(dataOf(change))}\n\n`
}

function dataOf(change: Hint): object {
  switch (change.kind) {
    case 'payout':
      return { id: change.id, status: change.status, updated_at: change.updatedAt.toISOString() }
    case 'balance':
      return { usdc: formatUsdcHeld(change.available) }
    case 'pause':
      return { paused_at: change.pausedAt?.toISOString() ?? null }
  }
}
