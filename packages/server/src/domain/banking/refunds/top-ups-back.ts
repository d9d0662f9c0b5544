// What the operator had added to payouts that came to nothing. The bank says nothing of it: the only sign is that the
// operator's own wallet holds exactly so much more than the books say. It is booked then, once per payout.
import type { Environment } from '@kestrel/contract'

import { type Clock, pause } from '../../../core/clock.ts'
import { eachApart } from '../../../core/each-apart.ts'
import { type MicroUsdc, microUsdc } from '../../../core/money.ts'
import { type OperatorFunds, RailUnavailable } from '../../../rail/port.ts'
import { lockExcessFunds, readExpectedExcess } from '../../../storage/excess-funds.ts'
import { lockWallet, postEntries } from '../../../storage/ledger.ts'
import { lockPayouts } from '../../../storage/payout-records.ts'
import { type AddedInVain, keepTopUpsBack, listAddedInVain, lookForTopUpsLater } from '../../../storage/top-ups-back.ts'
import type { Db } from '../../../storage/sql.ts'
import type { Deps } from '../../deps.ts'
import { nextCheck } from '../../payouts/record/next-check.ts'
import { onlySum, sumOf } from './only-sum.ts'

const PAUSE_MS = 700

/** Returns how many payouts' additions were found to be back. */
export async function findTopUpsBack(deps: Deps, environment: Environment): Promise<number> {
  const funds = deps.banks[environment]?.excess ?? null
  if (funds === null) return 0
  const now = deps.clock.now()
  const all = await listAddedInVain(deps.db, environment)
  if (!all.some(({ nextLookAt }) => nextLookAt === null || nextLookAt <= now)) return 0
  const proof = await twice(deps.clock, () => look(deps, environment, { funds, all })).catch((error: unknown) => {
    // A bank that cannot be asked now is asked later.
    if (!(error instanceof RailUnavailable)) throw error
    return null
  })
  let count = 0
  try {
    await eachApart(proof?.back ?? [], async (added) => {
      if (await book(deps, added, proof!)) count += 1
    })
  } finally {
    if (count === 0) await lookLater(deps, all, now)
  }
  return count
}

async function lookLater(deps: Deps, all: readonly AddedInVain[], now: Date): Promise<void> {
  await deps.db.inTransaction(async (tx) => {
    for (const each of all) lookForTopUpsLater(tx, each, nextCheck(now, each.looks))
  })
}

interface Proof {
  readonly back: readonly AddedInVain[]
  readonly atBank: MicroUsdc
}

/** Null: the wallet does not show, or shows in more than one way, whose additions are back. */
async function look(
  deps: Deps,
  environment: Environment,
  { funds, all }: { funds: OperatorFunds; all: readonly AddedInVain[] },
): Promise<Proof | null> {
  const atBank = await funds.readBalance()
  const back = onlySum(atBank - (await expected(deps.db, environment)), all)
  return back === null ? null : { back, atBank }
}

/** Money moves while one looks: what is not the same the second time proves nothing. */
async function twice(clock: Clock, read: () => Promise<Proof | null>): Promise<Proof | null> {
  const first = await read()
  if (first === null) return null
  await pause(clock, PAUSE_MS)
  const second = await read()
  return second !== null && namesOf(second) === namesOf(first) ? second : null
}

const namesOf = ({ back, atBank }: Proof) => [atBank, ...back.map(({ payoutId }) => payoutId)].join(' ')

async function expected(db: Db, environment: Environment): Promise<bigint> {
  const { booked, moved } = await readExpectedExcess(db, environment)
  return booked + moved
}

/**
 * One transaction per payout, as everywhere. Whoever is killed in between has booked whole payouts, and what is left is as
 * easy to tell. Under the locks the wallet must still hold as much more as is to be booked: a person may have noted it, or
 * another addition to the payout been booked.
 */
async function book(deps: Deps, added: AddedInVain, { back, atBank }: Proof): Promise<boolean> {
  const { payoutId, environment } = added
  return deps.db.inTransaction(async (tx) => {
    await lockExcessFunds(tx, environment)
    await lockPayouts(tx, added, [payoutId])
    await lockWallet(tx, added)
    const open = new Map((await listAddedInVain(tx, environment)).map((each) => [each.payoutId, each.amount]))
    const left = back.filter((each) => open.has(each.payoutId))
    if (open.get(payoutId) !== added.amount) return false
    if (atBank - (await expected(tx, environment)) !== sumOf(left)) return false
    const at = deps.clock.now()
    const kept = await keepTopUpsBack(tx, added, payoutId, at)
    // No two of a payout's bookings have an addition in common.
    const entry = { cause: payoutId, kind: 'top_up_back', seq: Math.max(...kept.map(({ nth }) => nth)) } as const
    const amount = microUsdc(sumOf(kept))
    const entries = [{ ...entry, from: 'operator_result', to: 'excess_funds', amount }] as const
    postEntries(tx, added, entries, at, 'What was added is back: the payout came to nothing')
    return true
  })
}
