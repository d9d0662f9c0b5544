// A job that takes too much time or memory ends its own thread and nothing else.
import { join } from 'node:path'

import { afterEach, describe, expect, it } from 'vitest'

import { PoolClosed, ThreadEnded, type ThreadPool, createThreadPool } from '../../src/documents/thread-pool.ts'

interface Job {
  readonly deed: 'answer' | 'hang' | 'hoard' | 'throwLater' | 'leave'
  readonly said?: string
}

let pool: ThreadPool<Job, string>
const open = (options: { longestMs?: number; mostWaiting?: number; mostWaitingEach?: number } = {}) => {
  pool = createThreadPool({
    entry: join(import.meta.dirname, '../support/misbehaving-thread.mjs'),
    threads: 1,
    memoryMb: 32,
    longestMs: 30_000,
    mostWaiting: 10,
    mostWaitingEach: 10,
    ...options,
  })
}
afterEach(() => pool.close())

const answer = (said: string): Job => ({ deed: 'answer', said })

describe('a pool of threads', () => {
  it.each(['hang', 'hoard', 'throwLater', 'leave'] as const)('survives a job that does: %s', async (deed) => {
    // Only the one that hangs has to be waited for; for the others the time is never reached.
    open(deed === 'hang' ? { longestMs: 1_000 } : {})
    const [bad, good] = await Promise.allSettled([pool.run('a', { deed }), pool.run('a', answer('next'))])
    expect(bad).toMatchObject({ status: 'rejected', reason: expect.any(ThreadEnded) })
    expect(good).toEqual({ status: 'fulfilled', value: 'next' })
  })

  it('gives each job its own answer, in whatever number they come', async () => {
    open()
    const words = Array.from({ length: 8 }, (_, index) => `word ${index}`)
    expect(await Promise.all(words.map((said) => pool.run('a', answer(said))))).toEqual(words)
  })

  it('refuses what would wait too long', async () => {
    open({ mostWaiting: 1 })
    const [first, second, third] = await Promise.allSettled(['a', 'b', 'c'].map((said) => pool.run('a', answer(said))))
    expect([first?.status, second?.status]).toEqual(['fulfilled', 'fulfilled'])
    expect(third).toMatchObject({ reason: { code: 'unavailable', retryAfterSeconds: 5 } })
  })

  it('fails what is under way, waiting or new when it is closed', async () => {
    open()
    const jobs = [pool.run('a', { deed: 'hang' }), pool.run('a', answer('waiting'))]
    const outcomes = Promise.allSettled(jobs)
    await pool.close()
    for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: expect.any(PoolClosed) })
    await expect(pool.run('a', answer('new'))).rejects.toThrow(PoolClosed)
  })

  it('takes turns: one who waits with many delays nobody who has a single job', async () => {
    open()
    const done: string[] = []
    const ask = (owner: string, said: string) => pool.run(owner, answer(said)).then((word) => done.push(word))
    const flood = ['a1', 'a2', 'a3', 'a4', 'a5'].map((said) => ask('a', said))
    await Promise.all([...flood, ask('b', 'b1'), ask('c', 'c1'), ask('b', 'b2')])
    expect(done).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4', 'a5'])
  })

  it('refuses one who waits with too many, and nobody else', async () => {
    open({ mostWaitingEach: 2 })
    const asked = ['a', 'a', 'a', 'a', 'b', 'b'].map((owner) => pool.run(owner, answer(owner)))
    const outcomes = await Promise.allSettled(asked)
    expect(outcomes.map(({ status }) => status)).toEqual([
      ...Array(3).fill('fulfilled'),
      'rejected',
      'fulfilled',
      'fulfilled',
    ])
    expect(outcomes[3]).toMatchObject({ reason: { code: 'unavailable', retryAfterSeconds: 5 } })
  })

  it('where all places are taken makes room for a newcomer at the cost of who waits with most', async () => {
    open({ mostWaiting: 3 })
    const asked = ['a', 'a', 'a', 'a', 'b', 'b'].map((owner) => pool.run(owner, answer(owner)))
    const outcomes = await Promise.allSettled(asked)
    // One of a's is with the thread. Three wait, the newcomer's first takes a place, and the second finds no line longer than its own.
    expect(outcomes.map(({ status }) => (status === 'fulfilled' ? 'done' : 'refused'))).toEqual([
      'done',
      'done',
      'done',
      'refused',
      'done',
      'refused',
    ])
  })
})
