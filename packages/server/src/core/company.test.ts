import { describe, expect, it } from 'vitest'

import { Company } from './company.ts'

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('those who come at much the same time', () => {
  it('go on together, step by step', async () => {
    const company = new Company()
    const steps: string[] = []
    const go = async (name: string) => {
      await company.gather()
      steps.push(`${name} begins`)
      await Promise.resolve()
      steps.push(`${name} ends`)
    }
    await Promise.all([go('one'), go('two')])
    expect(steps).toEqual(['one begins', 'two begins', 'one ends', 'two ends'])
  })

  it('wait for those who come in the next turn', async () => {
    const company = new Company()
    const gone: string[] = []
    const first = company.gather().then(() => gone.push('first'))
    await turn()
    const second = company.gather().then(() => gone.push('second'))
    expect(gone).toEqual([])
    await Promise.all([first, second])
    expect(gone).toEqual(['first', 'second'])
  })

  it('do not wait for ever, however many come', async () => {
    const company = new Company()
    const gone = company.gather().then(() => 'gone')
    let turns = 0
    for (let last = ''; last !== 'gone' && turns < 1_000; turns++) {
      void company.gather()
      last = await Promise.race([gone, turn().then(() => 'turn')])
    }
    expect(turns).toBeLessThan(100)
  })

  it('do not wait long while each turn takes its time', async () => {
    let ms = 0
    const company = new Company({ now: () => new Date(0), elapsedMs: () => ms })
    const gone = company.gather().then(() => 'gone')
    let turns = 0
    for (let last = ''; last !== 'gone' && turns < 1_000; turns++) {
      ms += 6
      void company.gather()
      last = await Promise.race([gone, turn().then(() => 'turn')])
    }
    expect(turns).toBeLessThan(6)
  })

  it('leave those who come later to the next company', async () => {
    const company = new Company()
    await company.gather()
    await expect(company.gather()).resolves.toBeUndefined()
  })
})
