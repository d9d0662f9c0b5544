// Payouts from before recipients were marked get their marks in batches, until none is left.
import {
  BEGINNING_OF_UNMARKED,
  type UnmarkedPayout,
  markPayouts,
  takeUnmarkedPayouts,
} from '../../storage/payout-recipients-due.ts'
import type { Tx } from '../../storage/sql.ts'
import type { Deps } from '../deps.ts'
import { openRecipient } from '../payouts/request/payout-request.ts'
import { recipientMarks } from '../payouts/warn/recipient-marks.ts'
import { tellOnce } from '../payouts/record/tell-once.ts'

type MarkDeps = Pick<Deps, 'db' | 'secrets' | 'clock' | 'onAlarm'>
type Marked = { payout: UnmarkedPayout } & ReturnType<typeof recipientMarks>

/** Opening a recipient costs microseconds; a batch is over before anybody waits for it. */
const BATCH = 500

/**
 * Each call marks one batch and returns whether there may be more. A payout that cannot be opened stays on the list and
 * is skipped; the next pass comes to it again.
 */
export function createOldPayoutMarker(deps: MarkDeps, most = BATCH): () => Promise<boolean> {
  let after: Pick<UnmarkedPayout, 'partnerId' | 'environment' | 'id'> = BEGINNING_OF_UNMARKED
  return async () => {
    const payouts = await deps.db.inTransaction((tx) => markSome(tx, deps, { after, most }))
    after = payouts.length === most ? payouts.at(-1)! : BEGINNING_OF_UNMARKED
    return payouts.length === most
  }
}

async function markSome(
  tx: Tx,
  deps: MarkDeps,
  asked: { after: Pick<UnmarkedPayout, 'partnerId' | 'environment' | 'id'>; most: number },
): Promise<readonly UnmarkedPayout[]> {
  const payouts = await takeUnmarkedPayouts(tx, asked.after, asked.most)
  const marked: Marked[] = []
  for (const payout of payouts) {
    const marks = marksOf(deps, payout)
    if (marks !== null) marked.push({ payout, ...marks })
    else await tellOnce(deps, tx, payout, [{ what: 'a payout’s recipient cannot be opened', payoutId: payout.id }])
  }
  if (marked.length > 0) markPayouts(tx, marked)
  return payouts
}

function marksOf({ secrets }: MarkDeps, payout: UnmarkedPayout): ReturnType<typeof recipientMarks> | null {
  try {
    return recipientMarks(secrets, openRecipient(secrets, payout.recipientSealed, payout.id))
  } catch {
    return null
  }
}
