// A service as Prometheus sees it: read at its own address, from time to time, and down when it does not answer.
import { reconcile } from '../../src/domain/banking/reconcile/reconcile.ts'
import { PULSE } from '../../src/domain/watch/read-watch.ts'
import { noteJobRounds } from '../../src/storage/job-rounds.ts'
import type { TestApp } from '../support/app.ts'
import { type Scrape, parseMetrics } from './promql.ts'

export interface WatchedApp {
  readonly test: TestApp
  /** Every reading so far, the oldest first. */
  readonly history: readonly Scrape[]
  read: () => Promise<Scrape>
  /** Notes what a worker's job did, as the worker does. */
  readonly note: (job: string, outcome: 'finished' | 'failed') => Promise<void>
}

/** It has a worker, and its books were compared just now. */
export async function watched(test: TestApp): Promise<WatchedApp> {
  const url = await test.app.listen({ host: '127.0.0.1', port: 0 })
  const history: Scrape[] = []
  const note: WatchedApp['note'] = async (job, outcome) => {
    const at = test.clock.now()
    const round = { job, lastRoundAt: null, lastFailureAt: null }
    await test.deps.db.inTransaction(async (tx) =>
      noteJobRounds(tx, [outcome === 'failed' ? { ...round, lastFailureAt: at } : { ...round, lastRoundAt: at }]),
    )
  }
  await note(PULSE, 'finished')
  await note('send mail', 'finished')
  await reconcile(test.deps)
  return {
    test,
    history,
    note,
    read: async () => {
      const text = await fetch(`${url}/metrics`).then(
        async (reply) => (reply.status === 200 ? reply.text() : null),
        () => null,
      )
      const up = { name: 'up', labels: { job: 'kestrel' }, value: text === null ? 0 : 1 }
      const scrape = { atMs: test.clock.now().getTime(), samples: [up, ...parseMetrics(text ?? '')] }
      history.push(scrape)
      return scrape
    },
  }
}
