// What this process holds of deliveries that it has taken and not finished: how many, and how much text. However many endpoints
// there are and however slow they answer, it is bounded, and each endpoint has the same right to it.
import { sleep } from '../../core/clock.ts'

export interface HoldingLimits {
  readonly deliveries: number
  readonly bytes: number
}

const LIMITS: HoldingLimits = { deliveries: 2_048, bytes: 16 * 1_024 * 1_024 }
/** What a delivery is taken to weigh before it is read: a little more than a payout's event does. */
const ROUGHLY_BYTES = 2_048
const LOOK_AGAIN_MS = 50

export interface Holding {
  /** How many more may be taken for this endpoint now. */
  room(): number
  /** What is held for it from now on; `expected` of them are being taken, and not weighed yet. */
  keep(held: { readonly deliveries: number; readonly bytes: number; readonly expected: number }): void
  /** Resolves once there is room for one, or nobody wants it any more. Who came first is first. */
  wait(until: AbortSignal): Promise<void>
  /** Nothing is held for it any more. */
  end(): void
}

interface Held {
  deliveries: number
  bytes: number
}

export function createHoldings(limits: HoldingLimits = LIMITS): { begin(): Holding } {
  const all = new Set<Held>()
  const queue: Held[] = []
  const total: Held = { deliveries: 0, bytes: 0 }

  function put(own: Held, now: Held): void {
    total.deliveries += now.deliveries - own.deliveries
    total.bytes += now.bytes - own.bytes
    own.deliveries = now.deliveries
    own.bytes = now.bytes
  }

  function roomFor(own: Held): number {
    const place = queue.indexOf(own)
    // One for each who waits and came before.
    const others = place === -1 ? queue.length : place
    const fits = (limit: number, held: keyof Held, each: number) => {
      const share = Math.max(each, limit / all.size)
      return Math.floor(Math.min((share - own[held]) / each, (limit - total[held]) / each - others))
    }
    const room = Math.min(fits(limits.deliveries, 'deliveries', 1), fits(limits.bytes, 'bytes', ROUGHLY_BYTES))
    return Math.max(0, room)
  }

  return {
    begin: () => {
      const own: Held = { deliveries: 0, bytes: 0 }
      all.add(own)
      return {
        room: () => roomFor(own),
        keep: ({ deliveries, bytes, expected }) => put(own, { deliveries, bytes: bytes + expected * ROUGHLY_BYTES }),
        wait: async (until) => {
          if (roomFor(own) > 0) return
          queue.push(own)
          while (roomFor(own) <= 0 && !until.aborted) await sleep(LOOK_AGAIN_MS, until)
          queue.splice(queue.indexOf(own), 1)
        },
        end: () => {
          put(own, { deliveries: 0, bytes: 0 })
          all.delete(own)
        },
      }
    },
  }
}
