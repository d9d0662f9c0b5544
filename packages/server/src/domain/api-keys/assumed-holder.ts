// A key's holder as this process has known it last, taken for right without looking the key up. Whatever is written for it is
// written for this version alone, by the statement that writes it; whatever else is answered, the key is looked up first.
import type { AppError } from '../../core/errors.ts'

export interface AssumedHolder {
  readonly version: string
  /** Looks the key up. Throws `NotAsAssumed` unless its holder is as assumed; once it is certain who asks, does nothing. */
  readonly prove: () => Promise<void>
  /** The database has written something for this version. */
  readonly isProven: () => void
}

/** Not a refusal of what was asked for: nothing that is said of a payout may be said instead. */
export class NotAsAssumed extends Error {
  /** Null: the caller may ask, and is another than was assumed. */
  readonly refusal: AppError | null

  constructor(refusal: AppError | null) {
    super('The caller is not as assumed')
    this.name = 'NotAsAssumed'
    this.refusal = refusal
  }
}
