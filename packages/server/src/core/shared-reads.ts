// Callers who ask for the same share a reading of it. It begins once all requests that have arrived are read, and not before the one
// under way has ended: each of those would be a reading more. So it begins after everybody who gets it has asked, and nobody is told
// what was out of date by then, in whichever process it was changed.
interface Gathering<T> {
  /** What those get who have asked since the last one began, read as the last of them would. */
  readonly answer: Promise<T>
  read: () => Promise<T>
}

const arrived = () => new Promise((resolve) => setImmediate(resolve))

export class SharedReads<T> {
  readonly #gathering = new Map<string, Gathering<T>>()
  readonly #underWay = new Map<string, Promise<unknown>>()

  read(what: string, read: () => Promise<T>): Promise<T> {
    const known = this.#gathering.get(what)
    if (known !== undefined) {
      known.read = read
      return known.answer
    }
    const before = this.#underWay.get(what)
    const isTime = before === undefined ? arrived() : before.then(arrived)
    const gathering: Gathering<T> = { answer: isTime.then(() => this.#begin(what, gathering)), read }
    this.#gathering.set(what, gathering)
    return gathering.answer
  }

  #begin(what: string, { read }: Gathering<T>): Promise<T> {
    this.#gathering.delete(what)
    const answer = read()
    const ended: Promise<unknown> = answer
      .catch(() => undefined)
      .then(() => this.#underWay.get(what) === ended && this.#underWay.delete(what))
    this.#underWay.set(what, ended)
    return answer
  }
}
