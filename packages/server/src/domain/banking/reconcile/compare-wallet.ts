// Compares one wallet here with the same wallet at the bank.
import type { Environment } from '@kestrel/contract'

import { after } from '../../../core/clock.ts'
import type { MicroUsdc } from '../../../core/money.ts'
import type { Scope } from '../../../core/scope.ts'
import { ROWS_COME_WITHIN_MS, UnreadableAnswer } from '../../../rail/port.ts'
import { railOfBank } from '../../../rail/which-rail.ts'
import { type PayoutAtBank, listAmountsUndrawn, listInDoubt } from '../../../storage/bank-comparison.ts'
import { readAtBank } from '../../../storage/ledger.ts'
import { type ConnectedWallet, bankAccountOf, findWallet } from '../../../storage/wallets.ts'
import type { Deps } from '../../deps.ts'
import { isAccountedFor } from './accounted-for.ts'
import { askPatiently } from './ask-patiently.ts'
import { type BookBreak, expectedAtBank } from './compare-books.ts'
import { patientPages } from './patient-pages.ts'

/** `had`: the payouts in doubt that the bank has, if the caller has just looked. */
export async function compareWallet(
  deps: Deps,
  wallet: ConnectedWallet,
  had?: ReadonlySet<string>,
): Promise<BookBreak[]> {
  const about = { partnerId: wallet.partnerId, about: wallet.walletRef }
  const read = await readBoth(deps, wallet, had).catch((error: unknown) => {
    if (error instanceof UnreadableAnswer) return error
    throw error
  })
  // The other wallets are compared all the same.
  if (read instanceof UnreadableAnswer) return [{ ...about, check: 'wallet_not_compared', detail: read.message }]
  const { ours, theirs } = read
  if (ours === theirs || (await isUndrawn(deps, wallet, theirs - ours))) return []
  const detail = `we expect ${ours} millionths, the bank has ${theirs}`
  return [{ ...about, check: 'wallet_differs', detail }]
}

/** Whether the bank's wallet holds so much more because the bank has not drawn it for payouts that it has accepted. */
async function isUndrawn(deps: Deps, wallet: ConnectedWallet, more: bigint): Promise<boolean> {
  if (more <= 0n) return false
  const { name, words } = railOfBank(deps, wallet.environment)
  const undrawn = await listAmountsUndrawn(deps.db, wallet, { rail: name, undrawn: [...words.undrawn] })
  return isAccountedFor(more, undrawn)
}

/** How much more the bank's wallet holds than our books say; null where the bank has no wallet. */
export async function surplusAtBank(deps: Deps, scope: Scope): Promise<bigint | null> {
  const account = bankAccountOf(await findWallet(deps.db, scope))
  if (account === null || deps.banks[scope.environment] === null) return null
  const { ours, theirs } = await readBoth(deps, { ...scope, ...account })
  return theirs - ours
}

async function readBoth(
  deps: Deps,
  wallet: ConnectedWallet,
  known?: ReadonlySet<string>,
): Promise<{ ours: MicroUsdc; theirs: MicroUsdc }> {
  const bank = deps.banks[wallet.environment]!
  const theirs = await askPatiently(() => bank.readWalletBalance(wallet))
  const available = await readAtBank(deps.db, wallet)
  const inDoubt = await listInDoubt(deps.db, wallet, deps.bankRails[wallet.environment])
  const had = known ?? (await whichTheBankHas(deps, wallet.environment, inDoubt))
  return { theirs, ours: expectedAtBank(available, inDoubt, (id) => had.has(id)) }
}

/** Those of the payouts in doubt that the bank turns out to have. */
async function whichTheBankHas(
  deps: Deps,
  environment: Environment,
  payouts: readonly PayoutAtBank[],
): Promise<ReadonlySet<string>> {
  const wanted = new Set(payouts.map((payout) => payout.id))
  const had = new Set<string>()
  if (wanted.size === 0) return had
  const oldest = payouts.reduce((least, { madeAt }) => (madeAt < least ? madeAt : least), payouts[0]!.madeAt)
  const rail = railOfBank(deps, environment)
  for await (const page of patientPages((cursor) => rail.listTransfers(after(oldest, -ROWS_COME_WITHIN_MS), cursor))) {
    for (const { clientReference } of [...page.transfers, ...page.unread]) {
      if (clientReference !== null && wanted.has(clientReference)) had.add(clientReference)
    }
    if (had.size === wanted.size) break
  }
  return had
}
