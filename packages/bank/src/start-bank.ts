// Puts the bank together and starts listening.
import type { AddressInfo } from 'node:net'

import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'

import { BankLog } from './bank-log.ts'
import { BankClock } from './core/bank-clock.ts'
import { type Clock, systemClock } from './core/clock.ts'
import { Appearances } from './domain/appearances.ts'
import type { BankDeps } from './domain/bank-deps.ts'
import { DEFAULT_SETTLE_AFTER_MS, paceOf } from './domain/pace.ts'
import { Readings } from './domain/readings.ts'
import { settleDueTransfers } from './domain/settle-due-transfers.ts'
import { FaultBoard } from './faults/fault-board.ts'
import { buildServer } from './http/server.ts'
import { Loop } from './loop.ts'
import { readClockOffset, readIdentity } from './storage/bank-state.ts'
import { openDatabase } from './storage/database.ts'
import { migrateBank } from './storage/migrate.ts'
import { WebhookSender } from './webhooks/webhook-sender.ts'

export interface BankOptions {
  readonly databaseUrl: string
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
  readonly apiKey: string
  readonly controlKey: string
  readonly log: Logger
  readonly clock?: Clock
  /** How long a payment takes to settle; everything else follows from it. */
  readonly settleAfterMs?: number
}

export interface RunningBank {
  readonly url: string
  readonly port: number
  close(): Promise<void>
}

const LARGEST_POOL = 12
/** How late the bank may notice that something is due. */
const POLL_MS = 100
/** A look at what is due costs as much as what is done then. Nobody notices so little, and in it much can fall due. */
const APART_MS = 20
/** The same while nobody has asked for anything: a message that is sent again, or what another process has done. */
const REST_MS = 5_000

export async function startBank(options: BankOptions): Promise<RunningBank> {
  await migrateBank(options.databaseUrl)
  const log = new BankLog(options.log)
  const db = openDatabase({
    url: options.databaseUrl,
    largestPool: LARGEST_POOL,
    onConnectionError: (error) => log.failure('bank lost a connection to its database', error),
  })
  try {
    const clock = new BankClock(options.clock ?? systemClock)
    clock.follow(await readClockOffset(db))
    let url = ''
    const pace = paceOf(options.settleAfterMs ?? DEFAULT_SETTLE_AFTER_MS)
    const deps = {
      db,
      clock,
      pace,
      identity: await readIdentity(db),
      readings: new Readings(),
      appearances: new Appearances(),
      publicUrl: () => url,
    }
    const faults = new FaultBoard()
    const worker = createWorker(deps, faults, log)
    const { apiKey, controlKey } = options
    const app = await buildServer({ deps, apiKey, controlKey, log, faults, nudge: worker.nudge })
    await app.listen({ host: options.host, port: options.port })
    url = urlOf(app, options.host)
    worker.start()
    return { url, port: portOf(app), close: () => closeBank(app, worker, deps) }
  } catch (error) {
    await db.close()
    throw error
  }
}

interface Worker {
  readonly start: () => void
  readonly nudge: () => void
  readonly stop: () => Promise<void>
}

/** Everything that happens by itself: settling, returning, telling webhooks. */
function createWorker(deps: BankDeps, faults: FaultBoard, log: BankLog): Worker {
  let loop: Loop | null = null
  const nudge = (): void => loop?.nudge()
  const onError = (error: unknown): void => log.failure('bank loop failed', error)
  const sender = new WebhookSender(deps, faults, { onRoom: nudge, onError })
  const round = async (): Promise<boolean> => {
    // Another process on the same books may have advanced the clock.
    await deps.clock.followBooks(() => readClockOffset(deps.db))
    const hasMore = await settleDueTransfers(deps)
    await sender.startDue()
    return hasMore
  }
  return {
    start: () => void (loop = new Loop({ round, pauseMs: POLL_MS, restMs: REST_MS, apartMs: APART_MS, onError })),
    nudge,
    stop: async () => {
      await loop?.stop()
      await sender.stop()
    },
  }
}

async function closeBank(app: FastifyInstance, worker: Worker, deps: BankDeps): Promise<void> {
  await app.close()
  await worker.stop()
  await deps.db.close()
}

function portOf(app: FastifyInstance): number {
  return (app.server.address() as AddressInfo).port
}

function urlOf(app: FastifyInstance, host: string): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${portOf(app)}`
}
