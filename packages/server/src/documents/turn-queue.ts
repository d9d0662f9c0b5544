// A queue in which owners take turns, one item each: an owner with many items waits for them, and nobody else does.
export interface TurnQueueOptions {
  readonly most: number
  readonly mostEach: number
}

export class TurnQueue<Item> {
  readonly #options: TurnQueueOptions
  /** The next owner is first. An owner without items is not in it. */
  readonly #lines = new Map<string, Item[]>()
  #length = 0

  constructor(options: TurnQueueOptions) {
    this.#options = options
  }

  /**
   * Returns what has no place: the new item, or where all places are taken the last item of the owner with the most.
   */
  push(owner: string, item: Item): Item[] {
    const line = this.#lines.get(owner) ?? []
    if (line.length >= this.#options.mostEach) return [item]
    line.push(item)
    this.#lines.set(owner, line)
    this.#length += 1
    return this.#length > this.#options.most ? [this.#dropFromLongest()] : []
  }

  shift(): Item | undefined {
    const [owner, line] = this.#lines.entries().next().value ?? []
    if (owner === undefined || line === undefined) return undefined
    this.#lines.delete(owner)
    if (line.length > 1) this.#lines.set(owner, line)
    this.#length -= 1
    return line.shift()
  }

  /** Returns everything that waited. */
  clear(): Item[] {
    const all = [...this.#lines.values()].flat()
    this.#lines.clear()
    this.#length = 0
    return all
  }

  /** Among equals, the owner who came last, which is the new one. */
  #dropFromLongest(): Item {
    const [owner, line] = [...this.#lines].reduce((longest, each) =>
      each[1].length >= longest[1].length ? each : longest,
    )
    const dropped = line.pop()!
    if (line.length === 0) this.#lines.delete(owner)
    this.#length -= 1
    return dropped
  }
}
