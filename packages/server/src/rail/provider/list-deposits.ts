// Deposits as the partner lists them: of everybody since a moment, or of one account from its beginning.
import { parseDecimalUsdc } from '../../core/money.ts'
import { pages } from '../../core/pages.ts'
import type { Deposit, DepositPage, TopUpWays } from '../partner-bank.ts'
import type { BankAccount } from '../rail.ts'
import { ask } from './ask-provider.ts'
import { type Json, UnreadableAnswer, moment, optionalText, rows, text } from './json-words.ts'
import { customerPath } from './open-account.ts'
import type { ProviderClient } from './provider-client.ts'

const PAGE_SIZE = 100

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
    all.push(...page.deposits)
  }
  return all
}

async function readPage(
  client: ProviderClient,
  source: Deposit['source'],
  at: { path: string; query: URLSearchParams; cursor: string | null },
): Promise<DepositPage> {
  if (at.cursor !== null) at.query.set('starting_after', at.cursor)
  const data = rows(await ask(client, { method: 'GET', path: `${at.path}?${at.query.toString()}` }))
  const deposits = data.filter(FEEDS[source].isDone).map((row) => depositFrom(source, row))
  const last = data.at(-1)
  return { deposits, next: data.length === PAGE_SIZE && last !== undefined ? text(last, 'id') : null }
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
