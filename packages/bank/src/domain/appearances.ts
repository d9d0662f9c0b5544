// How transfers are shown: the real bank may leave optional fields out, and may begin to use a state that nobody knows. A
// test chooses that for one transfer or for all, and takes it back. Kept in the process, like faults.

/** What the real bank's description does not promise of a transfer. */
export const OPTIONAL_FIELDS = [
  'client_reference_id',
  'source.bridge_wallet_id',
  'source.from_address',
  'destination.amount',
  'destination.external_account_id',
  'destination.reference',
  'destination.trace_number',
  'receipt.developer_exchange_fee',
  'receipt.gas_fee',
  'receipt.final_amount',
  'receipt.exchange_rate',
  'receipt.url',
  'additional_funding_instructions',
  'return_details',
  'return_details.reason',
  'return_details.refund_reference_id',
] as const
export type OptionalField = (typeof OPTIONAL_FIELDS)[number]

export interface Appearance {
  readonly without: readonly OptionalField[]
  /** The state that is shown, whatever the transfer's is; null: its own. */
  readonly state: string | null
}

const AS_IT_IS: Appearance = { without: [], state: null }

export class Appearances {
  #ofAll: Appearance = AS_IT_IS
  readonly #ofOne = new Map<string, Appearance>()

  /** From now on this transfer is shown so; null: all that have no appearance of their own. */
  choose(transferId: string | null, appearance: Appearance): void {
    if (transferId === null) this.#ofAll = appearance
    else this.#ofOne.set(transferId, appearance)
  }

  clear(): void {
    this.#ofAll = AS_IT_IS
    this.#ofOne.clear()
  }

  of(transferId: string): Appearance {
    return this.#ofOne.get(transferId) ?? this.#ofAll
  }

  list(): readonly (Appearance & { readonly transferId: string | null })[] {
    return [
      { transferId: null, ...this.#ofAll },
      ...[...this.#ofOne].map(([transferId, appearance]) => ({ transferId, ...appearance })),
    ]
  }
}
