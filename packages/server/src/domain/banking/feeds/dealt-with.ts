// What this process has seen of the bank's transfers lately. What a message tells of an earlier moment is in that already, and need not
// be read again: a bank that is behind with its messages tells mostly of what its list has shown.
import type { ListedTransfer } from '../../../rail/transfer.ts'

const MOST_KEPT = 10_000

/** The list as it is being read, perhaps in several goes: what has changed since a moment, and where the next page begins. */
export interface ListReading {
  readonly since: Date
  readonly cursor: string | null
  /** The newest change on its first page, by the bank's clock: all that had changed by then is on one of its pages. */
  readonly upTo: Date | null
}

export class DealtWith {
  /** How new each was when it was dealt with, in that order. */
  readonly #asOf = new Map<string, number>()
  /** The reading that has not come to its end. */
  reading: ListReading | null = null
  /** All that had changed by then has been listed. */
  listedUpTo: Date | null = null

  /** Whether it was dealt with as it is since this moment, or as it was later. */
  covers(transferRef: string, moment: Date): boolean {
    const asOf = this.#asOf.get(transferRef)
    return asOf !== undefined && moment.getTime() <= asOf
  }

  add({ transferRef, updatedAt }: Pick<ListedTransfer, 'transferRef' | 'updatedAt'>): void {
    const asOf = Math.max(this.#asOf.get(transferRef) ?? 0, updatedAt.getTime())
    this.#asOf.delete(transferRef)
    this.#asOf.set(transferRef, asOf)
    if (this.#asOf.size <= MOST_KEPT) return
    const [oldest] = this.#asOf.keys()
    if (oldest !== undefined) this.#asOf.delete(oldest)
  }
}
