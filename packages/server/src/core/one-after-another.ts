// Work of which one piece at a time is done for each name, in the order in which it was asked for.
export class OneAfterAnother {
  readonly #last = new Map<string, Promise<unknown>>()

  take<T>(name: string, work: () => Promise<T>): Promise<T> {
    const done = (this.#last.get(name) ?? Promise.resolve()).then(work)
    const over: Promise<unknown> = done
      .catch(() => undefined)
      // Nobody waits behind it: the name is forgotten.
      .then(() => this.#last.get(name) === over && this.#last.delete(name))
    this.#last.set(name, over)
    return done
  }
}
