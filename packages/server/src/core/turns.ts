// Turns at something that there is only so much of, such as connections. The lane with the fewest under way is next, so that a
// single request does not wait for all that somebody else asks for at once.

interface Lane {
  underWay: number
  /** In the order of asking. */
  readonly waiting: Set<() => void>
}

interface TurnsOptions {
  readonly most: number
  readonly mostOfLane: number
}

export class Turns {
  readonly #most: number
  readonly #mostOfLane: number
  #underWay = 0
  /** Those with something under way or waiting; the one whose last turn ended longest ago is first. */
  readonly #lanes = new Map<string, Lane>()

  constructor({ most, mostOfLane }: TurnsOptions) {
    this.#most = most
    this.#mostOfLane = mostOfLane
  }

  /** What `work` gives when it is the lane's turn; null if that does not come in time, and then nothing was done. */
  async run<T>(name: string, patienceMs: number, work: () => Promise<T>): Promise<T | null> {
    const lane = this.#lanes.get(name) ?? { underWay: 0, waiting: new Set() }
    this.#lanes.set(name, lane)
    if (this.#underWay < this.#most && this.#mayBegin(lane)) this.#begin(lane)
    else if (!(await untilCalled(lane, patienceMs))) {
      if (isEmpty(lane)) this.#lanes.delete(name)
      return null
    }
    try {
      return await work()
    } finally {
      this.#end(name, lane)
    }
  }

  #mayBegin(lane: Lane): boolean {
    return lane.underWay < this.#mostOfLane
  }

  #begin(lane: Lane): void {
    lane.underWay += 1
    this.#underWay += 1
  }

  #end(name: string, lane: Lane): void {
    lane.underWay -= 1
    this.#underWay -= 1
    this.#lanes.delete(name)
    if (!isEmpty(lane)) this.#lanes.set(name, lane)
    this.#callNext()
  }

  #callNext(): void {
    const lane = this.#next()
    if (lane === null) return
    const [call] = lane.waiting
    lane.waiting.delete(call!)
    this.#begin(lane)
    call!()
  }

  /** However many lanes wait, the first with nothing under way ends the search. */
  #next(): Lane | null {
    let next: Lane | null = null
    for (const lane of this.#lanes.values()) {
      if (lane.waiting.size === 0 || !this.#mayBegin(lane)) continue
      if (next === null || lane.underWay < next.underWay) next = lane
      if (lane.underWay === 0) break
    }
    return next
  }
}

function isEmpty({ underWay, waiting }: Lane): boolean {
  return underWay === 0 && waiting.size === 0
}

/** False if nobody calls in time. */
function untilCalled({ waiting }: Lane, patienceMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const call = () => {
      clearTimeout(timer)
      resolve(true)
    }
    const leave = () => {
      waiting.delete(call)
      resolve(false)
    }
    const timer = setTimeout(leave, patienceMs)
    waiting.add(call)
  })
}
