// Deposits as the partner lists them: of everybody since a moment, or of one account from its beginning.
import { sha256 } from '../../core/ids.ts'
import { parseDecimalUsdc } from '../../core/money.ts'
import { pages } from '../../core/pages.ts'
import type { Deposit, DepositPage, DepositReading, TopUpWays, UnreadDeposit } from '../partner-bank.ts'
import type { BankAccount } from '../rail.ts'
import { ask } from './ask-provider.ts'
import { type Json, UnreadableAnswer, asObject, moment, optionalText, text } from './json-words.ts'
import { customerPath } from './open-account.ts'
import type { ProviderClient } from './provider-client.ts'

const PAGE_SIZE = 100
/** How far back one deposit is looked for; what is older still is found by the daily read. */
const MOST_PAGES = 20

const FEEDS = {
  bank: {
    path: '/virtual_accounts/history',
    isDone: (row: Json) => row['type'] === 'payment_processed',
    ref: 'deposit_id',
  },
  chain: {
    path: '/liquidation_addresses/drains',
    isDone: (row: Json) => row['state'] === 'payment_processed',
    ref: 'id',
  },
} as const

export function listDeposits(
  client: ProviderClient,
  source: Deposit['source'],
  from: { since: Date; cursor: string | null },
): Promise<DepositPage> {
  const query = new URLSearchParams({ limit: String(PAGE_SIZE), updated_after_ms: String(from.since.getTime()) })
  return readPage(client, source, { path: FEEDS[source].path, query, cursor: from.cursor })
}

/** All that ever arrived in one account, by both ways. */
export async function listAccountDeposits(
  client: ProviderClient,
  { customerRef }: BankAccount,
  ways: TopUpWays,
): Promise<Deposit[]> {
  const customer = customerPath(customerRef)
  const virtual = `${customer}/virtual_accounts/${encodeURIComponent(ways.virtualAccountRef)}/history`
  const address = `${customer}/liquidation_addresses/${encodeURIComponent(ways.liquidationAddressRef)}/drains`
  const both = await Promise.all([readWhole(client, 'bank', virtual), readWhole(client, 'chain', address)])
  return both.flat()
}

async function readWhole(client: ProviderClient, source: Deposit['source'], path: string): Promise<Deposit[]> {
  const all: Deposit[] = []
  const query = () => new URLSearchParams({ limit: String(PAGE_SIZE) })
  for await (const page of pages((cursor) => readPage(client, source, { path, query: query(), cursor }))) {
    // Whoever wants the whole of it wants the sum of it.
    if (page.unread[0] !== undefined) throw new UnreadableAnswer(page.unread[0].why)
    all.push(...page.deposits)
  }
  return all
}

/**
 * One deposit, by name. The bank gives out a bank transfer's history by its id; on chain the list is read, the newest
 * first and without regard to when a row says that it changed.
 */
export async function readDeposit(
  client: ProviderClient,
  source: Deposit['source'],
  depositRef: string,
): Promise<DepositReading> {
  const { path, ref } = FEEDS[source]
  let cursor: string | null = null
  for (let page = 0; page < MOST_PAGES; page++) {
    const query = new URLSearchParams({ limit: String(PAGE_SIZE) })
    if (source === 'bank') query.set('deposit_id', depositRef)
    const rows: readonly unknown[] = await askForRows(client, { path, query, cursor })
    const own = rows.filter((row) => isJson(row) && row[ref] === depositRef)
    if (own.length > 0) return { isKnown: true, ...readRows(source, own) }
    cursor = nextOf(rows)
    if (cursor === null) break
  }
  return { isKnown: false, deposits: [], unread: [] }
}

async function readPage(client: ProviderClient, source: Deposit['source'], at: Asked): Promise<DepositPage> {
  const rows = await askForRows(client, at)
  return { ...readRows(source, rows), next: nextOf(rows) }
}

interface Asked {
  readonly path: string
  readonly query: URLSearchParams
  readonly cursor: string | null
}

async function askForRows(client: ProviderClient, at: Asked): Promise<readonly unknown[]> {
  if (at.cursor !== null) at.query.set('starting_after', at.cursor)
  const { data } = await ask(client, { method: 'GET', path: `${at.path}?${at.query.toString()}` })
  if (!Array.isArray(data)) throw new UnreadableAnswer('The bank’s list has no data.')
  return data
}

/** Each row by itself: one that cannot be read keeps none of the others back. */
function readRows(source: Deposit['source'], rows: readonly unknown[]): Pick<DepositPage, 'deposits' | 'unread'> {
  const deposits: Deposit[] = []
  const unread: UnreadDeposit[] = []
  for (const row of rows) {
    try {
      const json = asObject(row)
      if (FEEDS[source].isDone(json)) deposits.push(depositFrom(source, json))
    } catch (error) {
      if (!(error instanceof UnreadableAnswer)) throw error
      unread.push({ depositRef: nameOf(source, row), why: error.message })
    }
  }
  return { deposits, unread }
}

function isJson(row: unknown): row is Json {
  return typeof row === 'object' && row !== null && !Array.isArray(row)
}

/** Its id; for a row without one, something that is the same the next time. */
function nameOf(source: Deposit['source'], row: unknown): string {
  const id = isJson(row) ? (optionalText(row, FEEDS[source].ref) ?? optionalText(row, 'id')) : null
  return id ?? `row ${sha256(JSON.stringify(row)).toString('hex').slice(0, 16)}`
}

function nextOf(rows: readonly unknown[]): string | null {
  if (rows.length < PAGE_SIZE) return null
  const last = rows.findLast((row): row is Json => isJson(row) && optionalText(row, 'id') !== null)
  if (last === undefined) throw new UnreadableAnswer('The bank’s list has no row with an id.')
  return text(last, 'id')
}

function depositFrom(source: Deposit['source'], row: Json): Deposit {
  const amount = parseDecimalUsdc(text(row, 'amount'))
  if (amount === null) throw new UnreadableAnswer('The bank’s deposit has an amount that is no money.')
  return {
    source,
    depositRef: text(row, FEEDS[source].ref),
    customerRef: text(row, 'customer_id'),
    amount,
    receivedAt: moment(row, 'created_at'),
    updatedAt: optionalText(row, 'updated_at') === null ? moment(row, 'created_at') : moment(row, 'updated_at'),
  }
}
