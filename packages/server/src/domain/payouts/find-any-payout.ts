// A payout for the operator, by its id alone, and what the bank has of it.
import { after } from '../../core/clock.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { isUuid } from '../../core/ids.ts'
import { pages } from '../../core/pages.ts'
import type { Scope } from '../../core/scope.ts'
import { type ListedTransfer, RailUnavailable, type TransferSnapshot } from '../../rail/rail.ts'
import type { PayoutRow } from '../../storage/payouts.ts'
import { type WholePayout, findPayoutAnywhere } from '../../storage/payouts-anywhere.ts'
import type { Deps } from '../deps.ts'

/** Clocks may differ by this much. */
const LOOK_BACK_MS = 60 * 60_000

export interface FoundPayout {
  readonly scope: Scope
  readonly row: WholePayout
}

export async function findAnyPayout(deps: Pick<Deps, 'db'>, id: string): Promise<FoundPayout> {
  const row = isUuid(id.toLowerCase()) ? await findPayoutAnywhere(deps.db, id.toLowerCase()) : null
  if (row === null) throw notFound()
  return { scope: { partnerId: row.partnerId, environment: row.environment }, row }
}

/**
 * The transfer under a name that the bank gave it, or else under our reference; null when the bank shows none. Refuses
 * when the bank cannot be asked: silence is no answer.
 */
export async function readAtBank(
  deps: Pick<Deps, 'rails'>,
  row: PayoutRow,
  transferRef: string | null = row.providerRef,
): Promise<TransferSnapshot | ListedTransfer | null> {
  const rail = deps.rails[row.rail]
  try {
    if (row.rail === 'simulated') {
      return transferRef === null ? null : ((await rail.readTransfers([transferRef])).get(transferRef) ?? null)
    }
    if (transferRef !== null) return await rail.readListed(transferRef)
    const since = after(row.createdAt, -LOOK_BACK_MS)
    for await (const { transfers, unread } of pages((cursor) => rail.listTransfers(since, cursor))) {
      const found = transfers.find((transfer) => transfer.clientReference === row.id)
      if (found !== undefined) return found
      const hidden = unread.find((each) => each.clientReference === row.id)
      if (hidden !== undefined) throw new RailUnavailable(`It has ${hidden.transferRef}, which makes no sense to us.`)
    }
    return null
  } catch (error) {
    if (!(error instanceof RailUnavailable)) throw error
    throw new AppError('bank_unavailable', `The bank could not be asked, so nothing was changed. ${error.message}`)
  }
}
