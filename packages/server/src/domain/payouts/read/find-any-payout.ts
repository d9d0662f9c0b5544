// A payout for the operator, by its id alone, and what the bank has of it.
import { AppError, notFound } from '../../../core/errors.ts'
import { isUuid } from '../../../core/ids.ts'
import type { Scope } from '../../../core/scope.ts'
import { RailUnavailable } from '../../../rail/port.ts'
import type { FoundTransfers, ListedTransfer, TransferSnapshot } from '../../../rail/transfer.ts'
import { railNamed } from '../../../rail/which-rail.ts'
import type { PayoutRow } from '../../../storage/payouts.ts'
import { type WholePayout, findPayoutAnywhere } from '../../../storage/payouts-anywhere.ts'
import { bankAccountOf, findWallet } from '../../../storage/wallets.ts'
import type { Deps } from '../../deps.ts'
import { requireAllNamed } from '../ask/nameless-transfers.ts'

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
 * The transfer under the bank's id for it, or else under our reference; null when the bank shows none. Throws when the
 * bank cannot be asked, because silence is no answer, and when more than one could be meant.
 */
export async function readAtBank(
  deps: Pick<Deps, 'rails' | 'db'>,
  row: PayoutRow,
  transferRef: string | null = row.transferRef,
): Promise<TransferSnapshot | ListedTransfer | null> {
  const rail = railNamed(deps, row.rail)
  try {
    if (!rail.has.lists) {
      return transferRef === null ? null : ((await rail.readTransfers([transferRef])).get(transferRef) ?? null)
    }
    if (transferRef !== null) return await rail.readListed(transferRef)
    const account = bankAccountOf(await findWallet(deps.db, row))
    const found = await rail.findTransfers({ account, clientReference: row.id, requestedAt: row.createdAt })
    const own = onlyOne(row, found)
    if (own === null) await requireAllNamed(deps, { scope: row, rail: row.rail }, found)
    return own
  } catch (error) {
    if (!(error instanceof RailUnavailable)) throw error
    throw new AppError('bank_unavailable', `The bank could not be asked, so nothing was changed. ${error.message}`)
  }
}

function onlyOne(row: PayoutRow, { own, others }: FoundTransfers): TransferSnapshot | null {
  if (own.length > 1) {
    const refs = own.map((each) => each.transferRef).join(', ')
    throw new AppError(
      'invalid_request',
      `The bank has ${own.length} transfers under ${row.id}: ${refs}. Say which is its own with --transfer. Nothing was changed.`,
    )
  }
  if (own.length === 0 && others.length > 0) {
    const message = `The bank has ${others.join(', ')} under ${row.id} as another customer’s. Ask it whose that is. Nothing was changed.`
    throw new AppError('invalid_request', message)
  }
  return own[0] ?? null
}
