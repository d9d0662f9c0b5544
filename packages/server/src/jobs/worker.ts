// Every repeating job, each at its own pace. Several workers may run: leases decide who does what.
import type { Environment } from '@kestrel/contract'

import { tidyAccess } from '../domain/access/own-sessions.ts'
import { forgetOldActivity } from '../domain/activity/forget-old-activity.ts'
import { forgetOldBodies } from '../domain/activity/request-bodies.ts'
import { forgetOldLinks } from '../domain/audit/forget-links.ts'
import { createLinker } from '../domain/audit/seal-activity.ts'
import { signHeads } from '../domain/audit/sign-heads.ts'
import { handleBankEvents } from '../domain/banking/feeds/bank-events.ts'
import { checkRefunds } from '../domain/banking/refunds/check-refunds.ts'
import { findTopUpsBack } from '../domain/banking/refunds/top-ups-back.ts'
import { connectWallets } from '../domain/banking/sandbox/connect-wallets.ts'
import { sweepDeposits } from '../domain/banking/feeds/credit-deposits.ts'
import { reconcileIfDue } from '../domain/banking/reconcile/reconcile.ts'
import { sweepTransfers } from '../domain/banking/feeds/sweep-transfers.ts'
import { tidyBank } from '../domain/banking/feeds/tidy-bank.ts'
import { followVerifications } from '../domain/banking/verification/verification.ts'
import { issueDueInvoices } from '../domain/billing/issue-invoices.ts'
import { mailInvoices } from '../domain/billing/mail-invoices.ts'
import { tellOfOverdue } from '../domain/billing/tell-of-overdue.ts'
import { RESTING_MS, type Rest } from '../core/rest.ts'
import type { Deps } from '../domain/deps.ts'
import { forgetOldEvents } from '../domain/events/forget-old-events.ts'
import { deliverMails, tidyMailbox } from '../domain/mail/deliver-mails.ts'
import { tellHeldNotices } from '../domain/notices/notify-admins.ts'
import { tellOfUndelivered } from '../domain/notices/tell-of-undelivered.ts'
import { warnOfLowBalances } from '../domain/notices/warn-of-low-balance.ts'
import { remakeOldLogos } from '../domain/partners/logo.ts'
import type { PayoutDeps } from '../domain/payouts/create/create-payout.ts'
import { createFollower } from '../domain/payouts/follow/follow-payouts.ts'
import { createOldPayoutMarker } from '../domain/recipients/mark-old-payouts.ts'
import { reseal } from '../domain/recipients/reseal.ts'
import { createDeliverer } from '../domain/webhooks/deliver-webhooks.ts'
import { tidyWebhooks } from '../domain/webhooks/tidy-webhooks.ts'
import { createLook } from '../domain/watch/look-for-work.ts'
import { lookAtNewTables } from '../domain/watch/look-at-new-tables.ts'
import { tellOfClosedWallets } from '../domain/watch/tell-of-closed-wallets.ts'
import { tellOfDurability } from '../domain/watch/tell-of-durability.ts'
import { forgetOldAlarms } from '../domain/watch/tidy-alarms.ts'
import { type Loop, startLoop } from './loop.ts'

export interface WorkerSettings {
  /** How often the bank's lists are read, in case its webhooks do not come. */
  readonly sweepMs: number
  /** How many months of activity are kept; null: all. */
  readonly activityMonths: number | null
}

export interface WorkerHooks {
  readonly onFollowed: (payouts: number) => void
  /** Called with the months of activity that were deleted. */
  readonly onForgotten?: (parts: readonly string[]) => void
  readonly onRound?: (job: string) => void
  /** Without it, jobs never rest. */
  readonly rest?: Rest
  readonly onError: (job: string, error: unknown) => void
}

// While something happens. A worker at rest looks every few seconds (core/rest.ts).
const SOON_MS = 200
/** A partner hears of a change half as long after it, on average. */
const WEBHOOKS_MS = 100
const MAIL_MS = 1_000
const SEAL_MS = 1_000
/** Far less than the ten seconds within which entries are linked. */
const SEAL_REST_MS = 3_000
/** Long before a table has so many rows that a bad plan is slow. */
const NEW_TABLES_MS = 2_000
const TIDY_MS = 10 * 60_000
const CONNECT_MS = 500
const WHOLE = { depth: 'whole' } as const
const VERIFICATION_MS = 30_000
const RECONCILE_MS = 10 * 60_000
const INVOICES_MS = 60_000
const INVOICE_MAIL_MS = 5_000
/** Long enough that a bad minute is one mail. */
const NOTICES_MS = 60_000
const RESEAL_MS = 10_000

export function startWorker(deps: PayoutDeps, { sweepMs, activityMonths }: WorkerSettings, hooks: WorkerHooks): Loop {
  const { rest } = hooks
  const onFollowed = (payouts: number) => {
    hooks.onFollowed(payouts)
    // They have events to be sent, and may be due again soon.
    if (payouts > 0) rest?.stir()
  }
  const follower = createFollower(deps, (error) => hooks.onError('follow payouts', error), onFollowed)
  const deliverer = createDeliverer(deps, (error) => hooks.onError('deliver webhooks', error))
  const look = createLook(deps, 2 * RESTING_MS)
  const atRest = (kind: keyof Awaited<ReturnType<typeof look>>) => async () => (await look())[kind]
  const loops = [
    job('follow payouts', SOON_MS, { ...hooks, atRest: atRest('payouts') }, async () => {
      // One that is due soon is not slept over.
      if (rest?.isAwake() === false) rest.stir()
      // What becomes due meanwhile is looked at together, in a moment.
      return (await follower.round()).isFull
    }),
    ...environmentsWithBank(deps).flatMap((environment) => bankLoops(deps, environment, sweepMs, { ...hooks, atRest })),
    job('deliver webhooks', WEBHOOKS_MS, { ...hooks, atRest: atRest('webhooks') }, () => deliverer.round()),
    // No table grows while nothing happens.
    job('look at new tables', NEW_TABLES_MS, { ...hooks, atRest: () => Promise.resolve(false) }, () =>
      lookAtNewTables(deps),
    ),
    job('send mail', MAIL_MS, hooks, async () => (await deliverMails(deps)) > 0),
    job('forget old activity', TIDY_MS, hooks, async () => {
      const parts = await forgetOldActivity(deps, activityMonths)
      if (parts.length > 0) hooks.onForgotten?.(parts)
      await forgetOldLinks(deps, activityMonths)
    }),
    job('seal activity', SEAL_MS, { ...hooks, atRest: atRest('activity') }, createLinker(deps, SEAL_REST_MS)),
    job('reconcile', RECONCILE_MS, hooks, () => reconcileIfDue(deps)),
    job('cut invoices', INVOICES_MS, hooks, () => issueDueInvoices(deps)),
    job('tell of overdue invoices', INVOICES_MS, hooks, () => tellOfOverdue(deps)),
    job('mail invoices', INVOICE_MAIL_MS, { ...hooks, atRest: atRest('invoices') }, () => mailInvoices(deps)),
    job('move to the newest keys', RESEAL_MS, hooks, () => reseal(deps)),
    ...tellingLoops(deps, hooks),
    ...tidyingLoops(deps, hooks),
  ]
  if (environmentsWithBank(deps).length > 0) {
    loops.push(job('follow verifications', VERIFICATION_MS, hooks, () => followVerifications(deps)))
  }
  return {
    stop: async () => {
      follower.end()
      await Promise.all([deliverer.stop(), ...loops.map((loop) => loop.stop())])
      await follower.settled()
    },
  }
}

function environmentsWithBank(deps: Deps): Environment[] {
  return (['sandbox', 'live'] as const).filter((environment) => deps.banks[environment] !== null)
}

function bankLoops(
  deps: Deps,
  environment: Environment,
  sweepMs: number,
  { atRest, ...hooks }: WorkerHooks & { atRest: (kind: 'wallets' | 'bankEvents') => () => Promise<boolean> },
): Loop[] {
  return [
    job(`connect ${environment} wallets`, CONNECT_MS, { ...hooks, atRest: atRest('wallets') }, () =>
      connectWallets(deps, environment),
    ),
    job(
      `handle ${environment} bank events`,
      SOON_MS,
      { ...hooks, atRest: atRest('bankEvents') },
      async () => (await handleBankEvents(deps, [environment])) > 0,
    ),
    job(`sweep ${environment} transfers`, sweepMs, hooks, () => sweepTransfers(deps, environment)),
    job(`look for ${environment} refunds`, sweepMs, hooks, () => checkRefunds(deps, environment)),
    job(`look for ${environment} top-ups that came back`, sweepMs, hooks, () => findTopUpsBack(deps, environment)),
    job(`sweep ${environment} deposits`, sweepMs, hooks, () => sweepDeposits(deps, environment)),
    job(`read all ${environment} transfers`, TIDY_MS, hooks, () => sweepTransfers(deps, environment, WHOLE)),
    job(`read all ${environment} deposits`, TIDY_MS, hooks, () => sweepDeposits(deps, environment, WHOLE)),
  ]
}

function tellingLoops(deps: Deps, hooks: WorkerHooks): Loop[] {
  return [
    job('warn of low balances', NOTICES_MS, hooks, () => warnOfLowBalances(deps)),
    job('tell of undelivered payouts', NOTICES_MS, hooks, () => tellOfUndelivered(deps)),
    job('tell of closed wallets', NOTICES_MS, hooks, () => tellOfClosedWallets(deps)),
    job('tell of durability', NOTICES_MS, hooks, () => tellOfDurability(deps)),
    job('tell held notices', NOTICES_MS, hooks, () => tellHeldNotices(deps)),
  ]
}

function tidyingLoops(deps: Deps, hooks: WorkerHooks): Loop[] {
  return [
    job('tidy webhooks', TIDY_MS, hooks, () => tidyWebhooks(deps)),
    job('tidy the mailbox', TIDY_MS, hooks, () => tidyMailbox(deps)),
    job('tidy access', TIDY_MS, hooks, () => tidyAccess(deps)),
    job('forget old alarms', TIDY_MS, hooks, () => forgetOldAlarms(deps)),
    job('sign activity heads', TIDY_MS, hooks, () => signHeads(deps)),
    job('forget old request bodies', TIDY_MS, hooks, () => forgetOldBodies(deps)),
    job('tidy what the bank told us', TIDY_MS, hooks, () => tidyBank(deps)),
    job('forget old events', TIDY_MS, hooks, () => forgetOldEvents(deps)),
    job('remake old logos', TIDY_MS, hooks, async () => (await remakeOldLogos(deps)) > 0),
    job('mark old payouts', TIDY_MS, hooks, createOldPayoutMarker(deps)),
  ]
}

/** With `atRest`, a job of a worker at rest does nothing while that says that there is nothing to do. */
type JobHooks = WorkerHooks & { readonly atRest?: () => Promise<boolean> }

/** A round that returns true is followed by the next at once; otherwise it pauses. */
function job(name: string, pauseMs: number, hooks: JobHooks, work: () => Promise<unknown>): Loop {
  const isIdle = async () => hooks.rest?.isAwake() === false && (await hooks.atRest?.()) === false
  return startLoop({
    round: async () => {
      const hasMore = !(await isIdle()) && (await work()) === true
      hooks.onRound?.(name)
      return hasMore
    },
    pauseMs,
    ...(hooks.rest === undefined ? {} : { rest: hooks.rest }),
    onError: (error) => hooks.onError(name, error),
  })
}
