// Deposits as the bank lists them: everybody's since a moment, or one account's from its beginning.
import { parseDecimalUsdc } from '../../core/money.ts'
import { pages } from '../../core/pages.ts'
import type {
  Deposit,
  DepositPage,
  DepositReading,
  DepositTransaction,
  TopUpWays,
  UndoneDeposit,
  UnreadDeposit,
} from '../account.ts'
import { UnreadableAnswer } from '../port.ts'
import type { WalletAtBank } from '../transfer.ts'
import { type Json, asObject, isJson, moment, optionalText, text, wordOrNull } from './json-words.ts'
import { type RowsPage, askForRows, idIn, readEach } from './list-rows.ts'
import { askForChanges } from './list-windows.ts'
import { customerPath } from './open-account.ts'
import type { ProviderClient } from './provider-client.ts'

/** How many pages back one deposit is looked for. The daily read finds older ones. */
const MOST_PAGES = 20

/** The bank's words for a deposit that is not in the wallet, or no longer. */
const UNDONE = /^(?:refund|return|cancel|undeliverable|error)/

const FEEDS = {
  bank: {
    path: '/virtual_accounts/history',
    state: 'type',
    ref: 'deposit_id',
    converted: 'final_amount',
  },
  chain: {
    path: '/liquidation_addresses/drains',
    state: 'state',
    ref: 'id',
    converted: 'outgoing_amount',
  },
} as const

export async function listDeposits(
  client: ProviderClient,
  source: Deposit['source'],
  from: { since: Date; cursor: string | null },
): Promise<DepositPage> {
  const { rows, next, unread: missed } = await askForChanges(client, { path: FEEDS[source].path, ...from })
  const { unread, ...read } = readRows(source, rows)
  return { ...read, unread: [...unread, ...missed.map(({ ref, why }) => ({ depositRef: ref, why }))], next }
}

/** Every deposit that ever arrived in one account, by bank transfer and on chain. */
export async function listAccountDeposits(
  client: ProviderClient,
  { holderRef }: WalletAtBank,
  ways: TopUpWays,
): Promise<Deposit[]> {
  const customer = customerPath(holderRef)
  const address = `${customer}/liquidation_addresses/${encodeURIComponent(ways.chainRef)}/drains`
  const virtual =
    ways.bankRef === null ? null : `${customer}/virtual_accounts/${encodeURIComponent(ways.bankRef)}/history`
  const both = await Promise.all([
    virtual === null ? [] : readWhole(client, 'bank', virtual),
    readWhole(client, 'chain', address),
  ])
  return both.flat()
}

async function readWhole(client: ProviderClient, source: Deposit['source'], path: string): Promise<Deposit[]> {
  const all: Deposit[] = []
  const undone = new Set<string>()
  for await (const page of pages((cursor) => readPage(client, source, { path, query: {}, cursor }))) {
    // The whole list is read for its sum, which one unreadable row would make wrong.
    if (page.unread[0] !== undefined) throw new UnreadableAnswer(page.unread[0].why)
    all.push(...page.deposits)
    for (const { depositRef } of page.undone) undone.add(depositRef)
  }
  return all.filter(({ depositRef }) => !undone.has(depositRef))
}

/**
 * Finds one deposit by its id. The bank gives out a bank transfer's history by that id. On chain its list is read,
 * newest first, whatever a row says about when it changed.
 */
export async function readDeposit(
  client: ProviderClient,
  source: Deposit['source'],
  depositRef: string,
): Promise<DepositReading> {
  const { path, ref } = FEEDS[source]
  let cursor: string | null = null
  for (let page = 0; page < MOST_PAGES; page++) {
    const query: Record<string, string> = source === 'bank' ? { deposit_id: depositRef } : {}
    const { rows, next }: RowsPage = await askForRows(client, { path, query, cursor })
    const own = rows.filter((row) => isJson(row) && row[ref] === depositRef)
    if (own.length > 0) return { isKnown: true, ...readRows(source, own) }
    if (next === null) break
    cursor = next
  }
  return { isKnown: false, deposits: [], undone: [], transactions: [], unread: [] }
}

async function readPage(
  client: ProviderClient,
  source: Deposit['source'],
  asked: Parameters<typeof askForRows>[1],
): Promise<DepositPage> {
  const { rows, next } = await askForRows(client, asked)
  return { ...readRows(source, rows), next }
}

/** Reads each row by itself: an unreadable one holds up none of the others. */
function readRows(source: Deposit['source'], rows: readonly unknown[]): Omit<DepositPage, 'next'> {
  const { state, ref } = FEEDS[source]
  const undone = new Map<string, UndoneDeposit>()
  const { read, unread } = readEach(rows, [ref, 'id'], (row) => {
    const bankState = text(row, state)
    if (bankState === 'payment_processed') return depositFrom(source, row)
    if (UNDONE.test(bankState)) {
      const each = { depositRef: text(row, ref), bankState, updatedAt: changedAt(row) }
      if (isLater(each, undone.get(each.depositRef))) undone.set(each.depositRef, each)
    }
    return null
  })
  return {
    deposits: read.filter((deposit) => deposit !== null),
    undone: [...undone.values()],
    transactions: source === 'chain' ? rows.flatMap(transactionIn) : [],
    unread: unread.map((each): UnreadDeposit => ({ depositRef: each.ref, why: each.why })),
  }
}

function depositFrom(source: Deposit['source'], row: Json): Deposit {
  const amount = parseDecimalUsdc(dollarsOf(source, row))
  if (amount === null || amount === 0n) {
    throw new UnreadableAnswer('The bank’s deposit has an amount that is no money.')
  }
  return {
    source,
    ...(source === 'chain' ? transactionOf(row) : {}),
    depositRef: text(row, FEEDS[source].ref),
    holderRef: text(row, 'customer_id'),
    amount,
    receivedAt: moment(row, 'created_at'),
    updatedAt: optionalText(row, 'updated_at') === null ? moment(row, 'created_at') : moment(row, 'updated_at'),
  }
}

/** A hash is long, and not one letter over and over: that stands for one that is not known yet, or for test money. */
function transactionOf(row: Json): { transactionRef?: string } {
  const hash = wordOrNull(row, 'deposit_tx_hash')?.toLowerCase() ?? ''
  return hash.length >= 32 && new Set(hash.replace(/^0x/, '')).size > 1 ? { transactionRef: hash } : {}
}

function transactionIn(row: unknown): DepositTransaction[] {
  const depositRef = idIn(row, FEEDS.chain.ref)
  const { transactionRef } = isJson(row) ? transactionOf(row) : {}
  return depositRef === null || transactionRef === undefined ? [] : [{ depositRef, transactionRef }]
}

function isLater({ updatedAt }: UndoneDeposit, than: UndoneDeposit | undefined): boolean {
  return than === undefined || (updatedAt?.getTime() ?? 0) > (than.updatedAt?.getTime() ?? 0)
}

/** What was undone is remembered as such, whatever its moments look like. */
function changedAt(row: Json): Date | null {
  for (const field of ['updated_at', 'created_at']) {
    try {
      return moment(row, field)
    } catch {
      continue
    }
  }
  return null
}

/** The USDC that came into the wallet. Where `amount` is what was paid in, the receipt has what it became. */
function dollarsOf(source: Deposit['source'], row: Json): string {
  const currency = text(row, 'currency')
  if (currency === 'usdc') return text(row, 'amount')
  const receipt = row['receipt'] == null ? {} : asObject(row['receipt'])
  // A bank transfer's receipt need not name the currency that it became; one that names another is believed.
  const became = optionalText(receipt, 'destination_currency') ?? (source === 'bank' ? 'usdc' : null)
  const isDollars = became === 'usdc'
  const converted = isDollars ? optionalText(receipt, FEEDS[source].converted) : null
  if (converted === null) throw new UnreadableAnswer(`The bank’s deposit is in ${currency}, and not in USDC.`)
  return converted
}
