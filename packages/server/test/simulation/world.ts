// One time and one order for everything that happens: whoever wants to do something waits at a gate, and one of those that wait
// goes on at a time, by chance that can be had again. So a seed is the same story at every run, on a real database.
import { setImmediate } from 'node:timers/promises'

import type { Clock } from '../../src/core/clock.ts'
import type { Dice } from '../support/dice.ts'

export class Died extends Error {
  override readonly name = 'Died'
}

/** Of whom it is a step; dead, it takes none any more. */
export interface Actor {
  isDead: boolean
}

interface Step {
  readonly actor: Actor
  readonly run: () => Promise<void>
  readonly fail: (error: Error) => void
}

interface Sleeper {
  readonly actor: Actor
  readonly until: number
  readonly wake: () => void
  readonly fail: (error: Error) => void
}

export const BEGINNING = Date.UTC(2026, 5, 15, 9)

export class World {
  #ms = BEGINNING
  #waiting: Step[] = []
  #sleeping: Sleeper[] = []
  #tasks = 0
  /** How many steps were taken. */
  steps = 0
  /** Dies when the next of its steps has been taken, of which it hears nothing any more. */
  #doomed: Actor | null = null
  /** Hears that time has passed. */
  onTime: (now: number) => void = () => undefined
  /** What else happens between two steps, which must be all the same to the story. */
  afterStep: () => Promise<void> = () => Promise.resolve()

  get now(): number {
    return this.#ms
  }

  /** A clock as an actor sees it: no two looks at it are at the same moment. */
  clockOf(actor: Actor): Clock {
    return {
      now: () => new Date((this.#ms += 1)),
      elapsedMs: () => this.#ms,
      pause: (ms) =>
        new Promise((resolve, reject) => {
          if (actor.isDead) return reject(new Died('It is dead.'))
          this.#sleeping.push({ actor, until: this.#ms + ms, wake: resolve, fail: reject })
        }),
    }
  }

  pass(ms: number): void {
    this.#ms += ms
    this.onTime(this.#ms)
    const awake = this.#sleeping.filter(({ until }) => until <= this.#ms)
    this.#sleeping = this.#sleeping.filter(({ until }) => until > this.#ms)
    for (const { wake } of awake) wake()
  }

  /** Does the work when its turn comes. */
  atGate<T>(actor: Actor, work: () => Promise<T> | T): Promise<T> {
    return new Promise((resolve, reject) => {
      if (actor.isDead) return reject(new Died('It is dead.'))
      const run = async () => {
        try {
          const result = await work()
          if (actor.isDead) reject(new Died('It has died meanwhile.'))
          else resolve(result)
        } catch (error) {
          reject(error)
        }
      }
      this.#waiting.push({ actor, run, fail: reject })
    })
  }

  /** Begins something that goes on by itself, step by step. */
  begin(task: () => Promise<void>): void {
    this.#tasks += 1
    void task().finally(() => void (this.#tasks -= 1))
  }

  get isIdle(): boolean {
    return this.#tasks === 0
  }

  /** At once, or when its next step is done. */
  kill(actor: Actor, when: 'now' | 'after its next step'): void {
    if (when === 'after its next step') this.#doomed = actor
    else this.#end(actor)
  }

  #end(actor: Actor): void {
    actor.isDead = true
    const died = new Died('It was killed.')
    for (const each of [...this.#waiting, ...this.#sleeping]) if (each.actor === actor) each.fail(died)
    this.#waiting = this.#waiting.filter((each) => each.actor !== actor)
    this.#sleeping = this.#sleeping.filter((each) => each.actor !== actor)
  }

  /** Takes so many steps, or as many as there are. Who only waits for time to pass is given it. */
  async go(dice: Dice, steps: number): Promise<void> {
    for (let taken = 0; taken < steps; taken++) {
      await settled()
      const next = this.#waiting.splice(dice.draw(this.#waiting.length), 1)[0]
      if (next === undefined) {
        if (this.#sleeping.length === 0) return
        this.pass(Math.max(1, Math.min(...this.#sleeping.map(({ until }) => until)) - this.#ms))
        continue
      }
      this.steps += 1
      this.pass(dice.draw(20))
      const isLast = this.#doomed === next.actor
      if (isLast) {
        this.#doomed = null
        // It does what it was about to, and nobody of it hears how that went.
        next.actor.isDead = true
      }
      await next.run()
      if (isLast) this.#end(next.actor)
      await this.afterStep()
    }
    // What comes next finds everybody at a gate, and not on the way there.
    await settled()
  }

  async finish(dice: Dice): Promise<void> {
    for (let round = 0; round < 10_000; round++) {
      await this.go(dice, 50)
      if (this.isIdle) return
    }
    throw new Error('Something never ends.')
  }
}

/** More than anything of the program waits for between two gates: a batch gathers for a few turns (core/crew.ts). */
const TURNS = 8

/** What follows from the last step has followed, up to the next gate of each. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await setImmediate()
}
