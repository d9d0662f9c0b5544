// Carries a plan out, lets everything come to rest, and says what is wrong then.
import type { QuoteTerms } from '../../src/domain/quotes/quote.ts'
import { handleBankEvents } from '../../src/domain/banking/feeds/bank-events.ts'
import { sweepTransfers } from '../../src/domain/banking/feeds/sweep-transfers.ts'
import { reconcileBank } from '../../src/domain/banking/reconcile/reconcile-bank.ts'
import { checkRefunds } from '../../src/domain/banking/refunds/check-refunds.ts'
import { AppError } from '../../src/core/errors.ts'
import type { PayoutDeps } from '../../src/domain/payouts/create/create-payout.ts'
import { followPayouts } from '../../src/domain/payouts/follow/follow-payouts.ts'
import { releasePayout } from '../../src/domain/payouts/follow/release-payout.ts'
import { RailUnavailable } from '../../src/rail/port.ts'
import type { TestApp } from '../support/app.ts'
import { createDice } from '../support/dice.ts'
import { aPartner, sql } from '../support/fixtures.ts'
import { BankActor } from './bank-actor.ts'
import { type PayoutInBooks, judge, readPayouts } from './judge.ts'
import { Network } from './network.ts'
import { PartnerActor } from './partner-actor.ts'
import { type Action, type Job, JOBS as PLANNED, type Plan } from './plan.ts'
import { type Process, RAIL, startProcess } from './processes.ts'
import { Died, World } from './world.ts'
import { keepMessages } from '../support/bank-message.ts'

const A_LEASE_MS = 31_000
const HOUR_MS = 3_600_000
/** A bank that is quick about it, one that takes a day, and one that has forgotten. */
const ROUNDS_MS = [...Array<number>(3).fill(A_LEASE_MS), ...Array<number>(30).fill(HOUR_MS)]

const JOBS: Readonly<Record<Job, (deps: PayoutDeps) => Promise<unknown>>> = {
  follow: followPayouts,
  sweep: (deps) => sweepTransfers(deps, 'sandbox'),
  'read all': (deps) => sweepTransfers(deps, 'sandbox', { depth: 'whole' }),
  messages: (deps) => handleBankEvents(deps, ['sandbox']),
  refunds: (deps) => checkRefunds(deps, 'sandbox'),
}

export interface Outcome {
  /** What is wrong, in words; empty: nothing. */
  readonly wrong: readonly string[]
  readonly payouts: number
  readonly transfers: number
  /** How many steps it took, and until when: the same at every run. */
  readonly steps: number
  readonly endedAt: number
}

/** One business, its bank and two processes of the service, for one plan. */
class Story {
  readonly world = new World()
  readonly bank: BankActor
  readonly network: Network
  readonly alarms: string[] = []
  readonly faults: string[] = []
  readonly processes: Process[]
  readonly partner: PartnerActor
  readonly #test: TestApp
  #messages = 0

  constructor(test: TestApp, plan: Plan, partner: ConstructorParameters<typeof PartnerActor>[1]) {
    this.#test = test
    this.bank = new BankActor(BigInt(plan.dollars) * 1_000_000n)
    this.network = new Network(this.world, this.bank, createDice(plan.seed))
    this.network.trouble = plan.trouble
    this.partner = new PartnerActor(this.world, partner)
    this.processes = [this.#start(), this.#start()]
  }

  #start(): Process {
    const onAlarm = (what: string, about: object) => void this.alarms.push(`${what} ${JSON.stringify(about)}`)
    return startProcess({ world: this.world, network: this.network, base: this.#test.deps, onAlarm })
  }

  /** A process that died has been started again. */
  at(nth: number): Process {
    if (this.processes[nth]!.isDead) this.processes[nth] = this.#start()
    return this.processes[nth]!
  }

  work(process: Process, job: Job): void {
    this.#begin(job, () => JOBS[job](process.deps))
  }

  #begin(name: string, task: () => Promise<unknown>): void {
    this.world.begin(async () => {
      try {
        await task()
      } catch (error) {
        // A bank that cannot be asked is asked again by the next round.
        if (!(error instanceof Died || error instanceof RailUnavailable)) this.faults.push(`${name}: ${String(error)}`)
      }
    })
  }

  /** The bank's message about a transfer, which may come twice, late, and before the transfer can be seen. */
  news(process: Process, objectRef: string): void {
    const at = new Date(this.world.now)
    const event = { eventId: `message-${this.#messages++}`, objectRef, happenedAt: at }
    this.#begin('a message', () => keepMessages(process.deps, [event], at))
  }

  release(process: Process, id: string): void {
    this.#begin('release', () =>
      releasePayout(process.deps, id, 'the simulation').catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error
      }),
    )
  }

  async reconcile(process: Process): Promise<void> {
    this.#begin('reconcile', async () => {
      for (const { check, detail } of await reconcileBank(process.deps, 'sandbox')) {
        this.faults.push(`reconciliation: ${check}: ${detail}`)
      }
    })
  }
}

export async function runPlan(test: TestApp, plan: Plan, afterStep?: () => Promise<void>): Promise<Outcome> {
  const partner = await aConnectedPartner(test, plan)
  const story = new Story(test, plan, partner)
  if (afterStep !== undefined) story.world.afterStep = afterStep
  try {
    // The bank's list is read from the beginning of the installation on.
    story.work(story.at(0), 'sweep')
    await story.world.finish(createDice(plan.seed))
    for (const action of plan.actions) {
      story.network.dice = createDice(action.chance)
      act(story, action)
      await story.world.go(story.network.dice, action.steps)
    }
    const payouts = await comeToRest(test, story, plan)
    const wrong = await judge(test, { ...story, begun: BigInt(plan.dollars) * 1_000_000n, payouts })
    return {
      wrong: [...wrong, ...story.faults, ...story.partner.faults],
      payouts: payouts.length,
      transfers: story.bank.transfers.length,
      steps: story.world.steps,
      endedAt: story.world.now,
    }
  } finally {
    await leave(test, partner.id)
  }
}

function act(story: Story, action: Action): void {
  const { partner, bank, world, network } = story
  const order = (nth: number) => partner.orders[nth % Math.max(1, partner.orders.length)]
  const transfer = (nth: number) => bank.transfers[nth % Math.max(1, bank.transfers.length)]
  const known = (nth: number) => order(nth)?.heard.find(({ id }) => id !== null)?.id ?? null
  switch (action.do) {
    case 'ask':
      return partner.ask(story.at(action.at), action.pounds)
    case 'ask again':
    case 'ask otherwise': {
      const asked = order(action.nth)
      const pounds = action.do === 'ask again' ? asked?.pounds : '7.77'
      return asked === undefined ? undefined : partner.askAgain(story.at(action.at), asked, pounds)
    }
    case 'cancel':
    case 'poll': {
      const id = known(action.nth)
      return id === null ? undefined : partner[action.do](story.at(action.at), id)
    }
    case 'work':
      return story.work(story.at(action.at), action.job)
    case 'move': {
      const moved = transfer(action.nth)
      if (moved !== undefined) bank.move(moved, world.now, network.dice)
      return
    }
    case 'news': {
      const about = transfer(action.nth)
      return about === undefined ? undefined : story.news(story.at(action.at), about.id)
    }
    case 'pass':
      return world.pass(action.ms)
    case 'kill':
      return world.kill(story.at(action.at), action.when)
    case 'weather':
      network.trouble = action.trouble
  }
}

const isOpen = ({ status, refundState, isSurfaced, sendState }: PayoutInBooks) =>
  sendState === 'sending' || (isSurfaced && (['pending', 'processing'].includes(status) || refundState === 'due'))

/** The network is well, and the bank brings everything to an end; so does the operator with what the bank never had. */
async function comeToRest(test: TestApp, story: Story, { seed }: Plan): Promise<readonly PayoutInBooks[]> {
  const { world, network, bank, partner } = story
  const dice = createDice(seed)
  Object.assign(network, { trouble: 0, dice })
  bank.isUpToDate = true
  await world.finish(dice)
  let quiet = 0
  for (const ms of ROUNDS_MS) {
    world.pass(ms)
    const isBankOpen = bank.open.length > 0
    const process = story.at(0)
    for (const job of PLANNED) story.work(process, job)
    await world.finish(dice)
    for (const transfer of bank.open) bank.move(transfer, world.now, dice)
    const payouts = await readPayouts(test, partner.scope.partnerId)
    // What the bank did last may be listed an hour later.
    quiet = ms === HOUR_MS && !isBankOpen && !payouts.some(isOpen) ? quiet + 1 : 0
    if (quiet === 2) {
      await story.reconcile(process)
      await world.finish(dice)
      return payouts
    }
    for (const { id } of payouts.filter(({ status }) => status === 'pending')) story.release(process, id)
    await world.finish(dice)
  }
  return readPayouts(test, partner.scope.partnerId)
}

async function aConnectedPartner(test: TestApp, { dollars }: Plan) {
  const partner = await aPartner(test, { usdc: `${dollars}.00` })
  const account: QuoteTerms['account'] = { holderRef: `holder-${partner.id}`, walletRef: `wallet-${partner.id}` }
  await sql(test, `insert into rails (name, environment) values ($1, 'sandbox') on conflict do nothing`, [RAIL])
  await sql(
    test,
    `update wallets set rail = $2, customer_ref = $3, wallet_ref = $4 where partner_id = $1 and environment = 'sandbox'`,
    [partner.id, RAIL, account.holderRef, account.walletRef],
  )
  return { ...partner, account }
}

/** The next story has a bank and a time of its own. */
async function leave(test: TestApp, partnerId: string): Promise<void> {
  await sql(
    test,
    `update wallets set rail = 'simulated', customer_ref = null, wallet_ref = null
      where partner_id = $1 and environment = 'sandbox'`,
    [partnerId],
  )
  // As owner, behind the guards: what is over is no concern of the next bank's books.
  await sql(
    test,
    `do $$ begin
       perform set_config('session_replication_role', 'replica', true);
       update payouts set rail = 'simulated' where partner_id = '${partnerId}';
     end $$`,
  )
  for (const table of ['bank_feeds', 'bank_events', 'bank_rows_waiting', 'refund_checks', 'payout_follow_ups'])
    await sql(test, `delete from ${table}`)
}
