// Compares every wallet and every transfer with the bank's books. Money that moves while it looks is no break: what
// differs is looked at again before it is reported.
import type { Environment } from '@kestrel/contract'

import { sleep } from '../../core/clock.ts'
import { LOWEST_ID } from '../../core/ids.ts'
import { someAtOnce } from '../../core/some-at-once.ts'
import { pages } from '../../core/pages.ts'
import type { ListedTransfer, TransferPage, UnreadTransfer } from '../../rail/rail.ts'
import { type PayoutAtBank, listPayoutsAtBank } from '../../storage/bank-comparison.ts'
import { type ConnectedWallet, listConnectedWallets } from '../../storage/wallets.ts'
import type { Deps } from '../deps.ts'
import { providerRail } from './apply-transfers.ts'
import { readAnswers } from './answered-transfers.ts'
import { type BookBreak, compareTransfers } from './compare-books.ts'
import { compareWallet } from './compare-wallet.ts'

const PAGE_SIZE = 1_000
const LOOKS = 3
const PAUSE_MS = 700
const MOST_AT_ONCE = 16
const BEGINNING = new Date(0)

export async function reconcileBank(deps: Deps, environment: Environment): Promise<BookBreak[]> {
  if (deps.banks[environment] === null) return []
  let lasting = await lookOnce(deps, environment)
  for (let look = 1; look < LOOKS && lasting.length > 0; look++) {
    await sleep(PAUSE_MS)
    const again = new Set((await lookOnce(deps, environment)).map(nameOf))
    lasting = lasting.filter((each) => again.has(nameOf(each)))
  }
  return lasting
}

function nameOf(each: BookBreak): string {
  return `${each.check} ${each.about} ${each.detail}`
}

async function lookOnce(deps: Deps, environment: Environment): Promise<BookBreak[]> {
  const { transfers, unread } = await allTransfers(deps, environment)
  const payouts = await allPayouts(deps, environment)
  const isAnswered = await readAnswers(deps, environment)
  const wallets = await listConnectedWallets(deps.db, environment)
  const had = new Set([...transfers, ...unread].flatMap(({ clientReference }) => clientReference ?? []))
  return [
    ...compareTransfers(payouts, transfers, { unread, isAnswered }),
    ...(await compareWallets(deps, wallets, had)),
  ]
}

async function allTransfers(deps: Deps, environment: Environment): Promise<Omit<TransferPage, 'next'>> {
  const rail = deps.rails[providerRail(environment)]
  const transfers: ListedTransfer[] = []
  const unread: UnreadTransfer[] = []
  for await (const page of pages((cursor) => rail.listTransfers(BEGINNING, cursor))) {
    transfers.push(...page.transfers)
    unread.push(...page.unread)
  }
  return { transfers, unread }
}

async function allPayouts(deps: Deps, environment: Environment): Promise<PayoutAtBank[]> {
  const found: PayoutAtBank[] = []
  for (let after = { partnerId: LOWEST_ID, id: LOWEST_ID }; ;) {
    const page = await listPayoutsAtBank(deps.reports, environment, after, PAGE_SIZE)
    found.push(...page)
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE_SIZE) return found
    after = last
  }
}

async function compareWallets(
  deps: Deps,
  wallets: readonly ConnectedWallet[],
  had: ReadonlySet<string>,
): Promise<BookBreak[]> {
  const breaks: BookBreak[] = []
  await someAtOnce(wallets, MOST_AT_ONCE, async (wallet) => {
    breaks.push(...(await compareWallet(deps, wallet, had)))
  })
  return breaks
}
