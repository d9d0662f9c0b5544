// What came into a wallet, from the bank's history of it. The rows have no ids, so a stretch of time that is too full to be
// shown at once is read in halves.
import { parseDecimalUsdc } from '../../core/money.ts'
import type { Received } from '../account.ts'
import { RailUnavailable, UnreadableAnswer } from '../port.ts'
import type { WalletAtBank } from '../transfer.ts'
import { type Json, asObject, moment, text } from './json-words.ts'
import { PAGE_SIZE, rowsOf } from './list-rows.ts'
import type { ProviderClient } from './provider-client.ts'

/** About 35 years: a clock that is ahead of ours by less than that hides nothing. */
const FAR_MS = 2 ** 40

export async function listReceived(client: ProviderClient, account: WalletAtBank, since: Date): Promise<Received[]> {
  const from = since.getTime()
  const rows = await readBetween(client, account.walletRef, { from, to: from + FAR_MS })
  return rows.filter((row) => row !== null)
}

/** From the first moment on, up to and without the second. */
async function readBetween(
  client: ProviderClient,
  walletRef: string,
  { from, to }: { from: number; to: number },
): Promise<(Received | null)[]> {
  const query = new URLSearchParams({
    limit: String(PAGE_SIZE),
    updated_after_ms: String(from - 1),
    updated_before_ms: String(to),
  })
  const path = `/wallets/${encodeURIComponent(walletRef)}/history?${query.toString()}`
  const reply = await client.call({ method: 'GET', path, isList: true })
  if (reply.kind !== 'answered') throw new RailUnavailable(reply.reason)
  if (reply.status !== 200) throw new RailUnavailable('The bank’s history of a wallet could not be read.', reply)
  const rows = rowsOf(reply.body)
  if (rows.length < PAGE_SIZE) return rows.map((row) => receivedIn(asObject(row)))
  if (to - from < 2) throw new UnreadableAnswer('The bank’s history of a wallet has too much in one moment.')
  const middle = from + Math.floor((to - from) / 2)
  return [
    ...(await readBetween(client, walletRef, { from, to: middle })),
    ...(await readBetween(client, walletRef, { from: middle, to })),
  ]
}

/** Null for money that left: what we send goes out as pounds. */
function receivedIn(row: Json): Received | null {
  if (text(asObject(row['destination']), 'currency') !== 'usdc') return null
  const amount = parseDecimalUsdc(text(row, 'amount'))
  if (amount === null) throw new UnreadableAnswer('The bank’s history of a wallet has an amount that is no money.')
  return { amount, at: moment(row, 'created_at') }
}
