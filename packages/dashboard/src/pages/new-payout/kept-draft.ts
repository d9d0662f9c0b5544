// What somebody typed outlives the form: a session that ends, or a look at another page, costs nobody their work.
// Only in memory, because it holds bank details.
import type { Draft } from './draft.ts'

interface Kept {
  /** Who typed it, into which form, reached by which link: anybody and anything else begins anew. */
  readonly owner: string
  readonly draft: Draft
  readonly step: number
  readonly last4: string | undefined
}

let kept: Kept | null = null

export function keepDraft(next: Kept): void {
  kept = next
}

export function keptDraft(owner: string): Kept | null {
  return kept?.owner === owner ? kept : null
}
