// Follows every payout that is due for a look: takes a lease on it, reads its transfer from the bank, records that. Those whose
// rail has said beforehand how they end need none of it (end-as-foretold.ts).
// Several workers may run; a lease decides which has a payout, and only its holder can record.
import type { Environment } from '@kestrel/contract'

import { after } from '../../../core/clock.ts'
import { groupBy } from '../../../core/group-by.ts'
import { newId } from '../../../core/ids.ts'
import { isOutage } from '../../../core/outage.ts'
import type { Scope } from '../../../core/scope.ts'
import { within } from '../../../core/within.ts'
import type { BusyBank, SubmitAnswer } from '../../../rail/port.ts'
import type { TransferSnapshot } from '../../../rail/transfer.ts'
import { railNamed } from '../../../rail/which-rail.ts'
import { type ListedPayout, listDuePayouts } from '../../../storage/due-payouts.ts'
import { mayPartnerPay } from '../../../storage/partners.ts'
import { type DuePayout, claimDuePayouts } from '../../../storage/payout-follow-ups.ts'
import { bankAccountOf, findWallet } from '../../../storage/wallets.ts'
import type { Deps } from '../../deps.ts'
import { NO_NEWS } from '../ask/look-for.ts'
import type { PayoutDeps } from '../create/create-payout.ts'
import { askAgain } from './ask-again.ts'
import { LEASE_MS, keepingLeases } from './kept-leases.ts'
import { endAsForetold } from './end-as-foretold.ts'
import type { OutcomeOfPayout } from '../record/outcome-of-payout.ts'
import { tellOnce } from '../record/tell-once.ts'
import { type Claimed, Unrecorded } from './unrecorded.ts'

const LARGEST_BATCH = 256
/** The longest that one round of questions takes, with a bank that never answers. */
const LONGEST_ROUND_MS = 22_000
const MOST_AT_ONCE = 16

/** The most wallets of one environment that are followed at once. One that hangs costs the others nothing. */
const MOST_WALLETS = 256

export interface Round {
  /** How many payouts it started on. */
  readonly followed: number
  /** Whether as many were due as one look takes, and it could have some of them: more are found by looking again. */
  readonly isFull: boolean
}

export interface Follower {
  /** Starts following what is due, wallet by wallet, without waiting. */
  readonly round: () => Promise<Round>
  /** From now on nothing is begun but by a round. */
  readonly end: () => void
  /** Ends, and resolves when everything that was started is done. */
  readonly settled: () => Promise<void>
}

/**
 * A wallet that is being followed is left out of the rounds that come meanwhile: however slow, it holds up only itself.
 * Each environment has a list of its own, so a bank that hangs does not keep the other's payouts from being listed.
 */
export function createFollower(
  deps: PayoutDeps,
  onError: (error: unknown) => void,
  onFollowed: (payouts: number) => void = nothing,
): Follower {
  const underWay = { sandbox: new Map<string, Promise<void>>(), live: new Map<string, Promise<void>>() }
  const going = new Set<Promise<void>>()
  const unrecorded = new Unrecorded(deps)
  let isEnding = false

  async function setOut(environment: Environment): Promise<Round> {
    const followed = underWay[environment]
    if (followed.size >= MOST_WALLETS) return { followed: 0, isFull: false }
    const asked = { now: deps.clock.now(), most: LARGEST_BATCH, except: [...followed.keys()] }
    const due = await listDuePayouts(deps.db, environment, asked)
    const wallets = [...groupBy(due, (payout) => payout.partnerId)]
      .filter(([partnerId]) => !followed.has(partnerId))
      .slice(0, MOST_WALLETS - followed.size)
    const taken = wallets.flatMap(([, own]) => own)
    const { claimed, hasSome } = takeUp(deps, environment, taken, onError)
    const allDone = wallets.map(([partnerId]) => {
      const done = claimed
        .then((all) => followOrNote(deps, { partnerId, environment }, ofWallet(all, partnerId), unrecorded))
        .catch(onError)
        .finally(() => followed.delete(partnerId))
      followed.set(partnerId, done)
      return done
    })
    onFollowed(taken.length)
    if (due.length < LARGEST_BATCH) return { followed: taken.length, isFull: false }
    void hasSome.then((has) => has && goOn(environment, Promise.all(allDone)))
    return { followed: taken.length, isFull: await within(SOON_MS, hasSome, false) }
  }

  function end(): void {
    isEnding = true
  }

  /** One look takes so many and no more: what is left is not left until the next round. */
  function goOn(environment: Environment, done: Promise<unknown>): void {
    const looking = done
      .then(() => (isEnding ? null : setOut(environment)))
      .then(nothing, onError)
      .finally(() => going.delete(looking))
    going.add(looking)
  }

  return {
    round: async () => {
      await unrecorded.giveBack()
      return together(await setOut('live'), await setOut('sandbox'))
    },
    end,
    settled: async () => {
      end()
      await Promise.all(going)
      await Promise.all([...underWay.live.values(), ...underWay.sandbox.values()])
      await unrecorded.giveBack()
    },
  }
}

const together = (one: Round, other: Round): Round => ({
  followed: one.followed + other.followed,
  isFull: one.isFull || other.isFull,
})

async function followOrNote(deps: PayoutDeps, scope: Scope, own: Claimed, unrecorded: Unrecorded): Promise<void> {
  try {
    await followClaimed(deps, scope, own)
  } catch (error) {
    if (isOutage(error)) unrecorded.add(scope, own)
    throw error
  }
}

function nothing(): void {}

/** A claim that waits for a lock holds up no round: it is looked again in a while. */
const SOON_MS = 200

/** One round, to its end. Returns how many payouts were looked at. */
export async function followPayouts(deps: PayoutDeps): Promise<number> {
  const failures: unknown[] = []
  const follower = createFollower(deps, (error) => failures.push(error))
  const { followed } = await follower.round()
  await follower.settled()
  // One wallet's trouble holds up nobody else, and is still reported.
  if (failures.length > 0) throw failures[0]
  return followed
}

export async function followWallet(deps: PayoutDeps, scope: Scope, due: readonly DuePayout[]): Promise<void> {
  await followClaimed(deps, scope, await claim(deps, scope.environment, due))
}

const NOTHING: Claimed = { rows: [], leaseToken: '', leaseUntil: new Date(0) }

/** Ends what it can without a look, and claims the rest. */
function takeUp(
  deps: Deps,
  environment: Environment,
  due: readonly ListedPayout[],
  onError: (error: unknown) => void,
): { readonly claimed: Promise<Claimed>; readonly hasSome: Promise<boolean> } {
  const ended = endAsForetold(deps, environment, due, onError)
  const claimed = ended
    .then((ids) =>
      claim(
        deps,
        environment,
        due.filter(({ id }) => !ids.has(id)),
      ),
    )
    // One failure, of however many wallets.
    .catch((error: unknown) => {
      onError(error)
      return NOTHING
    })
  const endedAny = ended.then(
    ({ size }) => size > 0,
    () => false,
  )
  // Where nothing could be ended or claimed, the next look would find the same.
  const hasSome = Promise.all([endedAny, claimed]).then(([has, { rows }]) => has || rows.length > 0)
  return { claimed, hasSome }
}

async function claim(deps: Deps, environment: Environment, due: readonly DuePayout[]): Promise<Claimed> {
  const now = deps.clock.now()
  const leaseToken = newId(now)
  const leaseUntil = after(now, LEASE_MS)
  if (due.length === 0) return { rows: [], leaseToken, leaseUntil }
  const wanted = { due, now, leaseToken, leaseUntil }
  const rows = await deps.db.inTransaction((tx) => claimDuePayouts(tx, environment, wanted))
  return { rows, leaseToken, leaseUntil }
}

const ofWallet = ({ rows, ...lease }: Claimed, partnerId: string): Claimed => ({
  rows: rows.filter((row) => row.partnerId === partnerId),
  ...lease,
})

async function followClaimed(deps: PayoutDeps, scope: Scope, claimed: Claimed): Promise<void> {
  const { rows, leaseToken } = claimed
  if (rows.length === 0) return
  const answers = await keepingLeases(deps, scope, claimed, () => askAboutAll(deps, scope, claimed))
  const outcomes = rows.flatMap((row): OutcomeOfPayout[] => {
    const [answer, asRead] = [answers.get(row.id), { row, version: row.version }]
    return answer === undefined ? [] : [{ payoutId: row.id, leaseToken, answer, isFirstHand: false, asRead }]
  })
  const recorded = await Promise.allSettled(outcomes.map((outcome) => deps.lanes.record(scope, outcome)))
  const failed = outcomes.flatMap((outcome, index) => {
    const result = recorded[index]!
    return result.status === 'rejected' ? [{ outcome, error: result.reason as unknown }] : []
  })
  // While the database does not answer it is no payout's fault, and none waits for its lease to end: see unrecorded.ts.
  const outage = failed.find(({ error }) => isOutage(error))
  if (outage !== undefined) throw outage.error
  for (const { outcome, error } of failed) await tellOfFailure(deps, scope, outcome, error)
}

/** What cannot be written of one payout keeps its lease, and is tried again when that ends; one alarm tells the operator. */
function tellOfFailure(deps: Deps, scope: Scope, { payoutId, answer }: OutcomeOfPayout, error: unknown): Promise<void> {
  const what = 'a transfer’s news could not be written down'
  const detail = answer.kind === 'accepted' ? { transferRef: answer.transfer.transferRef } : {}
  const tell: Deps['onAlarm'] = (told, about) => deps.onAlarm(told, { ...about, err: error })
  return deps.db.inTransaction((tx) =>
    tellOnce({ clock: deps.clock, onAlarm: tell }, tx, scope, [{ what, payoutId, detail }]),
  )
}

/**
 * What the bank says of each payout. Those that there was no time for are missing, and are looked at when the lease
 * ends.
 */
async function askAboutAll(
  deps: Deps,
  scope: Scope,
  { rows, leaseToken, leaseUntil }: Claimed,
): Promise<ReadonlyMap<string, SubmitAnswer>> {
  const askUntil = after(leaseUntil, -LONGEST_ROUND_MS)
  const answers = new Map<string, SubmitAnswer>()
  for (const [name, known] of groupBy(
    rows.filter((row) => row.transferRef !== null),
    (row) => row.rail,
  )) {
    let unread = NO_NEWS
    const onBusy = ({ retryAfterMs }: BusyBank) => void (unread = { ...NO_NEWS, retryAfterMs })
    const refs = known.map((row) => row.transferRef!)
    const transfers = await railNamed(deps, name).readTransfers(refs, onBusy).catch(noTransfers)
    for (const row of known) {
      const transfer = transfers.get(row.transferRef!)
      answers.set(row.id, transfer === undefined ? unread : { kind: 'accepted', transfer })
    }
  }
  const unanswered = rows.filter((row) => row.transferRef === null)
  const wallet = unanswered.length === 0 ? null : await findWallet(deps.db, scope)
  const account = bankAccountOf(wallet)
  const mayPay = unanswered.length > 0 && (await mayPartnerPay(deps.db, scope))
  for (let index = 0; index < unanswered.length && deps.clock.now() < askUntil; index += MOST_AT_ONCE) {
    const some = unanswered.slice(index, index + MOST_AT_ONCE)
    const said = await Promise.all(some.map((row) => askAgainOrTell(deps, { scope, account, row, leaseToken, mayPay })))
    some.forEach((row, position) => answers.set(row.id, said[position]!))
  }
  return answers
}

function noTransfers(): ReadonlyMap<string, TransferSnapshot> {
  return new Map()
}

/** A payout that cannot even be asked about, because its details cannot be opened, holds up none of the others. */
function askAgainOrTell(deps: Deps, asked: Parameters<typeof askAgain>[1]): Promise<SubmitAnswer> {
  return askAgain(deps, asked).catch((error: unknown) => {
    deps.onAlarm('a payout could not be asked about', { ...asked.scope, payoutId: asked.row.id, err: error })
    return NO_NEWS
  })
}
