import { describe, expect, it } from 'vitest'

import { StandingTime } from '../../../../test/support/clock.ts'
import { readInTime } from './read-in-time.ts'

const UNANSWERED = new Promise<never>(() => undefined)

/** What was handed over, together what came together. */
async function handedOver(
  time: StandingTime,
  named: readonly string[],
  read: (each: string) => Promise<string>,
): Promise<string[][]> {
  const all: string[][] = []
  for await (const answers of readInTime(time, named, { read, late: 'late' })) {
    const said = answers.map(([each, answer]) =>
      answer.status === 'fulfilled' ? `${each} ${answer.value}` : `${each} failed`,
    )
    if (said.length > 0) all.push(said)
  }
  return all
}

const names = (count: number) => Array.from({ length: count }, (_, nth) => `${nth}`)

describe('what messages name', () => {
  it('is all read, eight at once, and what fails holds up nothing', async () => {
    let [underWay, most] = [0, 0]
    const all = await handedOver(new StandingTime(), names(20), async (each) => {
      most = Math.max(most, (underWay += 1))
      await Promise.resolve()
      underWay -= 1
      if (each === '3') throw new Error('It cannot be read.')
      return 'read'
    })
    const expected = names(20).map((each) => (each === '3' ? '3 failed' : `${each} read`))
    expect(all.flat().toSorted()).toEqual(expected.toSorted())
    expect(most).toBe(8)
  })

  it('is handed over while one is waited for, which is late after three seconds', async () => {
    const time = new StandingTime()
    const seen: string[] = []
    const going = handedOver(time, names(20), (each) => {
      seen.push(each)
      // When all others have been handed over.
      if (each === '19') setImmediate(() => time.pass(3_000))
      return each === '0' ? UNANSWERED : Promise.resolve('read')
    })
    const all = await going
    expect(seen).toEqual(names(20))
    expect(all.at(-1)).toEqual(['0 late'])
    expect(all.flat()).toHaveLength(20)
  })

  it('is not asked for when a second is over; what was asked for is waited for', async () => {
    const time = new StandingTime()
    const all = await handedOver(time, names(20), async () => {
      time.pass(200)
      return 'read'
    })
    expect(all.flat().toSorted()).toEqual(names(5).map((each) => `${each} read`))
  })

  it('has as long however long what was handed over takes: a locked wallet may be waited for', async () => {
    const time = new StandingTime()
    const read: string[] = []
    for await (const answers of readInTime(time, names(20), { read: (each) => Promise.resolve(each), late: null })) {
      read.push(...answers.map(([each]) => each))
      time.pass(3_000)
    }
    expect(read).toEqual(names(20))
  })
})
