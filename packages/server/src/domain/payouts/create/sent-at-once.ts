// A rail without a bank behind it says beforehand what it will make of a payout: nobody is asked, and nothing leaves this
// program. So the first step and the third are one, in one transaction. Whatever is not simply under way goes all three.
import type { Environment } from '@kestrel/contract'

import { payoutAsReserved } from '../../../storage/payout-as-reserved.ts'
import type { NewPayout } from '../../../storage/payout-reservations.ts'
import type { SentAtOnce } from '../../../storage/reserve-sent.ts'
import type { RecipientDetails, TransferSnapshot } from '../../../rail/transfer.ts'
import { railNamed } from '../../../rail/which-rail.ts'
import type { Deps } from '../../deps.ts'
import type { QuoteTerms } from '../../quotes/quote.ts'
import type { Decision } from '../record/decide-outcome.ts'
import { type DecidedAhead, decideAheadOrNot } from '../record/record-as-read.ts'
import { transferRequest } from '../request/payout-request.ts'
import { type LaterSnapshot, completesAt } from './completes-at.ts'

/** A payout that is asked for, and what its rail says of it. */
export interface AskedFor {
  readonly partnerId: string
  readonly payout: NewPayout
  /** Absent where the rail has to be asked. */
  readonly foretold?: Foretold | null
}

export interface Foretold {
  readonly requestId: string | undefined
  /** The transfer, if the payout is created at this moment; null: it must be asked for. */
  readonly transferAt: (createdAt: Date) => TransferSnapshot | null
  readonly later: LaterSnapshot
}

/** Null where the bank has to be asked. */
export function foretoldOf(
  deps: Pick<Deps, 'rails'>,
  { terms, requestId }: { terms: Pick<QuoteTerms, 'rail' | 'account'>; requestId?: string | undefined },
  { payout, recipient }: { payout: NewPayout; recipient: RecipientDetails },
): Foretold | null {
  const { foretell, readAt = () => null } = railNamed(deps, terms.rail)
  if (foretell === undefined) return null
  const { id, amount, walletSends, reference, statementReference } = payout
  const parties = { recipient, account: terms.account, recipientRef: null }
  const first = { id, amount, walletSends, reference, statementReference, bankAttempt: 1 }
  const transferAt = (createdAt: Date) => foretell(transferRequest({ ...first, createdAt }, parties))
  return {
    requestId,
    transferAt: (createdAt) => unlessItFails(() => transferAt(createdAt)),
    later: (transferRef, at) => unlessItFails(() => readAt(transferRef, at)),
  }
}

/** A rail that cannot say it is asked in the usual way, and what shares a batch with the payout goes on. */
function unlessItFails<T>(say: () => T): T | null {
  try {
    return say()
  } catch {
    return null
  }
}

type Times = { readonly now: Date; readonly leaseUntil: Date }

/** What the third step would write; null where that is anything but a payout that is on its way. */
export function decideAtOnce(environment: Environment, asked: AskedFor, times: Times): DecidedAhead | null {
  const { payout, partnerId, foretold } = asked
  const transfer = foretold?.transferAt(times.now) ?? null
  if (transfer === null) return null
  const row = payoutAsReserved({ partnerId, environment }, payout, { ...times, warnings: null })
  const outcome = {
    payoutId: payout.id,
    leaseToken: payout.leaseToken,
    answer: { kind: 'accepted', transfer },
    isFirstHand: true,
    asRead: { row, version: '' },
  } as const
  const decided = decideAheadOrNot(environment, outcome, times.now)
  return decided !== null && isOnItsWay(decided.decision) ? decided : null
}

/** All that the statement writes of it; what else the bank may say has no column there. */
function isOnItsWay({ change, entries }: Decision): boolean {
  const { status, refundState, completedAt, handedOverAt, bankSent, bankUpdatedAt, nextCheckAt } = change
  const isUsual = status === 'processing' && refundState === 'none' && completedAt === null && handedOverAt === null
  const isBare = bankSent === null && bankUpdatedAt === null && nextCheckAt !== null
  return isUsual && isBare && entries.length === 1 && entries[0]!.kind === 'capture'
}

export function sentAtOnce(
  environment: Environment,
  { decision: { change } }: DecidedAhead,
  { requestId, later }: Foretold,
): SentAtOnce {
  const { transferRef, bankState, nextCheckAt } = change
  return {
    transferRef: transferRef!,
    bankState,
    nextCheckAt: nextCheckAt!,
    completesAt: completesAt(environment, change, later),
    requestId: requestId ?? null,
  }
}
