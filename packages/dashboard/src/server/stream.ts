// Server-sent events: one connection for the whole page, whoever listens.
import type { Environment } from '@kestrel/contract'

import { address } from './client.ts'
import type { StreamedPayout } from './shapes.ts'

export interface StreamListener {
  readonly onPayout?: (payout: StreamedPayout) => void
  readonly onBalance?: () => void
  /** The connection is back after a break: something may have been missed. */
  readonly onReturn?: () => void
}

const listeners = new Set<StreamListener>()

export function listen(listener: StreamListener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Opens the stream and gives the function that closes it. */
export function openStream(environment: Environment): () => void {
  const source = new EventSource(address('/v1/stream', { environment }))
  let wasBroken = false
  source.addEventListener('payout', (event) => {
    const payout = readPayout(event)
    if (payout !== null) listeners.forEach(({ onPayout }) => onPayout?.(payout))
  })
  source.addEventListener('balance', () => listeners.forEach(({ onBalance }) => onBalance?.()))
  source.addEventListener('open', () => {
    if (wasBroken) listeners.forEach(({ onReturn }) => onReturn?.())
    wasBroken = false
  })
  source.addEventListener('error', () => {
    wasBroken = true
  })
  return () => source.close()
}

function readPayout(event: MessageEvent<unknown>): StreamedPayout | null {
  try {
    return JSON.parse(String(event.data)) as StreamedPayout
  } catch {
    return null
  }
}
