// Brings a sandbox wallet back to what it began with. The books are never rewritten: the difference is a movement of its own,
// begun and ended like the operator's, so that a process that dies in between leaves something that the next reset ends.
import { AppError } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { type MicroUsdc, microUsdc, usdcFromCents, wholeCents } from '../../../core/money.ts'
import type { Scope } from '../../../core/scope.ts'
import { railNamed } from '../../../rail/which-rail.ts'
import { lockWalletOnRail, makeGood, postEntries } from '../../../storage/ledger.ts'
import {
  type KeptMovement,
  type OperatorMovement,
  findBegunMovement,
  keepMovement,
  settleMovement,
} from '../../../storage/operator-movements.ts'
import { forgetSpending } from '../../../storage/spending-limits.ts'
import type { Tx } from '../../../storage/sql.ts'
import { findWallet } from '../../../storage/wallets.ts'
import type { Deps } from '../../deps.ts'
import { SANDBOX_FLOAT } from '../../partners/create-partner.ts'
import { creditAtBank } from '../operator/move-by-operator.ts'
import { NO_OWN_BANK, unavailable, withBank } from './simulate.ts'

const REFERENCE = 'sandbox-reset:'
const REASON = 'The sandbox was reset'
/** One that a dead process had begun, those of this reset, and two more if somebody pays meanwhile. */
const MOST_ROUNDS = 5

type Begun = Pick<KeptMovement, 'reference' | 'kind' | 'amount' | 'reason' | 'at'>

/** What was paid before counts against no limit afterwards. Returns the balance. */
export async function resetBalance(deps: Deps, scope: Scope): Promise<MicroUsdc> {
  for (let round = 0; ; round++) {
    const state = await deps.db.inTransaction((tx) => begin(deps, tx, scope))
    if (!('begun' in state)) return state.balance
    if (round === MOST_ROUNDS) throw stillMoving()
    await withBank(() => endAtBank(deps, scope, state.begun)).catch(beginAgain)
  }
}

/** Under the wallet's lock: of two resets at once, the second finds what the first has begun, and ends the same. */
async function begin(
  deps: Deps,
  tx: Tx,
  scope: Scope,
): Promise<{ readonly begun: Begun } | { readonly balance: MicroUsdc }> {
  const { available, rail } = await lockWalletOnRail(tx, scope)
  const at = deps.clock.now()
  forgetSpending(tx, scope, at)
  const before = await findBegunMovement(tx, scope, REFERENCE)
  if (before !== null) return { begun: before }
  const difference = SANDBOX_FLOAT - available
  if (difference === 0n) return { balance: available }
  const isCredit = difference > 0n
  const isAtBank = railNamed(deps, rail).has.testMoney
  const begun: Begun = {
    reference: `${REFERENCE}${newId(at)}`,
    kind: isCredit ? 'credit' : 'debit',
    amount: isCredit ? (isAtBank ? inCents(difference) : microUsdc(difference)) : microUsdc(-difference),
    reason: REASON,
    at,
  }
  await keepMovement(tx, scope, begun, at)
  // What arrives at the bank is booked when the bank says so; what leaves it cannot be spent from now on.
  if (!isCredit || !isAtBank) book(tx, scope, begun)
  if (isAtBank) return { begun }
  await settleMovement(tx, scope, { reference: begun.reference, balance: SANDBOX_FLOAT, at })
  return { balance: SANDBOX_FLOAT }
}

/** The bank is given whole cents. What that is too much is taken out in the next round. */
const inCents = (difference: bigint) => usdcFromCents(wholeCents(microUsdc(difference + 9_999n)))

function book(tx: Tx, scope: Scope, { kind, amount, reason, at }: Begun): void {
  const [from, to] = kind === 'credit' ? (['external', 'available'] as const) : (['available', 'external'] as const)
  postEntries(tx, scope, [{ cause: newId(at), kind: 'credit', seq: 1, from, to, amount }], at, reason)
  makeGood(tx, scope, at)
}

/** The bank does it once per reference, however often it is asked. */
async function endAtBank(deps: Deps, scope: Scope, begun: Begun): Promise<void> {
  if (begun.kind === 'credit') await creditAtBank(deps, scope, { ...begun, begunAt: begun.at })
  else await withdrawAtBank(deps, scope, begun)
  await deps.db.inTransaction(async (tx) => {
    const { available: balance } = await lockWalletOnRail(tx, scope)
    await settleMovement(tx, scope, { reference: begun.reference, balance, at: deps.clock.now() })
  })
}

async function withdrawAtBank(deps: Deps, scope: Scope, { amount, reference }: OperatorMovement): Promise<void> {
  const controls = deps.sandboxControls
  const walletRef = (await findWallet(deps.db, scope))?.walletRef ?? null
  if (controls === null || walletRef === null) throw unavailable(NO_OWN_BANK)
  const isTaken = await controls.withdraw(walletRef, { amount, cause: reference.slice(REFERENCE.length) })
  if (!isTaken) throw unavailable('The sandbox bank does not hold as much as the books say. Write to support.')
}

/** Said in the words of whoever resets: what was begun is ended by the next one. */
function beginAgain(error: unknown): never {
  if (!(error instanceof AppError && error.code === 'bank_unavailable')) throw error
  throw new AppError(
    'bank_unavailable',
    'The sandbox bank did not finish. Reset again shortly: it goes on from here.',
    {
      retryAfterSeconds: 2,
    },
  )
}

function stillMoving(): AppError {
  return new AppError('bank_unavailable', 'Payouts are made from this sandbox just now. Stop them, and try again.', {
    retryAfterSeconds: 2,
  })
}
