// A payout whose answer never came, or was lost: asked for again, looked for, or ended by a refusal that proves that
// the bank has nothing of it.
import { type MicroUsdc, microUsdc } from '../../../core/money.ts'
import type { Scope } from '../../../core/scope.ts'
import { type PayoutRail, ROWS_COME_WITHIN_MS, type SubmitAnswer } from '../../../rail/port.ts'
import type { TransferRequest, WalletAtBank } from '../../../rail/transfer.ts'
import { railNamed } from '../../../rail/which-rail.ts'
import { type PayoutInDoubt, listAmountsUndrawn, listInDoubt } from '../../../storage/bank-comparison.ts'
import type { PayoutRow } from '../../../storage/payouts.ts'
import type { Deps } from '../../deps.ts'
import { asItStands, askBank } from '../ask/ask-bank.ts'
import { NO_NEWS, lookFor } from '../ask/look-for.ts'
import { isWalletWhole } from '../ask/wallet-whole.ts'
import { isInDoubt } from '../record/in-doubt.ts'
import { openRecipient, transferRequest } from '../request/payout-request.ts'
import { tellOnce } from '../record/tell-once.ts'
import { isStillOurs } from './kept-leases.ts'

/**
 * A request without an answer may still be on its way to the bank, and be acted on after a later one was refused. We
 * give up on it after 10 s, and no gateway holds one for a minute; what it made may then take time to be listed.
 */
const SETTLED_AFTER_MS = 60_000 + ROWS_COME_WITHIN_MS

interface InDoubt {
  readonly scope: Scope
  readonly account: WalletAtBank | null
  readonly row: PayoutRow
  readonly leaseToken: string
  /** False: the partner may no longer pay, so nothing is sent for the payout and it is only looked for. */
  readonly mayPay: boolean
}

/**
 * Sends exactly the same request as the first time: the bank answers with the same transfer, or makes it now. Once the
 * bank may have forgotten the first request, asking again could pay twice; then it is only looked for.
 */
export async function askAgain(deps: Deps, asked: InDoubt): Promise<SubmitAnswer> {
  const { scope, account, row, leaseToken, mayPay } = asked
  // The payout may have ended since the caller read it: money that was given back must never be sent again.
  if (!isInDoubt(row)) return NO_NEWS
  const rail = railNamed(deps, row.rail)
  const recipient = openRecipient(deps.secrets, row.recipientSealed, row.id)
  const isRemembered = deps.clock.now().getTime() - row.createdAt.getTime() < rail.remembersForMs
  const request = transferRequest(row, { recipient, account, recipientRef: null })
  if (isRemembered && mayPay) {
    const maySend = () => isStillOurs(deps, scope, { id: row.id, leaseToken })
    const answer = await askBank(deps, { scope, account, payout: row, recipient, maySend })
    // It is looked for again in the next round, and sent when that proves that it may be.
    if (answer.kind === 'held_back') return NO_NEWS
    if (answer.kind === 'unknown') return answer
    if (answer.kind === 'accepted') return asItStands(rail, answer.transfer)
    return weigh(deps, scope, { rail, request, row, answer })
  }
  // A bank that cannot be asked says as little as one that has nothing: either way somebody has to look in the end.
  const found = await lookFor(deps, scope, { rail, sought: request }).catch(() => null)
  if (found?.answer != null) return found.answer
  if (!isRemembered) {
    const what = 'a payout is without an answer for longer than the bank remembers'
    await deps.db.inTransaction((tx) => tellOnce(deps, tx, scope, [{ what, payoutId: row.id }]))
  }
  return NO_NEWS
}

/**
 * A refusal of a repeated request says that its key has made nothing, if the bank looks at the key first. We do not
 * rely on that: the bank's own list must not have the transfer either, long after the last request that went
 * unanswered, and its wallet must still hold the money. A list may leave a transfer out.
 */
async function weigh(
  deps: Deps,
  scope: Scope,
  said: {
    rail: PayoutRail
    request: TransferRequest
    row: PayoutRow
    answer: Extract<SubmitAnswer, { kind: 'rejected' | 'not_sent' }>
  },
): Promise<SubmitAnswer> {
  const { rail, request, row, answer } = said
  const { reason } = answer
  const wait =
    answer.kind === 'not_sent' && answer.retryAfterMs !== undefined ? { retryAfterMs: answer.retryAfterMs } : {}
  const stillOpen: SubmitAnswer = { kind: 'unknown', reason, nothingNew: true, ...wait }
  const isSettled = hasSettled(row, deps.clock.now())
  if (answer.isVerdict !== true) return stillOpen
  try {
    // Finding the transfer ends the doubt at once. Not finding it does so only once it would have to be listed.
    const found = await lookFor(deps, scope, { rail, sought: request })
    if (found.answer !== null) return found.answer
    return isSettled && (await isMoneyThere(deps, scope, { rail, request, row }))
      ? { kind: 'rejected', reason, ...whatFor(answer) }
      : stillOpen
  } catch {
    return stillOpen
  }
}

type Blamed = Pick<Extract<SubmitAnswer, { kind: 'rejected' }>, 'wrong' | 'isForOrder'>

function whatFor(answer: Extract<SubmitAnswer, { kind: 'rejected' | 'not_sent' }>): Blamed {
  if (answer.kind === 'not_sent') return { isForOrder: true }
  return answer.wrong === undefined ? {} : { wrong: answer.wrong }
}

/** Whatever a request without an answer has made must be listed by now. */
const hasSettled = ({ unansweredAt }: Pick<PayoutInDoubt, 'unansweredAt'>, now: Date): boolean =>
  unansweredAt !== null && now.getTime() - unansweredAt.getTime() >= SETTLED_AFTER_MS

/**
 * Where the bank's wallet lacks money, it may have gone for this payout: it stays in doubt, and somebody has to look. Nobody has as long
 * as it may have gone for others that were asked for lately: those are found in a while.
 */
async function isMoneyThere(
  deps: Deps,
  scope: Scope,
  { rail, request, row }: { rail: PayoutRail; request: TransferRequest; row: PayoutRow },
): Promise<boolean> {
  if (!rail.has.wallets) return true
  // With what is held for all that nobody has answered: of two alike, nobody knows for which of them money has gone.
  const unanswered = (await listInDoubt(deps.db, scope, rail.name)).filter(({ sendState }) => sendState === 'unknown')
  const held = heldFor(unanswered)
  // What the bank may not have drawn yet for other payouts could stand for what is missing.
  const undrawn = await listAmountsUndrawn(deps.db, scope, { rail: rail.name, undrawn: [...rail.words.undrawn] })
  const besides = undrawn.reduce((sum, amount) => sum + amount, 0n)
  const wallet = { scope, account: request.account }
  if (besides > 0n && (await isWalletWhole(deps, wallet, microUsdc(held + besides))) === true) return true
  const isWhole = await isWalletWhole(deps, wallet, held)
  const settled = unanswered.filter((each) => each.id === row.id || hasSettled(each, deps.clock.now()))
  const mayBeOfOthers = async () =>
    settled.length < unanswered.length && (await isWalletWhole(deps, wallet, heldFor(settled))) !== false
  if (isWhole === false && !(await mayBeOfOthers())) {
    const what = 'the bank’s wallet does not hold what our books say'
    await deps.db.inTransaction((tx) => tellOnce(deps, tx, scope, [{ what, payoutId: row.id }]))
  }
  return isWhole === true && besides === 0n
}

const heldFor = (payouts: readonly PayoutInDoubt[]): MicroUsdc =>
  microUsdc(payouts.reduce((sum, { walletSends }) => sum + walletSends, 0n))
