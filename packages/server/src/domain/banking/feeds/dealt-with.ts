// What this process has seen of the bank's transfers lately. A bank that is behind with its messages tells mostly of what its list has
// shown: that need not be read again.
import { forgetOldest } from '../../../core/forget-oldest.ts'
import type { ListedTransfer } from '../../../rail/transfer.ts'

const MOST_REMEMBERED = 10_000

type Seen = Pick<ListedTransfer, 'transferRef' | 'updatedAt' | 'bankState'>

interface LastSeen {
  readonly asOf: Date
  readonly bankState: string
  /** Or tried in vain: it waits by itself, and is tried again in its time. */
  readonly isDealtWith: boolean
}

/** The list as it is being read, perhaps in several goes: what has changed since a moment, and where the next page begins. */
export interface ListReading {
  readonly since: Date
  readonly cursor: string | null
  /** The newest change on its first page, by the bank's clock: all that had changed by then is on one of its pages. */
  readonly upTo: Date | null
  /** Throws when the pages lead back to an earlier one. */
  readonly watch: (next: string | null) => void
}

export class DealtWith {
  /** In the order in which they were seen. */
  readonly #last = new Map<string, LastSeen>()
  /** The reading that has not come to its end. */
  reading: ListReading | null = null
  /** All that had changed by then has been listed. */
  listedUpTo: Date | null = null

  /**
   * Whether a message has nothing to tell of a transfer that was dealt with. The bank's clock alone does not say so: two changes may bear one
   * time, or the later one an earlier time. So its state must be known as well, or be one on the way to what is known.
   */
  knows(
    ref: string,
    told: { readonly happenedAt: Date; readonly state: string | null },
    way: readonly string[],
  ): boolean {
    const last = this.#last.get(ref)
    if (last === undefined || !last.isDealtWith || told.state === null || told.happenedAt > last.asOf) return false
    return includesState(last.bankState, told.state, way)
  }

  /** Whether it was seen as it is or newer, whatever came of it. */
  hasSeen({ transferRef, updatedAt }: Seen): boolean {
    const last = this.#last.get(transferRef)
    return last !== undefined && updatedAt <= last.asOf
  }

  add({ transferRef, updatedAt, bankState }: Seen, isDealtWith: boolean): void {
    this.#last.delete(transferRef)
    this.#last.set(transferRef, { asOf: updatedAt, bankState, isDealtWith })
    forgetOldest(this.#last, MOST_REMEMBERED)
  }
}

/** Whether whoever knows the one state has nothing to learn from the other. */
export function includesState(known: string, told: string, way: readonly string[]): boolean {
  const [from, to] = [way.indexOf(told), way.indexOf(known)]
  return told === known || (from !== -1 && from < to)
}
