// One open stream of server-sent events: what it sends, and when it ends.
import { PassThrough, type Readable } from 'node:stream'

import { formatUsdcHeld } from '../../core/money.ts'
import type { Change } from '../../domain/changes/change-feed.ts'

/** Shorter than the time after which a silent connection is cut. */
const HEARTBEAT_MS = 20_000
const RECHECK_MS = 10_000
/** A reader that is this far behind does better to reconnect. */
const MOST_WAITING_BYTES = 256 * 1024

export interface EventStream {
  readonly body: Readable
  tell(change: Hint): void
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
  const write = (text: string) => {
    if (body.writableEnded) return
    if (body.writableLength > MOST_WAITING_BYTES) end()
    else body.write(text)
  }
  const heartbeat = setInterval(() => write(': still here\n\n'), HEARTBEAT_MS)
  const recheck = setInterval(() => {
    // While the database is away nobody knows whether the listener may go on: the stream stays.
    options.isStillAllowed().then(
      (isAllowed) => isAllowed || end(),
      () => undefined,
    )
  }, RECHECK_MS)
  let isOver = false
  function end(): void {
    if (isOver) return
    isOver = true
    clearInterval(heartbeat)
    clearInterval(recheck)
    options.onEnd()
    body.end()
  }
  body.once('close', end)
  write('retry: 3000\n\n')
  return {
    body,
    tell: (change) => write(hintText(change)),
    write,
    drained: async () => {
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
