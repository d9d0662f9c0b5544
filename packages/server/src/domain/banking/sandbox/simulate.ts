// Chosen endings, in a sandbox whose bank is our own. The bank is told what to do; what it then says is read back and
// recorded as always. Without a bank, over the simulated rail, what it was told is what it says.
import type { PayoutStatus, SimulateRequest } from '@kestrel/contract'

import { AppError } from '../../../core/errors.ts'
import type { Scope } from '../../../core/scope.ts'
import { type PayoutRail, RailUnavailable, type SandboxControls, type Steering } from '../../../rail/port.ts'
import { railNamed } from '../../../rail/which-rail.ts'
import type { Deps } from '../../deps.ts'
import type { Payout } from '../../payouts/payout.ts'
import { readPayout } from '../../payouts/read/read-payout.ts'
import { failureCodeOf } from '../../payouts/record/failure-reasons.ts'
import { mayBecome } from '../../payouts/record/only-if-news.ts'
import { recordNews } from '../../payouts/record/record-news.ts'
import { statusOf } from '../../payouts/states.ts'
import { SCHEME_CODES } from './simulated-reasons.ts'

type Outcome = SimulateRequest['outcome']

/**
 * The steps in order. Each step has several ways, of which the first that the bank allows is taken; a step without one
 * is skipped.
 */
const STEPS: Readonly<Record<Outcome, readonly (readonly Steering[])[]>> = {
  settle: [['settle']],
  return: [['settle'], ['return'], ['refund']],
  fail: [['undeliver'], ['refund']],
  // After it is handed over, the bank has to take it back before it can stop it.
  cancel: [['cancel', 'review'], ['cancel']],
}

export async function simulateOutcome(deps: Deps, scope: Scope, id: string, wish: SimulateRequest): Promise<Payout> {
  const reasonCode = reasonCodeOf(wish)
  const payout = await readPayout(deps, scope, id)
  const { transferRef } = payout
  const { endAs } = railNamed(deps, payout.rail)
  if (endAs === undefined) controlsFor(deps, payout)
  if (!mayBecome(payout, ENDS[wish.outcome])) throw atRest(payout)
  if (transferRef === null) throw unavailable('The bank has not confirmed this payout yet. Try again shortly.')
  const ending = { outcome: wish.outcome, transferRef, reasonCode }
  const ended = await (endAs === undefined
    ? endAtBank(deps, scope, payout, ending)
    : endWithoutBank(deps, scope, payout, { ...ending, endAs }))
  const isAsAsked = wish.reason === undefined || failureCodeOf(ended.status, ended.bankReason) === wish.reason
  if (ended.status !== ENDS[wish.outcome] || !isAsAsked) throw atRest(ended)
  return ended
}

interface Ending {
  readonly outcome: Outcome
  readonly transferRef: string
  readonly reasonCode: string | undefined
}

function endAtBank(deps: Deps, scope: Scope, payout: Payout, ending: Ending): Promise<Payout> {
  const controls = controlsFor(deps, payout)
  return withBank(async () => {
    let now = payout
    for (const ways of STEPS[ending.outcome]) {
      await steer(controls, ending, ways)
      // Also after a step that the bank refused: it moves on by itself, and may have taken that step already.
      now = await readBack(deps, scope, now)
    }
    return now
  })
}

const TOLD_STATES = {
  settle: ['settled'],
  return: ['settled', 'returned'],
  fail: ['undeliverable'],
  cancel: ['cancelled'],
} as const

/** The reasons that the bundled bank gives when it is not asked for another. */
const USUAL_CODES: Readonly<Partial<Record<Outcome, string>>> = {
  fail: SCHEME_CODES.account_blocked.fail,
  return: SCHEME_CODES.account_closed.return,
}

async function endWithoutBank(
  deps: Deps,
  scope: Scope,
  payout: Payout,
  ending: Ending & { endAs: NonNullable<PayoutRail['endAs']> },
): Promise<Payout> {
  const { outcome, transferRef, reasonCode = USUAL_CODES[outcome] } = ending
  const reason = reasonCode === undefined ? null : `Chosen in the sandbox (${reasonCode})`
  let now = payout
  for (const state of TOLD_STATES[outcome]) {
    const transfer = ending.endAs(transferRef, { state, reason: state === 'settled' ? null : reason })
    // Decided again under the payout's lock: it may have come to its end since it was read.
    const onlyIf = (row: Payout) => mayBecome(row, statusOf(state))
    now = (await recordNews(deps, scope, [{ payoutId: payout.id, transfer, onlyIf }])).get(payout.id) ?? now
  }
  return now
}

/** The scheme's code that leads to the reason asked for. */
function reasonCodeOf({ outcome, reason }: SimulateRequest): string | undefined {
  if (reason === undefined) return undefined
  if (outcome === 'fail' || outcome === 'return') return SCHEME_CODES[reason][outcome]
  throw new AppError('invalid_request', `A payout with the outcome ${outcome} has no reason to choose.`, {
    details: { fields: ['reason (only with fail or return)'] },
  })
}

const ENDS = { settle: 'completed', return: 'returned', fail: 'failed', cancel: 'cancelled' } as const satisfies Record<
  Outcome,
  PayoutStatus
>

const HAS_REASON: ReadonlySet<Steering> = new Set(['undeliver', 'return'])

async function steer(controls: SandboxControls, ending: Ending, ways: readonly Steering[]): Promise<void> {
  for (const way of ways) {
    const reasonCode = HAS_REASON.has(way) ? ending.reasonCode : undefined
    if (await controls.steer(ending.transferRef, way, reasonCode)) return
  }
}

async function readBack(deps: Deps, scope: Scope, payout: Payout): Promise<Payout> {
  const transfer = await railNamed(deps, payout.rail).readListed(payout.transferRef!)
  if (transfer === null) return payout
  return (await recordNews(deps, scope, [{ payoutId: payout.id, transfer }])).get(payout.id) ?? payout
}

function controlsFor(deps: Deps, payout: Payout): SandboxControls {
  if (deps.sandboxControls === null) throw unavailable(NO_OWN_BANK)
  if (payout.rail === deps.bankRails.sandbox) return deps.sandboxControls
  throw unavailable('This payout went over another bank than the sandbox bank that is here now.')
}

export async function withBank<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof RailUnavailable)) throw error
    throw new AppError('bank_unavailable', 'The sandbox bank did not answer. Try again shortly.', {
      retryAfterSeconds: 2,
    })
  }
}

export const NO_OWN_BANK = 'There is no sandbox bank of our own here that could be told what to do.'

export function unavailable(message: string): AppError {
  return new AppError('simulation_unavailable', message)
}

function atRest({ id, status }: Payout): AppError {
  return new AppError('simulation_unavailable', `Payout ${id} is ${status} and cannot end that way any more.`, {
    details: { status },
  })
}
