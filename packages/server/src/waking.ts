// What lets a worker rest, and wakes it.
import type { FastifyInstance } from 'fastify'

import type { Clock } from './core/clock.ts'
import { createRest } from './core/rest.ts'
import { type Bell, createBell } from './domain/watch/work-bell.ts'
import { onceAnswered } from './http/access/once-answered.ts'
import type { Loop } from './jobs/loop.ts'
import type { Database } from './storage/sql.ts'
import { type Listener, listenForWork } from './storage/work-bell.ts'

export interface WakingOptions {
  readonly databaseUrl: string
  /** The database itself, when the other is a pooler of transactions before it, through which nothing is heard. */
  readonly sessionDatabaseUrl?: string | null
  readonly clock: Clock
}

export function createWaking({ databaseUrl, sessionDatabaseUrl, clock }: WakingOptions, db: Database) {
  const url = sessionDatabaseUrl ?? databaseUrl
  let listener: Listener | null = null
  const rest = createRest(() => listener?.hears() ?? false)
  const bell = createBell(db, rest)
  return {
    rest,
    bell,
    /** Hears other processes for as long as the work goes on. */
    whileHearing: (work: Loop): Loop => {
      const listening = listenForWork({ url, db, clock, onRing: () => rest.stir() })
      listener = listening
      return {
        stop: async () => {
          await Promise.all([work.stop(), listening.close()])
          // What it has given back is another worker's to go on with, now.
          bell.ring()
        },
      }
    },
  }
}

export function ringAfterChanges(app: FastifyInstance, bell: Bell): FastifyInstance {
  onceAnswered(app, ({ method }) => {
    if (method !== 'GET' && method !== 'HEAD') bell.ring()
  })
  return app
}
