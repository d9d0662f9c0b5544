// Transfers that are read by their ids.
import { type BusyBank, RailUnavailable, UnreadableAnswer } from '../port.ts'
import type { ListedTransfer, TransferSnapshot } from '../transfer.ts'
import type { ProviderClient } from './provider-client.ts'
import { isAddition, listedTransfer } from './transfer-words.ts'

export async function readTransfers(
  client: ProviderClient,
  refs: readonly string[],
  onBusy?: (bank: BusyBank) => void,
): Promise<ReadonlyMap<string, TransferSnapshot>> {
  const unread = (error: unknown): null => {
    if (error instanceof RailUnavailable && error.retryAfterMs > 0) onBusy?.(error)
    return null
  }
  const transfers = await Promise.all(refs.map((ref) => readListed(client, ref).catch(unread)))
  return new Map(transfers.filter((each) => each !== null).map((each) => [each.transferRef, each]))
}

/** Throws when the bank cannot be asked, so that no caller takes silence for an answer. */
export async function readListed(
  client: ProviderClient,
  ref: string,
  onAddition?: () => void,
): Promise<ListedTransfer | null> {
  const reply = await client.call({ method: 'GET', path: `/transfers/${encodeURIComponent(ref)}` })
  if (reply.kind !== 'answered') throw new RailUnavailable(reply.reason)
  if (reply.status === 404) return null
  if (reply.status !== 200) throw new RailUnavailable(`The bank answered ${reply.status}.`, reply)
  if (isAddition(reply.body)) {
    onAddition?.()
    return null
  }
  const transfer = listedTransfer(reply.body)
  if (transfer.transferRef === ref) return transfer
  throw new UnreadableAnswer('The bank answered with another transfer than it was asked for.')
}
