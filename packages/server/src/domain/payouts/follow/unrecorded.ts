// Payouts that the bank was asked about while the database was away or busy: what it said could not be recorded. Their leases are
// given back as soon as that can be written (decision 0362).
import { after } from '../../../core/clock.ts'
import type { Scope } from '../../../core/scope.ts'
import { type ClaimedPayout } from '../../../storage/payout-follow-ups.ts'
import { giveBackPayouts } from '../../../storage/payout-leases.ts'
import type { Deps } from '../../deps.ts'

/** Payouts whose lease is ours. */
export interface Claimed {
  readonly rows: readonly ClaimedPayout[]
  readonly leaseToken: string
  readonly leaseUntil: Date
}

/** Sooner, a bank would be asked over and over for what cannot be recorded yet. */
const AGAIN_AFTER_MS = 2_000

export class Unrecorded {
  readonly #deps: Pick<Deps, 'db' | 'clock'>
  #held: (Claimed & { readonly scope: Scope })[] = []

  constructor(deps: Pick<Deps, 'db' | 'clock'>) {
    this.#deps = deps
  }

  /**
   * Only what the bank has confirmed, and was merely read. Of any other the bank may have been asked to pay, and nobody has noted when: it
   * keeps its lease, so that a request that is still on its way has arrived before the next one is weighed.
   */
  add(scope: Scope, claimed: Claimed): void {
    const rows = claimed.rows.filter(({ transferRef }) => transferRef !== null)
    if (rows.length > 0) this.#held.push({ ...claimed, rows, scope })
  }

  /** Never throws: it is tried again with the next round, until the leases have ended. The claims of the round tell of the trouble. */
  async giveBack(): Promise<void> {
    const now = this.#deps.clock.now()
    const held = this.#held.filter(({ leaseUntil }) => leaseUntil > now)
    this.#held = []
    if (held.length === 0) return
    const dueAt = after(now, AGAIN_AFTER_MS)
    const given = this.#deps.db.inTransaction((tx) => {
      for (const { scope, rows, leaseToken } of held) {
        giveBackPayouts(tx, scope, { ids: rows.map(({ id }) => id), leaseToken, dueAt })
      }
      return Promise.resolve()
    })
    await given.catch(() => this.#held.push(...held))
  }
}
