// Payouts that the bank has accepted and does not list. Both sides are counted into sets; only where two sets differ is
// the bank asked, payout by payout.
import type { Environment } from '@kestrel/contract'

import { LOWEST_ID } from '../../../core/ids.ts'
import { someAtOnce } from '../../../core/some-at-once.ts'
import { type PayoutAtBank, listByEnd, readAcceptedSets } from '../../../storage/bank-comparison.ts'
import { takeTimeAndRoom } from '../../../storage/billing-audit.ts'
import type { Deps } from '../../deps.ts'
import { type BookBreak, type IsAnswered, missingAtBank } from './compare-books.ts'
import { UNREADABLE, breaksOf, readOne } from './look-at-transfer.ts'
import type { PayoutSets } from './payout-sets.ts'
import type { SecondLooks } from './second-looks.ts'
import { withPayouts } from './with-payouts.ts'

const PAGE_SIZE = 500
const MOST_AT_ONCE = 16

interface Compared {
  readonly listed: PayoutSets
  readonly madeBefore: Date
  readonly isAnswered: IsAnswered
  readonly looks: SecondLooks
}

export async function findUnlisted(deps: Deps, environment: Environment, compared: Compared): Promise<void> {
  const ours = await deps.reports.inTransaction((tx) => {
    takeTimeAndRoom(tx)
    return readAcceptedSets(tx, { environment, rail: deps.bankRails[environment] }, compared.madeBefore)
  })
  const differences = compared.listed.differences(ours)
  const single = differences.flatMap(({ end }) => end ?? [])
  const met = await goThrough(deps, environment, { ...compared, ends: single })
  // No payout's id ends so: several payouts differ, and their ids are mixed into this end.
  const rest = differences.filter(({ end }) => end === null || !met.has(end)).map(({ name }) => name)
  await goThrough(deps, environment, { ...compared, ends: rest })
}

/** Asks the bank for each payout whose id ends so. Returns the ends that were found. */
async function goThrough(
  deps: Deps,
  environment: Environment,
  asked: Compared & { ends: readonly string[] },
): Promise<ReadonlySet<string>> {
  const { ends, madeBefore, looks } = asked
  const met = new Set<string>()
  if (ends.length === 0) return met
  const wanted = new Set(ends)
  for (let after = { partnerId: LOWEST_ID, id: LOWEST_ID }; ;) {
    const page = await deps.reports.inTransaction((tx) => {
      takeTimeAndRoom(tx)
      return listByEnd(
        tx,
        { environment, rail: deps.bankRails[environment] },
        { madeBefore, ends, after, most: PAGE_SIZE },
      )
    })
    // A bank that has lost everything is not asked for every payout.
    if (looks.isFull()) looks.leaveOut(page.length)
    else await someAtOnce(page, MOST_AT_ONCE, (payout) => lookFor(deps, environment, { ...asked, payout }))
    for (const { id } of page) {
      const end = id.replaceAll('-', '').slice(-16)
      if (wanted.has(end)) met.add(end)
    }
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE_SIZE) return met
    after = last
  }
}

async function lookFor(
  deps: Deps,
  environment: Environment,
  asked: Pick<Compared, 'isAnswered' | 'looks'> & { payout: PayoutAtBank },
): Promise<void> {
  const lookAgain = () => lookOnce(deps, environment, asked)
  const breaks = await lookAgain()
  if (breaks.length > 0) await asked.looks.suspect({ breaks, lookAgain })
}

/** The bank may show a payout that it does not list. It is compared like any other then. */
async function lookOnce(
  deps: Deps,
  environment: Environment,
  { payout, isAnswered }: { payout: PayoutAtBank; isAnswered: IsAnswered },
): Promise<BookBreak[]> {
  const { transferRef } = payout
  if (transferRef === null) return [missingAtBank(payout)]
  const shown = await readOne(deps, environment, transferRef)
  // A transfer that we cannot read is reported where it is listed. It is not missing.
  if (shown === UNREADABLE) return []
  if (shown === null) return [missingAtBank(payout)]
  const [paired] = await withPayouts(deps, environment, [shown])
  return breaksOf({ deps, environment, isAnswered, transferRef, first: null }, paired!)
}
