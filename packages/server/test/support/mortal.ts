// An instance of the service that dies at a chosen point: from then on it reaches neither its database nor the bank, as if it had
// been killed there. It can be raised again, as a process is started again.
import type { TestApp } from './app.ts'

export const POINTS = [
  'before the payout is taken',
  'after the payout was taken',
  'before the bank is asked',
  'after the bank was asked',
  'before the outcome is written',
  'after the outcome was written',
] as const
export type Point = (typeof POINTS)[number]

export class Died extends Error {
  override readonly name = 'Died'
}

type Db = TestApp['deps']['db']
type Rail = TestApp['deps']['rails']['provider_sandbox']

export interface Mortal {
  readonly app: TestApp
  /** Dies when it comes to this point. */
  dieAt(point: Point): void
  /** Says whether it had died. */
  rise(): boolean
}

/** A request takes its payout by holding the money, a worker by claiming it. Only what follows the bank's answer is its outcome. */
export function mortal(app: TestApp): Mortal {
  let deadline: Point | null = null
  let isDead = false
  let hasAsked = false

  const live = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isDead) throw new Died('It is dead.')
    const result = await work()
    if (isDead) throw new Died('It has died meanwhile.')
    return result
  }
  const die = (point: Point) => {
    if (deadline !== point) return
    isDead = true
    throw new Died(point)
  }
  const around = async <T>(before: Point, after: Point, work: () => Promise<T>): Promise<T> => {
    if (!isDead) die(before)
    const result = await live(work)
    die(after)
    return result
  }
  const writing = <T>(work: () => Promise<T>): Promise<T> =>
    hasAsked
      ? around('before the outcome is written', 'after the outcome was written', work)
      : around('before the payout is taken', 'after the payout was taken', work)

  const { db, rails } = app.deps
  const { lookup } = db
  const rail = rails.provider_sandbox
  const [realDb, realRail, lookUp] = [{ ...db }, { ...rail }, lookup.query.bind(lookup)]
  Object.assign(db, {
    inTransaction: ((work) => writing(() => realDb.inTransaction(work))) satisfies Db['inTransaction'],
    inOneTrip: ((statements) => writing(() => realDb.inOneTrip(statements))) satisfies Db['inOneTrip'],
    query: ((sql, values) => live(() => realDb.query(sql, values))) satisfies Db['query'],
  })
  Object.assign(lookup, { query: ((sql, values) => live(() => lookUp(sql, values))) satisfies Db['lookup']['query'] })
  Object.assign(rail, {
    submit: ((request) =>
      around('before the bank is asked', 'after the bank was asked', async () => {
        const answer = await realRail.submit(request)
        hasAsked = true
        return answer
      })) satisfies Rail['submit'],
    readTransfers: ((refs, onBusy) => live(() => realRail.readTransfers(refs, onBusy))) satisfies Rail['readTransfers'],
    findTransfers: ((sought) => live(() => realRail.findTransfers(sought))) satisfies Rail['findTransfers'],
  })
  return {
    app,
    dieAt: (point) => {
      deadline = point
      hasAsked = false
    },
    rise: () => {
      const hadDied = isDead
      deadline = null
      isDead = false
      return hadDied
    },
  }
}
