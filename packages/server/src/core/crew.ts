// Who may work: so many batches at once, and never two that have a lane in common. Steps that need the same locks share a
// crew. A lane that waits by itself needs no place in it, so that one that is stuck keeps nobody else from working.

/** A lane that has something to do, and what does it for any number of such lanes. */
export interface Wish {
  readonly lane: string
  /** Not together with other lanes. */
  readonly isAlone: boolean
  readonly by: Worker
}

export interface Worker {
  /** Takes what waits in the lanes before it first waits itself. Never fails. */
  work(lanes: readonly string[]): Promise<void>
  /** Called when the lanes are free again: which of them have something to do. */
  after(lanes: readonly string[]): readonly Wish[]
}

export class Crew {
  readonly #most: number
  readonly #mostLanes: number
  readonly #busy = new Set<string>()
  #underWay = 0
  #isCalled = false
  /** In order of arrival. */
  #wishes: Wish[] = []

  constructor({ most, mostLanes }: { most: number; mostLanes: number }) {
    this.#most = most
    this.#mostLanes = mostLanes
  }

  /** Whoever asks in the same turn of the event loop goes together. */
  ask(wish: Wish): void {
    this.#wishes.push(wish)
    if (this.#isCalled) return
    this.#isCalled = true
    setImmediate(() => {
      this.#isCalled = false
      this.#setOut()
    })
  }

  #setOut(): void {
    for (;;) {
      const first = this.#wishes.find((wish) => this.#mayGo(wish))
      if (first === undefined) return
      const together = this.#wishes
        .filter(
          (wish) => wish === first || (first.by === wish.by && !first.isAlone && !wish.isAlone && this.#mayGo(wish)),
        )
        .slice(0, this.#mostLanes)
      const leaving = new Set(together)
      this.#wishes = this.#wishes.filter((wish) => !leaving.has(wish))
      void this.#go(
        first,
        together.map(({ lane }) => lane),
      )
    }
  }

  #mayGo({ lane, isAlone }: Wish): boolean {
    return !this.#busy.has(lane) && (isAlone || this.#underWay < this.#most)
  }

  async #go({ by, isAlone }: Wish, lanes: readonly string[]): Promise<void> {
    const places = isAlone ? 0 : 1
    this.#underWay += places
    for (const lane of lanes) this.#busy.add(lane)
    await by.work(lanes)
    for (const lane of lanes) this.#busy.delete(lane)
    this.#underWay -= places
    this.#wishes.push(...by.after(lanes))
    this.#setOut()
  }
}
