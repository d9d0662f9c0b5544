// A job that goes too far ends its own thread and nothing else.
import { join } from 'node:path'

import { afterEach, describe, expect, it } from 'vitest'

import { PoolClosed, ThreadEnded, type ThreadPool, createThreadPool } from '../../src/documents/thread-pool.ts'

interface Job {
  readonly deed: 'answer' | 'hang' | 'hoard' | 'throwLater' | 'leave'
  readonly said?: string
}

let pool: ThreadPool<Job, string>
const open = (options: { longestMs?: number; mostWaiting?: number } = {}) => {
  pool = createThreadPool({
    entry: join(import.meta.dirname, '../support/misbehaving-thread.mjs'),
    threads: 1,
    memoryMb: 32,
    longestMs: 30_000,
    mostWaiting: 10,
    ...options,
  })
}
afterEach(() => pool.close())

const answer = (said: string): Job => ({ deed: 'answer', said })

describe('a pool of threads', () => {
  it.each(['hang', 'hoard', 'throwLater', 'leave'] as const)('survives a job that does: %s', async (deed) => {
    // Only the one that hangs has to be waited for; for the others the time is never reached.
    open(deed === 'hang' ? { longestMs: 1_000 } : {})
    const [bad, good] = await Promise.allSettled([pool.run({ deed }), pool.run(answer('next'))])
    expect(bad).toMatchObject({ status: 'rejected', reason: expect.any(ThreadEnded) })
    expect(good).toEqual({ status: 'fulfilled', value: 'next' })
  })

  it('gives each job its own answer, in whatever number they come', async () => {
    open()
    const words = Array.from({ length: 8 }, (_, index) => `word ${index}`)
    expect(await Promise.all(words.map((said) => pool.run(answer(said))))).toEqual(words)
  })

  it('refuses what would wait too long', async () => {
    open({ mostWaiting: 1 })
    const [first, second, third] = await Promise.allSettled(['a', 'b', 'c'].map((said) => pool.run(answer(said))))
    expect([first?.status, second?.status]).toEqual(['fulfilled', 'fulfilled'])
    expect(third).toMatchObject({ reason: { code: 'unavailable', retryAfterSeconds: 5 } })
  })

  it('fails what is under way, waiting or new when it is closed', async () => {
    open()
    const jobs = [pool.run({ deed: 'hang' }), pool.run(answer('waiting'))]
    const outcomes = Promise.allSettled(jobs)
    await pool.close()
    for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: expect.any(PoolClosed) })
    await expect(pool.run(answer('new'))).rejects.toThrow(PoolClosed)
  })
})
