// Credits and debits by the operator, once per reference. A sandbox wallet at the bank gets its money there, and the
// ledger follows as for any deposit; everywhere else it is a ledger entry with a reason.
import { after } from '../../../core/clock.ts'
import { AppError } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { type MicroUsdc, formatUsdcExact } from '../../../core/money.ts'
import { pages } from '../../../core/pages.ts'
import type { Scope } from '../../../core/scope.ts'
import type { DepositPage } from '../../../rail/account.ts'
import { type PartnerBank, RailUnavailable } from '../../../rail/port.ts'
import type { WalletAtBank } from '../../../rail/transfer.ts'
import { railNamed } from '../../../rail/which-rail.ts'
import { lockWalletOnRail, makeGood, postEntries, readAvailable } from '../../../storage/ledger.ts'
import {
  type KeptMovement,
  type OperatorMovement,
  findMovement,
  keepMovement,
  settleMovement,
} from '../../../storage/operator-movements.ts'
import type { Tx } from '../../../storage/sql.ts'
import { bankAccountOf, findWallet } from '../../../storage/wallets.ts'
import { addOperatorAction } from '../../activity/record-operator-action.ts'
import type { Deps } from '../../deps.ts'
import { debitPayouts, lockDebitedPayouts } from './debited-payouts.ts'
import { creditRead } from '../feeds/credit-deposits.ts'

/** Clocks may differ by this much. */
const LOOK_BACK_MS = 60_000

export interface Moved {
  /** What the wallet held right after the movement. */
  readonly balance: MicroUsdc
  /** The movement was made before, under the same reference; nothing moved now. */
  readonly isRepeated: boolean
}

/** The bank has to make it, whoever began it. */
interface AtBank {
  readonly begunAt: Date
}

export async function moveByOperator(deps: Deps, scope: Scope, movement: OperatorMovement): Promise<Moved> {
  if (scope.environment === 'live' && movement.kind === 'credit') await requireLiveBank(deps, scope)
  const begun = await deps.db.inTransaction((tx) => begin(deps, tx, scope, movement))
  if (!('begunAt' in begun)) return begun
  await creditAtBank(deps, scope, { ...movement, ...begun })
  return deps.db.inTransaction(async (tx) => {
    const { available: balance } = await lockWalletOnRail(tx, scope)
    const isOurs = await settleMovement(tx, scope, { reference: movement.reference, balance, at: deps.clock.now() })
    if (isOurs) addAction(tx, deps, scope, movement)
    return { balance, isRepeated: !isOurs }
  })
}

/**
 * The money that a live wallet shows must be at a bank. A credit there corrects the books; it is never the money
 * itself.
 */
async function requireLiveBank(deps: Deps, scope: Scope): Promise<void> {
  if (bankAccountOf(await findWallet(deps.db, scope)) !== null) return
  throw new AppError(
    'bank_unavailable',
    'Its live wallet is not open at any bank, so it can hold nothing. kestrel partner show says what is missing. Nothing was credited.',
  )
}

/** Runs under the wallet's lock: the wallet may be being connected, and the same reference may come twice at once. */
async function begin(deps: Deps, tx: Tx, scope: Scope, movement: OperatorMovement): Promise<Moved | AtBank> {
  const payouts = await lockDebitedPayouts(tx, scope, movement)
  const { available, rail } = await lockWalletOnRail(tx, scope)
  const at = deps.clock.now()
  const isNew = await keepMovement(tx, scope, movement, at)
  if (!isNew) {
    const kept = await findMovement(tx, scope, movement.reference)
    requireSame(kept!, movement)
    return kept!.balance === null ? { begunAt: kept!.at } : { balance: kept!.balance, isRepeated: true }
  }
  if (movement.kind === 'credit' && railNamed(deps, rail).has.testMoney) return { begunAt: at }
  debitPayouts(tx, scope, { payouts, movement, at })
  requireFunds(available, movement)
  const [from, to] =
    movement.kind === 'credit' ? (['external', 'available'] as const) : (['available', 'external'] as const)
  const entry = { cause: newId(at), kind: 'credit', seq: 1, from, to, amount: movement.amount } as const
  postEntries(tx, scope, [entry], at, movement.reason)
  makeGood(tx, scope, at)
  const balance = await readAvailable(tx, scope)
  await settleMovement(tx, scope, { reference: movement.reference, balance, at })
  addAction(tx, deps, scope, movement)
  return { balance, isRepeated: false }
}

function requireSame(kept: KeptMovement, asked: OperatorMovement): void {
  if (kept.kind === asked.kind && kept.amount === asked.amount) return
  const was = `a ${kept.kind} of ${formatUsdcExact(kept.amount)} USDC`
  throw new AppError('invalid_request', `The reference ${asked.reference} is that of ${was}. Nothing was moved.`)
}

function requireFunds(available: MicroUsdc, { kind, amount }: OperatorMovement): void {
  if (kind === 'credit' || amount <= available) return
  const [has, wanted] = [formatUsdcExact(available), formatUsdcExact(amount)]
  throw new AppError(
    'invalid_request',
    `The wallet can spend ${has} USDC, so ${wanted} cannot be taken. Nothing was moved.`,
  )
}

function addAction(tx: Tx, deps: Deps, scope: Scope, { kind, amount, reference, reason }: OperatorMovement): void {
  const detail = `${formatUsdcExact(amount)} USDC, ${reference}: ${reason}`
  addOperatorAction(tx, deps, { ...scope, action: `wallet.${kind}`, detail })
}

/** Asked for under the movement's own key: the bank gives the money once, however often it is asked. */
export async function creditAtBank(deps: Deps, scope: Scope, movement: OperatorMovement & AtBank): Promise<void> {
  const { amount, reference, begunAt } = movement
  const account = bankAccountOf(await findWallet(deps.db, scope))
  const bank = deps.banks.sandbox
  if (bank === null || account === null) {
    throw new AppError(
      'bank_unavailable',
      'This wallet is at the sandbox bank, which is not running. Start the service.',
    )
  }
  try {
    await bank.addTestMoney(account, amount, `credit:${scope.partnerId}:${reference}`)
    await creditListed(deps, bank, { amount, reference, begunAt, holderRef: account.holderRef })
  } catch (error) {
    if (!(error instanceof RailUnavailable)) throw error
    throw new AppError('bank_unavailable', `The sandbox bank could not be given the money. ${error.message}`)
  }
}

async function creditListed(
  deps: Deps,
  bank: PartnerBank,
  asked: AtBank & Pick<OperatorMovement, 'amount' | 'reference'> & Pick<WalletAtBank, 'holderRef'>,
): Promise<void> {
  const since = after(asked.begunAt, -LOOK_BACK_MS)
  // All pages first: what was undone may stand behind what arrived.
  const found: DepositPage[] = []
  for await (const page of pages((cursor) => bank.listDeposits('chain', since, cursor))) found.push(page)
  const deposits = found.flatMap((page) => page.deposits).filter((deposit) => deposit.holderRef === asked.holderRef)
  const waiting = await creditRead(
    deps,
    { environment: 'sandbox', source: 'chain' },
    {
      deposits,
      undone: found.flatMap(({ undone }) => undone),
      transactions: found.flatMap(({ transactions }) => transactions),
      unread: [],
    },
  )
  const isListed = deposits.some((deposit) => deposit.amount === asked.amount)
  if (isListed && waiting === 0) return
  // Nothing is lost: it is credited by the next reads of the bank's list.
  const why = isListed ? '' : ': the bank does not list it yet, and it is credited when it does'
  throw new AppError(
    'bank_unavailable',
    `The sandbox bank has the money, and it is not in the wallet yet${why}. Run the same command again in a minute, with --reference ${asked.reference}.`,
  )
}
