// What nobody says in public of the real bank. Each question has two answers, and a client must live with both. They are
// kept in the process, like faults: a test chooses one and takes it back.
const DEFAULTS = {
  /** A refusal is the answer of its Idempotency-Key too, and is given again. Otherwise it leaves the key free. */
  refusals_bind_keys: true,
  /** A second transfer with a client_reference_id is refused. */
  client_references_are_unique: false,
  /** A list takes `starting_after` together with `updated_after_ms` and `updated_before_ms`. */
  cursors_go_with_times: true,
  /** A webhook that answers 401 is tried again, as after any other failure. */
  webhook_401_is_retried: true,
  /** A transfer from a wallet is `awaiting_funds` at first. Otherwise it is `pending`, and can never be cancelled. */
  transfers_await_funds_first: true,
  /** An order takes the money out of the wallet. Otherwise it is taken when the transfer leaves `awaiting_funds`. */
  orders_draw_the_wallet: true,
  /** A transfer that is `underfunded` can be cancelled too. */
  underfunded_can_be_cancelled: false,
  /** `duplicate_external_account` says the id of the account that is there. */
  duplicates_say_their_id: true,
  /** `source.key` of a refusal is an object with a word for each field, instead of their names in one text. */
  fields_are_an_object: false,
}

export type ReadingName = keyof typeof DEFAULTS

export const READING_NAMES = Object.keys(DEFAULTS) as readonly ReadingName[]

export class Readings {
  #chosen: Readonly<Record<ReadingName, boolean>> = DEFAULTS

  is(name: ReadingName): boolean {
    return this.#chosen[name]
  }

  choose(chosen: Partial<Readonly<Record<ReadingName, boolean>>>): void {
    this.#chosen = { ...this.#chosen, ...chosen }
  }

  clear(): void {
    this.#chosen = DEFAULTS
  }

  all(): Readonly<Record<ReadingName, boolean>> {
    return this.#chosen
  }
}
