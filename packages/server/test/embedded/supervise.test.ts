import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, describe, expect, test } from 'vitest'
import { type SupervisionNews, supervise } from '../../src/local/embedded/supervise.ts'

const started: ChildProcess[] = []
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

/** A server that does nothing; what keeps it from starting is up to the test. */
function aServer(trouble: () => string | null) {
  const news: SupervisionNews[] = []
  let child: ChildProcess | null = null
  const begin = () => {
    child = spawn('sleep', ['60'], { stdio: 'ignore' })
    started.push(child)
  }
  const isRunning = () => child !== null && child.exitCode === null && child.signalCode === null
  const end = async () => {
    if (child === null || !isRunning()) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  begin()
  return {
    news,
    end,
    isRunning,
    findPid: () => (isRunning() ? (child?.pid ?? null) : null),
    restart: async () => {
      const why = trouble()
      if (why !== null) throw new Error(why)
      begin()
    },
    shutDown: end,
    onNews: (each: SupervisionNews) => void news.push(each),
  }
}

describe('a supervised server', () => {
  test('that tells of its end is started again each time', async () => {
    const server = aServer(() => null)
    const untilEnded = () => once(started.at(-1)!, 'exit').then(() => undefined)
    const supervision = supervise({ ...server, untilEnded })
    await server.end()
    await expect.poll(() => server.news, { timeout: 5_000 }).toHaveLength(2)
    await server.end()
    const again = [{ kind: 'gone' }, { kind: 'back', attempts: 1 }]
    await expect.poll(() => server.news, { timeout: 5_000 }).toEqual([...again, ...again])
    await supervision.stop()
    expect(server.isRunning()).toBe(false)
  })

  test('is started again when it ends, and not when it is stopped', async () => {
    const server = aServer(() => null)
    const supervision = supervise(server)
    await server.end()
    await expect.poll(() => server.news, { timeout: 5_000 }).toEqual([{ kind: 'gone' }, { kind: 'back', attempts: 1 }])
    expect(server.isRunning()).toBe(true)
    await supervision.stop()
    expect(server.isRunning()).toBe(false)
    expect(server.news).toHaveLength(2)
  })

  test('that cannot be started is tried again after growing pauses, until it can', async () => {
    let trouble: string | null = 'no room'
    const server = aServer(() => trouble)
    const supervision = supervise(server)
    await server.end()
    const pauses = () => server.news.flatMap((each) => (each.kind === 'failed' ? [each.nextInMs] : []))
    await expect.poll(pauses, { timeout: 5_000 }).toEqual([500, 1_000])
    trouble = null
    await expect.poll(() => server.news.at(-1)?.kind, { timeout: 5_000 }).toBe('back')
    await supervision.stop()
    expect(server.isRunning()).toBe(false)
  })

  test('can be stopped while it is gone and cannot be started', async () => {
    const server = aServer(() => 'no room')
    const supervision = supervise(server)
    await server.end()
    await expect.poll(() => server.news.at(-1)?.kind, { timeout: 5_000 }).toBe('failed')
    await supervision.stop()
    expect(server.isRunning()).toBe(false)
  })
})
