// A queue in which owners take turns, one of theirs at a time: whoever brings much waits for it, and nobody else does.
export interface TurnQueueOptions {
  readonly most: number
  readonly mostEach: number
}

export class TurnQueue<Item> {
  readonly #options: TurnQueueOptions
  /** Whose turn it is comes first. Nobody is here with nothing. */
  readonly #lines = new Map<string, Item[]>()
  #length = 0

  constructor(options: TurnQueueOptions) {
    this.#options = options
  }

  /** What has no place: the new one, or where all places are taken the last of whoever waits with more. */
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

  /** Everything that waited. */
  clear(): Item[] {
    const all = [...this.#lines.values()].flat()
    this.#lines.clear()
    this.#length = 0
    return all
  }

  /** Of equals the one who came last, which is the new one. */
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
