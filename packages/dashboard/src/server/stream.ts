// Server-sent events: one connection for the whole page, shared by all listeners.
import type { Environment, PayoutStatus } from '@kestrel/contract'

import { address } from './client.ts'

/** What an event of the stream carries. */
export interface StreamedPayout {
  readonly id: string
  readonly status: PayoutStatus
  readonly updated_at: string
}

export interface StreamListener {
  readonly onPayout?: (payout: StreamedPayout) => void
  readonly onBalance?: () => void
  /** All payouts were paused, or go out again. */
  readonly onPause?: () => void
  /** The connection is back after a break: something may have been missed. */
  readonly onReturn?: () => void
  /** The server refused the connection: the session may be over. */
  readonly onRefused?: () => void
}

/** A browser tries again by itself after a break, but never after a refusal. */
const OPEN_AGAIN_MS = 10_000

const listeners = new Set<StreamListener>()

export function listen(listener: StreamListener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Opens the stream and gives the function that closes it. */
export function openStream(environment: Environment): () => void {
  let wasBroken = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const connect = (): EventSource => {
    const opened = new EventSource(address('/v1/stream', { environment }))
    opened.addEventListener('payout', (event) => {
      const payout = readPayout(event)
      if (payout !== null) listeners.forEach(({ onPayout }) => onPayout?.(payout))
    })
    opened.addEventListener('balance', () => listeners.forEach(({ onBalance }) => onBalance?.()))
    opened.addEventListener('pause', () => listeners.forEach(({ onPause }) => onPause?.()))
    opened.addEventListener('open', () => {
      if (wasBroken) listeners.forEach(({ onReturn }) => onReturn?.())
      wasBroken = false
    })
    opened.addEventListener('error', () => {
      wasBroken = true
      if (opened.readyState !== EventSource.CLOSED) return
      listeners.forEach(({ onRefused }) => onRefused?.())
      timer = setTimeout(() => (source = connect()), OPEN_AGAIN_MS)
    })
    return opened
  }
  let source = connect()
  return () => {
    clearTimeout(timer)
    source.close()
  }
}

function readPayout(event: MessageEvent<unknown>): StreamedPayout | null {
  try {
    return JSON.parse(String(event.data)) as StreamedPayout
  } catch {
    return null
  }
}
