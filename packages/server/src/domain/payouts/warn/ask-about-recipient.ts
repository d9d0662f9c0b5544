// Counts questions about what a business has paid before: a caller who could ask about every account number would learn
// which were paid. Callers who pay have a reason to ask, about as often as they pay.
import { AppError } from '../../../core/errors.ts'
import type { Scope } from '../../../core/scope.ts'
import { countSentPayouts } from '../../../storage/payout-recipients.ts'
import type { Tx } from '../../../storage/sql.ts'
import type { Deps } from '../../deps.ts'
import { type Limit, takeIfLeft } from '../../limits/limit.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** More than anybody types in a day, and far too few to find eight digits by trying. */
const WITHOUT_PAYING = 200
/** At most this many of a day's payouts are counted. */
const MOST_PAID = 100_000

/** The same account over and over is one question per day: a form asks again whenever the rate moves. */
const SAME_ACCOUNT: Limit = { name: 'recipient/same', everyMs: DAY_MS, burst: 1 }

/** A count for one day, which begins anew at midnight in UTC. What an hour gives back is too little to matter. */
const onOneDay = (most: number): Limit => ({
  name: 'recipient/day',
  everyMs: HOUR_MS,
  burst: most,
  largestBurst: WITHOUT_PAYING + MOST_PAID,
})

export interface RecipientQuestion {
  readonly scope: Scope
  /** The API key or the member that asks. */
  readonly asker: string
  readonly bank: { readonly sort_code: string; readonly account_number: string }
}

/** Counts the question, or refuses it. */
export async function mayAskAboutRecipient(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  { scope, asker, bank }: RecipientQuestion,
): Promise<void> {
  const who = `${scope.environment}/${asker}`
  await deps.db.inTransaction(async (tx) => {
    const isNew = await takeIfLeft(tx, deps, SAME_ACCOUNT, `${who}/${bank.sort_code} ${bank.account_number}`)
    if (isNew) await countQuestion(tx, deps, { scope, who })
  })
}

/** What was paid is looked up only for callers that have used up what is free. */
async function countQuestion(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'secrets'>,
  { scope, who }: { scope: Scope; who: string },
): Promise<void> {
  const now = deps.clock.now()
  const midnight = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS)
  const today = `${who}/${midnight.toISOString()}`
  if (await takeIfLeft(tx, deps, onOneDay(WITHOUT_PAYING), today)) return
  const paid = await countSentPayouts(tx, scope, midnight, MOST_PAID)
  if (await takeIfLeft(tx, deps, onOneDay(WITHOUT_PAYING + paid), today)) return
  throw new AppError(
    'rate_limited',
    `Quotes were asked for about ${WITHOUT_PAYING} more recipients today than were paid. Wait as long as Retry-After says, or quote without \`recipient\`. Payouts are not limited by this.`,
    { retryAfterSeconds: Math.ceil((midnight.getTime() + DAY_MS - now.getTime()) / 1_000) },
  )
}
