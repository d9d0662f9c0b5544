// Who may work: so many batches at once, and never two that have a lane in common. Steps that need the same locks share a
// crew. A lane that waits by itself needs no place in it, and one that happens to be alone keeps its place for a moment only,
// so that one that is stuck keeps nobody else from working.
//
// A batch sets out when nobody else seems to be coming: while each turn of the event loop brings somebody, more are waiting
// to be read from their sockets, and go along for little. Whoever is alone waits for a few empty turns, which take no time.
// Beside a batch of several lanes another sets out once it is large: a few do better to go with those whom the first one frees.
// Where many wait already when a batch is done, they set out before it is answered: the database works while this program does.

import { type Clock, later, monotonicMs } from './clock.ts'

/** A lane that has something to do, and what does it for any number of such lanes. */
export interface Wish {
  readonly lane: string
  /** Not together with other lanes. */
  readonly isAlone: boolean
  readonly by: Worker
  /** How many wait in it. */
  readonly waiting: number
}

/** Tells those whom a batch was for what became of them. */
export type Answer = () => void

export interface Worker {
  /** Takes what waits in the lanes before it first waits itself. Never fails. */
  work(lanes: readonly string[]): Promise<Answer>
  /** Called when the lanes are free again: which of them have something to do. */
  after(lanes: readonly string[]): readonly Wish[]
}

/** So many turns without an arrival, and the batch is as full as it gets. */
const EMPTY_TURNS = 2
/** However many still come. */
const LONGEST_GATHERING_MS = 10
/** So many in one lane are worth a batch, whoever else may come. */
const ENOUGH = 16

interface CrewOptions {
  /** So many batches at once. */
  readonly most: number
  readonly mostLanes: number
  /** After it a batch of one lane works on without its place. */
  readonly patienceMs: number
  /** Beside a batch of several lanes, one of fewer than `lanes` waits for its end, and for no longer than `waitMs`. */
  readonly beside?: { readonly lanes: number; readonly waitMs: number }
  /** Whose time it is, where that is not everybody’s. */
  readonly clock?: Clock
}

export class Crew {
  readonly #most: number
  readonly #mostLanes: number
  readonly #patienceMs: number
  readonly #beside: { readonly lanes: number; readonly waitMs: number }
  readonly #clock: Clock | undefined
  readonly #busy = new Set<string>()
  #underWay = 0
  /** Those of them that are of several lanes. */
  #ofSeveral = 0
  #hasWaited = false
  #stopWaiting: (() => void) | undefined
  #isGathering = false
  #arrivals = 0
  /** In order of arrival. */
  #wishes: Wish[] = []

  constructor({ most, mostLanes, patienceMs, beside = { lanes: 0, waitMs: 0 }, clock }: CrewOptions) {
    this.#most = most
    this.#mostLanes = mostLanes
    this.#patienceMs = patienceMs
    this.#beside = beside
    this.#clock = clock
  }

  ask(wish: Wish): void {
    this.#wishes.push(wish)
    this.#gather()
  }

  /** Somebody has come, whether the lane was asked for already or not. */
  noteArrival(): void {
    this.#arrivals++
  }

  #gather(): void {
    if (this.#isGathering) return
    this.#isGathering = true
    const until = monotonicMs(this.#clock) + LONGEST_GATHERING_MS
    let seen = this.#arrivals
    let emptyTurns = 0
    const look = () => {
      emptyTurns = this.#arrivals === seen ? emptyTurns + 1 : 0
      seen = this.#arrivals
      if (emptyTurns < EMPTY_TURNS && monotonicMs(this.#clock) < until) return void setImmediate(look)
      this.#isGathering = false
      this.#setOut()
    }
    setImmediate(look)
  }

  #setOut(): void {
    for (;;) {
      const first = this.#wishes.find((wish) => this.#mayGo(wish) && (wish.isAlone || this.#isTimeFor(wish.by)))
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

  #isTimeFor(by: Worker): boolean {
    if (this.#ofSeveral === 0 || this.#hasWaited) return true
    const ready = this.#wishes.filter((wish) => wish.by === by && !wish.isAlone && this.#mayGo(wish))
    if (ready.length >= this.#beside.lanes) return true
    this.#stopWaiting ??= later(this.#clock, this.#beside.waitMs, () => {
      this.#stopWaiting = undefined
      this.#hasWaited = true
      this.#setOut()
      this.#hasWaited = false
    })
    return false
  }

  async #go({ by, isAlone }: Wish, lanes: readonly string[]): Promise<void> {
    let places = isAlone ? 0 : 1
    this.#underWay += places
    for (const lane of lanes) this.#busy.add(lane)
    const leave = () => {
      this.#underWay -= places
      places = 0
    }
    const isOfOne = places === 1 && lanes.length === 1
    const ofSeveral = lanes.length > 1 ? 1 : 0
    this.#ofSeveral += ofSeveral
    const callOff = isOfOne ? later(this.#clock, this.#patienceMs, () => (leave(), this.#setOut())) : undefined
    const answer = await by.work(lanes)
    callOff?.()
    for (const lane of lanes) this.#busy.delete(lane)
    leave()
    this.#ofSeveral -= ofSeveral
    // Others that end meanwhile do not make anybody's wait begin anew.
    if (this.#ofSeveral === 0) {
      this.#stopWaiting?.()
      this.#stopWaiting = undefined
    }
    const wishes = by.after(lanes)
    this.#wishes.push(...wishes)
    if (wishes.some(({ waiting }) => waiting >= ENOUGH)) this.#setOut()
    answer()
    this.#gather()
  }
}
