// Stops a payout, if the bank still can. Only the bank's own word makes it cancelled.
import { UNDER_WAY } from '@kestrel/contract'

import { AppError } from '../../../core/errors.ts'
import type { Scope } from '../../../core/scope.ts'
import { RailUnavailable } from '../../../rail/port.ts'
import { railNamed } from '../../../rail/which-rail.ts'
import type { Deps } from '../../deps.ts'
import type { Payout } from '../payout.ts'
import { stageNameOf, stageOf } from '../progress.ts'
import { readPayout } from '../read/read-payout.ts'
import { recordNews } from '../record/record-news.ts'

export async function cancelPayout(
  deps: Deps,
  scope: Scope,
  { id, requestId }: { id: string; requestId?: string },
): Promise<Payout> {
  const payout = await readPayout(deps, scope, id)
  // Asking twice is asking once.
  if (payout.status === 'cancelled') return payout
  if (!stageOf(payout).mayBeCancelled || payout.transferRef === null) throw notCancellable(payout)
  const rail = railNamed(deps, payout.rail)
  const answer = await rail.cancelTransfer(payout.transferRef)
  if (answer === 'unknown') return bankAway()
  if (typeof answer === 'object') return bankAway(new RailUnavailable('The bank is busy.', answer))
  if (!rail.has.lists) return refuse(payout)
  // Too late may mean that somebody was quicker, perhaps we ourselves: the transfer tells.
  const transfer = (await rail.readListed(payout.transferRef).catch(bankAway)) ?? bankAway()
  const now = (await recordNews(deps, scope, [{ payoutId: payout.id, transfer, requestId }])).get(payout.id) ?? payout
  if (now.status === 'cancelled') return now
  // A bank that agreed and does not show it yet has not made up its mind.
  return answer === 'cancelled' && UNDER_WAY.has(now.status) ? bankAway() : refuse(now)
}

function refuse(payout: Payout): never {
  throw notCancellable(payout)
}

function notCancellable(payout: Payout): AppError {
  return new AppError('payout_not_cancellable', whyNot(payout), { details: { status: payout.status } })
}

function whyNot(payout: Payout): string {
  const { id, status } = payout
  if (stageNameOf(payout) === 'in_doubt') {
    return `Payout ${id} is waiting for the bank, which cannot stop what it has not confirmed. Try again shortly.`
  }
  const why = UNDER_WAY.has(status) ? ': the bank has taken its money' : ''
  return `Payout ${id} is ${status} and can no longer be stopped${why}. Nothing was changed.`
}

function bankAway(error?: unknown): never {
  if (error !== undefined && !(error instanceof RailUnavailable)) throw error
  throw new AppError(
    'bank_unavailable',
    'The bank did not say whether it could stop the payout. Read the payout to see, or try again.',
    { retryAfterSeconds: Math.max(2, Math.ceil((error?.retryAfterMs ?? 0) / 1_000)) },
  )
}
