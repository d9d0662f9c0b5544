// A process of the service: the program's own rules on a real database, with a clock, a bank and a network of the simulation. It
// shares nothing with another but the database, and what it had in memory is gone when it dies.
import { AppError } from '../../src/core/errors.ts'
import { parseRate } from '../../src/core/rate.ts'
import type { MicroUsdc } from '../../src/core/money.ts'
import type { PayoutDeps } from '../../src/domain/payouts/create/create-payout.ts'
import { createPayoutLanes } from '../../src/domain/payouts/create/payout-lanes.ts'
import type { RateBook } from '../../src/domain/quotes/rate-book.ts'
import type { AlarmName } from '../../src/domain/watch/alarms/alarm-catalogue.ts'
import type { PartnerBank } from '../../src/rail/port.ts'
import { createProviderRail } from '../../src/rail/provider/provider-rail.ts'
import type { Database } from '../../src/storage/sql.ts'
import type { Network } from './network.ts'
import type { Actor, World } from './world.ts'

export const RAIL = 'provider_sandbox'
const RATE = parseRate('0.79')!

export interface Process extends Actor {
  readonly deps: PayoutDeps
}

export interface Surroundings {
  readonly world: World
  readonly network: Network
  /** The service as it is composed, of which each process has its own. */
  readonly base: PayoutDeps
  readonly onAlarm: (what: AlarmName, about: Readonly<Record<string, unknown>>) => void
}

export function startProcess({ world, network, base, onAlarm }: Surroundings): Process {
  const actor: Actor = { isDead: false }
  const db = gated(base.db, world, actor)
  const own = {
    ...base,
    db,
    reports: db,
    clock: world.clockOf(actor),
    rails: { ...base.rails, [RAIL]: createProviderRail(RAIL, network.clientOf(actor)) },
    banks: { sandbox: bankFor(network, actor), live: null },
    rates: ratesOf(network, world, actor),
    onAlarm: (what: AlarmName, about: Readonly<Record<string, unknown>>) => void (actor.isDead || onAlarm(what, about)),
    alarms: { ring: () => undefined, settled: () => Promise.resolve() },
  }
  return Object.assign(actor, { deps: Object.assign(own, { lanes: createPayoutLanes(own) }) })
}

/** A transaction is one step: what two of them do at the same moment, the tests of races prove. */
function gated(db: Database, world: World, actor: Actor): Database {
  return {
    ...db,
    query: (statement, values) => world.atGate(actor, () => db.query(statement, values)),
    lookup: { query: (statement, values) => world.atGate(actor, () => db.lookup.query(statement, values)) },
    inTransaction: (work) => world.atGate(actor, () => db.inTransaction(work)),
    inOneTrip: (statements) => world.atGate(actor, () => db.inOneTrip(statements)),
  }
}

const empty = { deposits: [], undone: [], transactions: [], unread: [], next: null }

function bankFor(network: Network, actor: Actor): PartnerBank {
  const bank: Partial<PartnerBank> = {
    readWalletBalance: async () => (await network.balanceFor(actor)) as MicroUsdc,
    listDeposits: () => Promise.resolve(empty),
    listReceived: () => Promise.resolve(null),
    excess: null,
    webhooks: { topicOf: () => ({ kind: 'transfer' }) } as Partial<PartnerBank['webhooks']> as PartnerBank['webhooks'],
  }
  return bank as PartnerBank
}

function ratesOf(network: Network, world: World, actor: Actor): RateBook {
  const rate = () =>
    world.atGate(actor, () => {
      if (network.dice.draw(300) >= network.trouble) return RATE
      throw new AppError('bank_unavailable', 'There is no exchange rate at the moment. Nothing was sent.')
    })
  return { current: rate, forPaying: rate, forShowing: rate, discard: () => undefined }
}
