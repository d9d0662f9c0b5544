// Compares every transfer of the bank with its payout, page by page, and then the other way round: payouts that the
// bank does not list.
import type { Environment } from '@kestrel/contract'

import type { ListedTransfer, UnreadTransfer } from '../../../rail/transfer.ts'
import { railOfBank } from '../../../rail/which-rail.ts'
import { type PayoutAtBank, readAnybodysPayoutsAtBank } from '../../../storage/bank-comparison.ts'
import type { Deps } from '../../deps.ts'
import { readHaving } from '../feeds/payout-of-transfer.ts'
import { readAnswers } from './answered-transfers.ts'
import { type BookBreak, unreadable } from './compare-books.ts'
import { findUnlisted } from './find-unlisted.ts'
import { type Look, breaksOf, lookAtTransfer } from './look-at-transfer.ts'
import { patientPages } from './patient-pages.ts'
import { createPayoutSets } from './payout-sets.ts'
import type { SecondLooks } from './second-looks.ts'
import { referencesOf, withPayouts } from './with-payouts.ts'

const BEGINNING = new Date(0)

/** Returns the payouts in doubt that the bank turns out to have. */
export async function compareAllTransfers(
  deps: Deps,
  environment: Environment,
  looks: SecondLooks,
): Promise<ReadonlySet<string>> {
  const madeBefore = deps.clock.now()
  const rail = railOfBank(deps, environment)
  const listed = createPayoutSets()
  // The transfers of payouts in doubt. Those have no transfer recorded, by which a second one could be told.
  const inDoubt = new Map<string, string>()
  const isAnswered = await readAnswers(deps, environment)
  const note = (payout: PayoutAtBank | null, transferRef: string): string | null => {
    if (payout === null) return null
    if (payout.sendState === 'accepted' && payout.madeAt < madeBefore) listed.add(payout.id)
    if (payout.transferRef !== null) return payout.transferRef
    const first = inDoubt.get(payout.id) ?? null
    if (first === null) inDoubt.set(payout.id, transferRef)
    return first
  }
  for await (const page of patientPages((cursor) => rail.listTransfers(BEGINNING, cursor))) {
    for (const { payout, row } of await unreadWithPayouts(deps, environment, page.unread)) {
      note(payout, row.transferRef)
      const breaks = [unreadable(payout ?? undefined, row)]
      await looks.suspect({ breaks, lookAgain: () => lookAtUnread(deps, environment, { row, breaks }) })
    }
    for (const { payout, transfer } of await withPayouts(deps, environment, page.transfers)) {
      const first = note(payout, transfer.transferRef)
      const look: Look = { deps, environment, isAnswered, transferRef: transfer.transferRef, first }
      const breaks = await breaksOf(look, { payout, transfer })
      if (breaks.length > 0) await looks.suspect({ breaks, lookAgain: () => lookAtTransfer(look, breaks) })
    }
  }
  await findUnlisted(deps, environment, { listed, madeBefore, isAnswered, looks })
  return new Set(inDoubt.keys())
}

/** A row that cannot be read has at most its id, and names at most its payout. */
async function unreadWithPayouts(
  deps: Deps,
  environment: Environment,
  unread: readonly UnreadTransfer[],
): Promise<{ payout: PayoutAtBank | null; row: UnreadTransfer }[]> {
  if (unread.length === 0) return []
  const payouts = await readAnybodysPayoutsAtBank(deps.reports, environment, referencesOf(unread))
  const byId = new Map(payouts.map((payout) => [payout.id, payout]))
  const having = await readHaving(deps, deps.reports, { environment, transfers: unread })
  return unread.map((row) => {
    const known = having(row)
    return { payout: known.has === 'one' ? known.payout : (byId.get(row.clientReference ?? '') ?? null), row }
  })
}

/** The break stays until the bank shows the row so that it can be read. */
async function lookAtUnread(
  deps: Deps,
  environment: Environment,
  { row, breaks }: { row: UnreadTransfer; breaks: readonly BookBreak[] },
): Promise<readonly BookBreak[]> {
  const rail = railOfBank(deps, environment)
  const shown: ListedTransfer | null = await rail.readListed(row.transferRef).catch(() => null)
  return shown === null ? breaks : []
}
