// How the figures are read: as a partner reads them, over the API.
import { type Month, londonMonth, nextMonth } from '../../../src/core/london-month.ts'
import type { TestApp } from '../../support/app.ts'
import { type CsvRecord, csvRecords } from '../../support/csv-records.ts'
import type { Dice } from '../../support/dice.ts'
import { type TestPartner, get } from '../../support/fixtures.ts'
import type { Differences } from './differences.ts'

export interface Look {
  readonly test: TestApp
  readonly dice: Dice
  readonly differences: Differences
  /** The month in which the wallets were opened. */
  readonly since: Month
}

interface Page {
  readonly has_more: boolean
  readonly next_cursor: string | null
}

export async function read<T>(test: TestApp, wallet: TestPartner, url: string): Promise<T> {
  return JSON.parse(await readText(test, wallet, url)) as T
}

export async function readTable(test: TestApp, wallet: TestPartner, url: string): Promise<CsvRecord[]> {
  return csvRecords(await readText(test, wallet, url))
}

/** All pages of a list. Its address has a query already. */
export async function readPages<T extends Page>(test: TestApp, wallet: TestPartner, url: string): Promise<[T, ...T[]]> {
  const pages: [T, ...T[]] = [await read<T>(test, wallet, url)]
  for (let last = pages[0]; last.has_more;) {
    last = await read<T>(test, wallet, `${url}&cursor=${last.next_cursor}`)
    pages.push(last)
  }
  return pages
}

async function readText(test: TestApp, wallet: TestPartner, url: string): Promise<string> {
  const reply = await get(test, wallet, url)
  if (reply.statusCode !== 200) throw new Error(`${url} answered ${reply.statusCode}: ${reply.body}`)
  return reply.body
}

/** The months up to now. */
export function monthsOf({ test, since }: Look): Month[] {
  const months = [since]
  const now = londonMonth(test.clock.now())
  while (months.at(-1)! < now) months.push(nextMonth(months.at(-1)!))
  return months
}
