// A lane whose batch waited for somebody's lock as long as one may.
import { describe, expect, it } from 'vitest'

import { KeptWaiting, Refused, controlled, gathered } from '../../test/support/controlled-batches.ts'

describe('a lane that waits for a lock in vain', () => {
  const patient = () => controlled({ mayWaitOn: (error) => error instanceof KeptWaiting })

  it('waits on without a place, before what came meanwhile', async () => {
    const { submit, batches, begun } = patient()
    const results = submit('a1', 'a2')
    await gathered()
    results.push(...submit('a3'))
    batches[0]!.fail(new KeptWaiting())
    await gathered()
    for (const name of ['b1', 'c1']) {
      void submit(name)
      await gathered()
    }
    expect(begun()).toEqual(['a1 a2', 'a1 a2', 'b1', 'c1'])
    batches[1]!.finish()
    batches[2]!.finish()
    await gathered()
    batches[4]!.finish()
    expect(begun()[4]).toBe('a3')
    expect(await Promise.all(results)).toEqual(['a1!', 'a2!', 'a3!'])
  })

  it('waits twelve times, and no more; those who came later wait as often', async () => {
    const { submit, batches, begun } = patient()
    const results = submit('a1')
    await gathered()
    results.push(...submit('a2'))
    for (let time = 0; time < 24; time++) {
      batches[time]!.fail(new KeptWaiting())
      await gathered()
    }
    expect(await Promise.all(results)).toEqual(['KeptWaiting', 'KeptWaiting'])
    expect(begun()).toEqual([...Array.from({ length: 12 }, () => 'a1'), ...Array.from({ length: 12 }, () => 'a2')])
  })

  it('is left by those of it that did not wait', async () => {
    const { submit, batches, begun } = patient()
    const results = submit('a1', 'a2')
    await gathered()
    batches[0]!.fail(new KeptWaiting(), 'a2')
    await gathered()
    expect(begun()).toEqual(['a1 a2', 'a2'])
    batches[1]!.finish()
    expect(await Promise.all(results)).toEqual(['a1!', 'a2!'])
  })

  it('waits item by item after another failure, so that a bad one stays by itself', async () => {
    const { submit, batches, begun } = patient()
    const results = submit('a1', 'a2')
    await gathered()
    batches[0]!.fail(new Refused())
    await gathered()
    batches[1]!.fail(new KeptWaiting())
    await gathered()
    batches[2]!.fail(new Refused())
    await gathered()
    batches[3]!.finish()
    expect(begun()).toEqual(['a1 a2', 'a1', 'a1', 'a2'])
    expect(await Promise.all(results)).toEqual(['Refused', 'a2!'])
  })
})
