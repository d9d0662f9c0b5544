// Lets time pass for one business's sandbox. There is no second time in the service: the bank's waiting stories come sooner,
// and what the bank then says is recorded as always, with the real time.
import { after } from '../../../core/clock.ts'
import { AppError } from '../../../core/errors.ts'
import type { Scope } from '../../../core/scope.ts'
import type { PayoutRail, SandboxControls } from '../../../rail/port.ts'
import type { ListedTransfer } from '../../../rail/transfer.ts'
import { railNamed, railOfBank } from '../../../rail/which-rail.ts'
import { type FollowedTransfer, listFollowedTransfers } from '../../../storage/payout-follow-ups.ts'
import { findWallet } from '../../../storage/wallets.ts'
import type { Deps } from '../../deps.ts'
import { onlyIfNews } from '../../payouts/record/only-if-news.ts'
import { recordNews } from '../../payouts/record/record-news.ts'
import { transfersApplier } from '../feeds/apply-transfers.ts'
import { NO_OWN_BANK, unavailable, withBank } from './simulate.ts'

/** What is more waits for the worker, which finds it a moment later. */
const MOST_PAYOUTS = 1_000
const MOST_AT_ONCE = 16
/** Shorter than any two changes of the bank's stories are apart, which are all over within the steps. */
const STEP_MS = 250
const MOST_STEPS = 40
/** Over a rail without a bank each story is over by then: half a story could not be kept anywhere. */
const LONGEST_STORY_MS = 10_000

/** Returns of how many payouts the bank was asked for news. */
export async function advanceSandbox(deps: Deps, scope: Scope, seconds: number): Promise<number> {
  const wallet = await findWallet(deps.db, scope)
  const milliseconds = seconds * 1_000
  const simulated = await playWithoutBank(deps, scope, milliseconds)
  if (deps.banks.sandbox === null) return simulated
  const controls = deps.sandboxControls
  if (controls === null) throw unavailable(NO_OWN_BANK)
  const walletRef = wallet?.walletRef ?? null
  if (walletRef === null) throw unavailable('The wallet is not connected to the sandbox bank yet. Try again shortly.')
  return withBank(async () => simulated + (await playAtBank(deps, controls, { scope, walletRef, milliseconds })))
}

/** In steps, as time passes: a payout that is returned has arrived before, and its business sees both. */
async function playAtBank(
  deps: Deps,
  controls: SandboxControls,
  { scope, walletRef, milliseconds }: { scope: Scope; walletRef: string; milliseconds: number },
): Promise<number> {
  const seen = new Set<string>()
  let left = milliseconds
  for (let step = 1; left > 0; step++) {
    const passes = step <= MOST_STEPS ? Math.min(left, STEP_MS) : left
    const { moved, isWaiting } = await controls.advance(walletRef, passes)
    await bringHome(deps, moved.slice(0, MOST_PAYOUTS))
    for (const ref of moved) seen.add(ref)
    left -= passes
    if (!isWaiting) break
  }
  // The bank goes on by itself too: what it did a moment before is no news of this advance, and is wanted all the same.
  const followed = await listFollowedTransfers(deps.db, scope, MOST_PAYOUTS)
  const atBank = followed.filter(({ rail }) => rail === deps.bankRails.sandbox).map(({ transferRef }) => transferRef)
  await bringHome(deps, atBank)
  return new Set([...seen, ...atBank]).size
}

async function bringHome(deps: Deps, transferRefs: readonly string[]): Promise<void> {
  const rail = railOfBank(deps, 'sandbox')
  for (let index = 0; index < transferRefs.length; index += MOST_AT_ONCE) {
    const some = transferRefs.slice(index, index + MOST_AT_ONCE)
    const read = await Promise.all(some.map((ref) => rail.readListed(ref)))
    const listed = read.filter((transfer): transfer is ListedTransfer => transfer !== null)
    const unsettled = await transfersApplier(deps, 'sandbox')(listed)
    if (unsettled.some(({ reason }) => reason === 'locked')) throw walletInUse()
  }
}

const walletInUse = () =>
  new AppError(
    'unavailable',
    'The wallet is in use just now, so its payouts were not brought to where the bank has them. Ask again.',
    {
      retryAfterSeconds: 1,
    },
  )

async function playWithoutBank(deps: Deps, scope: Scope, milliseconds: number): Promise<number> {
  const followed = await listFollowedTransfers(deps.db, scope, MOST_PAYOUTS)
  const until = after(deps.clock.now(), Math.max(milliseconds, LONGEST_STORY_MS))
  let count = 0
  for (const payout of followed) {
    const rail = railNamed(deps, payout.rail)
    if (await play(deps, scope, payout, { rail, until })) count++
  }
  return count
}

/** Change by change, so that a payout that is returned has arrived before. False when nothing was waiting. */
async function play(
  deps: Deps,
  scope: Scope,
  { id, transferRef }: FollowedTransfer,
  { rail, until }: { rail: PayoutRail; until: Date },
): Promise<boolean> {
  const { readAt } = rail
  let next = readAt?.(transferRef, deps.clock.now())?.nextChangeAt ?? null
  const isWaiting = next !== null && next <= until
  while (next !== null && next <= until) {
    const transfer = readAt?.(transferRef, next) ?? null
    if (transfer === null) break
    // Somebody else may have played it further meanwhile, or told it how to end.
    await recordNews(deps, scope, [{ payoutId: id, transfer, ...onlyIfNews(rail, transfer) }])
    next = transfer.nextChangeAt
  }
  return isWaiting
}
