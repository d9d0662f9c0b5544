import { inspect, isDeepStrictEqual } from 'node:util'

/** Figures that should be the same and are not, in words that name both. */
export class Differences {
  readonly found: string[] = []
  #compared = 0

  /** How often two figures were compared. */
  get compared(): number {
    return this.#compared
  }

  /** Two figures or more, each under its name, that have to be the same. */
  compare(where: string, figures: Readonly<Record<string, unknown>>): void {
    const [[name, figure], ...others] = Object.entries(figures) as [[string, unknown], ...[string, unknown][]]
    for (const [otherName, other] of others) {
      this.#compared += 1
      if (isDeepStrictEqual(figure, other)) continue
      this.found.push(`${where}: ${name} ${shown(figure)}, but ${otherName} ${shown(other)}`)
    }
  }

  tell(what: string): void {
    this.found.push(what)
  }
}

function shown(figure: unknown): string {
  return inspect(figure, { breakLength: Infinity, depth: null, maxArrayLength: null })
}
