// One API and its workers as real processes, killed every few seconds and started again.
import type { Dice } from '../../support/dice.ts'
import { type Home, type Running, type Served, type Settings, moment, serveOn, until, workOn } from '../program.ts'
import { SIZE, isSmall } from './storm-size.ts'

export interface Processes {
  readonly kills: { api: number; worker: number }
  startWorkers(): Promise<void>
  /** Kills until `isOver`, as often as the size of the storm says; a worker best while a receiver owes it an answer. */
  killUntil(isOver: () => boolean, isAsked: () => boolean): Promise<void>
  killWorker(): Promise<void>
  /** While it works nobody kills the API: an answer that is lost cannot be asked for again. */
  withoutKills<T>(work: () => Promise<T>): Promise<T>
  stop(): Promise<void>
}

export async function startProcesses(home: Home, settings: Settings, dice: Dice, port: number): Promise<Processes> {
  const kills = { api: 0, worker: 0 }
  let api: Served = await serveOn('api', settings, port)
  const workers: Running[] = []
  let last: Promise<unknown> = Promise.resolve()

  /** One after the other. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }

  async function killApi(): Promise<void> {
    await api.kill('SIGKILL')
    kills.api += 1
    await endLeases(home, OF_THE_API)
    api = await serveOn('api', settings, port)
  }

  async function killWorker(): Promise<void> {
    const nth = dice.draw(workers.length)
    await workers[nth]!.kill('SIGKILL')
    kills.worker += 1
    await endLeases(home, OF_A_WORKER)
    workers[nth] = await startWorker(settings)
  }

  return {
    kills,
    killWorker,
    startWorkers: async () => {
      for (let nth = 0; nth < SIZE.workers; nth++) workers.push(await startWorker(settings))
    },
    killUntil: async (isOver, isAsked) => {
      const { least, most } = SIZE.kills
      for (let nth = 0; nth < most && (nth < least || !isOver()); nth++) {
        await moment(SIZE.lullMs + dice.draw(SIZE.stormMs))
        // Two workers to one API: they are what sends.
        if (dice.draw(3) === 0) {
          await inTurn(killApi)
          continue
        }
        await until('somebody is asked', isAsked, 2_000).catch(() => undefined)
        await killWorker()
      }
    },
    withoutKills: inTurn,
    stop: async () => {
      for (const each of [...workers, api]) await each.kill('SIGTERM')
    },
  }
}

/** Resolves when it works: one that is killed before would have done nothing. */
const startWorker = (settings: Settings): Promise<Running> => workOn(settings, 60_000)

const OF_THE_API = ['payout_follow_ups'] as const
const OF_A_WORKER = ['payout_follow_ups', 'webhook_deliveries', 'bank_feeds'] as const

/**
 * In a small storm there is a single worker, so that nobody has its leases once it is killed. Those that it has while the API
 * is killed stay its own: ended under it, what it is sending would be sent again.
 */
async function endLeases({ owner }: Home, tables: typeof OF_THE_API | typeof OF_A_WORKER): Promise<void> {
  if (!isSmall) return
  const past = `now() - interval '1 second'`
  if (tables === OF_A_WORKER) await owner.query('update webhook_endpoints set served_by = null, served_until = null')
  for (const table of tables) {
    const sooner = table === 'payout_follow_ups' ? `, next_check_at = ${past}` : ''
    await owner.query(`update ${table} set lease_until = ${past}${sooner} where lease_until is not null`)
  }
}

/** What failed is tried again after seconds, minutes and hours: here it is at once. */
export async function hurryRetries({ owner }: Home, endpointId: string): Promise<void> {
  await owner.query(
    `update webhook_deliveries set next_try_at = now() where endpoint_id = $1 and state = 'waiting' and next_try_at > now()`,
    [endpointId],
  )
}
