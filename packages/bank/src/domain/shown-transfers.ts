// Transfers as the texts in which they are shown. Clients read the same lists again and again, and few rows of them have changed:
// only those are read as a whole. A text is kept for the version of its row, so it is never older than the row.
import { assert } from '../core/assert.ts'
import { inBatches } from '../core/in-batches.ts'
import { presentTopUp } from '../present/present-transfer.ts'
import type { PageRequest } from '../storage/page.ts'
import { findTopUps } from '../storage/top-ups.ts'
import {
  type ListedTransfer,
  type TransferFilter,
  type TransferVersion,
  findTransfers,
  findVisibleVersions,
  listVisibleTransfers,
} from '../storage/transfers.ts'
import type { Appearance } from './appearances.ts'
import type { BankDeps } from './bank-deps.ts'
import { showTransfer } from './show-transfer.ts'

/** More than a kilobyte each. */
const MOST_KEPT = 10_000
const MOST_TOGETHER = 100

interface Kept {
  readonly version: string
  readonly appearance: Appearance
  readonly text: string
}

type ShownDeps = Pick<BankDeps, 'db' | 'clock' | 'appearances' | 'publicUrl'>

export class ShownTransfers {
  readonly #deps: ShownDeps
  readonly #kept = new Map<string, Kept>()
  readonly #find: (id: string) => Promise<string | null>

  constructor(deps: ShownDeps) {
    this.#deps = deps
    this.#find = inBatches({ largest: MOST_TOGETHER, work: (ids) => this.#findAll(ids) })
  }

  /** Null: nobody may know of it yet. Those who ask while others are answered share a look at the books. */
  find(id: string): Promise<string | null> {
    return this.#find(id)
  }

  async list(filter: TransferFilter, page: PageRequest): Promise<string[]> {
    const { db, clock } = this.#deps
    const rows = await listVisibleTransfers(db, filter, page, clock.now())
    const [texts, topUps] = await Promise.all([this.#textsOf(rows.filter(isTransfer)), this.#topUpsAmong(rows)])
    return rows.map(({ id }) => {
      const text = texts.get(id) ?? topUps.get(id)
      assert(text !== undefined, 'what is in the list is in the books')
      return text
    })
  }

  async #findAll(ids: readonly string[]): Promise<(string | null)[]> {
    const texts = await this.#textsOf(await findVisibleVersions(this.#deps.db, ids, this.#deps.clock.now()))
    return ids.map((id) => texts.get(id) ?? null)
  }

  async #textsOf(rows: readonly TransferVersion[]): Promise<ReadonlyMap<string, string>> {
    const texts = new Map<string, string>()
    const changed: string[] = []
    for (const { id, version } of rows) {
      const kept = this.#kept.get(id)
      if (kept?.version === version && kept.appearance === this.#deps.appearances.of(id)) texts.set(id, kept.text)
      else changed.push(id)
    }
    if (changed.length === 0) return texts
    for (const { version, ...transfer } of await findTransfers(this.#deps.db, changed)) {
      const { id } = transfer
      const text = JSON.stringify(showTransfer(this.#deps, transfer))
      this.#keep(id, { version, appearance: this.#deps.appearances.of(id), text })
      texts.set(id, text)
    }
    return texts
  }

  async #topUpsAmong(rows: readonly ListedTransfer[]): Promise<ReadonlyMap<string, string>> {
    const ids = rows.filter((row) => !isTransfer(row)).map(({ id }) => id)
    const topUps = ids.length === 0 ? [] : await findTopUps(this.#deps.db, ids)
    return new Map(topUps.map((topUp) => [topUp.id, JSON.stringify(presentTopUp(topUp))]))
  }

  /** The one that has not changed for longest makes room. */
  #keep(id: string, kept: Kept): void {
    this.#kept.delete(id)
    this.#kept.set(id, kept)
    if (this.#kept.size <= MOST_KEPT) return
    const [oldest] = this.#kept.keys()
    if (oldest !== undefined) this.#kept.delete(oldest)
  }
}

function isTransfer(row: ListedTransfer): row is TransferVersion {
  return row.version !== null
}
