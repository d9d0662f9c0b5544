// Callers who ask for the same while it is being read share the next reading of it. A reading begins after everybody who gets it
// has asked, so nobody is told what was out of date by then, in whichever process it was changed. It begins once all requests
// that have arrived by the end of the one before it are read, or each of those would be a reading more.
interface Reading<T> {
  readonly ended: Promise<unknown>
  /** What those get who have asked since it began, read as the last of them would. */
  next: Promise<T> | null
  readNext: () => Promise<T>
}

const arrived = () => new Promise((resolve) => setImmediate(resolve))

export class SharedReads<T> {
  readonly #underWay = new Map<string, Reading<T>>()

  read(what: string, read: () => Promise<T>): Promise<T> {
    const reading = this.#underWay.get(what)
    if (reading === undefined) return this.#begin(what, read)
    reading.readNext = read
    reading.next ??= reading.ended.then(arrived).then(() => this.#begin(what, reading.readNext))
    return reading.next
  }

  #begin(what: string, read: () => Promise<T>): Promise<T> {
    const answer = read()
    const reading: Reading<T> = { ended: answer.catch(() => undefined), next: null, readNext: read }
    this.#underWay.set(what, reading)
    void reading.ended.then(() => reading.next === null && this.#underWay.delete(what))
    return answer
  }
}
