// For the operator: how far the bank's lists were read, and reading one again from an earlier moment.
import type { Environment } from '@kestrel/contract'

import { AppError } from '../../../core/errors.ts'
import {
  type FeedName,
  type FeedRow,
  listFeeds as readFeeds,
  rewindFeed as moveBack,
} from '../../../storage/bank-feeds.ts'
import type { Deps } from '../../deps.ts'

export function listFeeds(deps: Pick<Deps, 'db'>): Promise<FeedRow[]> {
  return readFeeds(deps.db)
}

/** Only ever back: moving a mark forward would skip the rows in between. */
export async function rewindFeed(
  deps: Pick<Deps, 'db' | 'clock'>,
  wanted: { environment: Environment; feed: FeedName; to: Date },
): Promise<void> {
  const { environment, feed, to } = wanted
  const at = { moment: to, now: deps.clock.now() }
  if (await deps.db.inTransaction((tx) => moveBack(tx, environment, feed, at))) return
  const row = (await readFeeds(deps.db)).find((each) => each.environment === environment && each.feed === feed)
  const message =
    row === undefined
      ? `No ${environment} bank's ${feed} have been read yet. Nothing was changed.`
      : `${environment} ${feed} are read up to ${row.readUpTo.toISOString()}, and a mark is only moved back. Nothing was changed.`
  throw new AppError('invalid_request', message)
}
