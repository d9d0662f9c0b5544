// The rows of one of the bank's lists, each read by itself: an unreadable row is named, and holds up no other.
import { sha256 } from '../../core/ids.ts'
import { RailUnavailable, UnreadableAnswer } from '../port.ts'
import { type Json, asObject, isJson, optionalText, wholeAnswer } from './json-words.ts'
import type { ProviderClient } from './provider-client.ts'

export interface UnreadRow {
  /** The row's id. A row without one gets a substitute that is the same at the next read. */
  readonly ref: string
  readonly row: Json
  readonly why: string
}

/** The most rows that the bank gives out at once. */
export const PAGE_SIZE = 100
/** A page that is too large is asked for in so many: a hundred rows, ten, one. */
const SMALLER = 10

export interface RowsPage {
  readonly rows: readonly unknown[]
  /** Where the next page begins; null after the last. */
  readonly next: string | null
}

interface AskedRows {
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly cursor: string | null
}

/** Asks for one page of a list that is of no use unless it can be read to its end. */
export async function askForRows(client: ProviderClient, asked: AskedRows): Promise<RowsPage> {
  const { rows, next, why } = await askForPage(client, asked, 1)
  if (why !== null) throw new UnreadableAnswer(why)
  return { rows, next }
}

/**
 * Asks for one page. While the answer is too large to be read, asks for a smaller page, down to the smallest. `why` says
 * what keeps the list from being read on; null: nothing does.
 */
export async function askForPage(
  client: ProviderClient,
  asked: AskedRows,
  smallest: number,
  size = PAGE_SIZE,
): Promise<RowsPage & { readonly why: string | null }> {
  const query = new URLSearchParams({ limit: String(size), ...asked.query })
  if (asked.cursor !== null) query.set('starting_after', asked.cursor)
  const reply = await client.call({ method: 'GET', path: `${asked.path}?${query.toString()}`, isList: true })
  if (reply.kind === 'unknown' && reply.isTooLarge === true) {
    if (size > smallest) return askForPage(client, asked, smallest, size / SMALLER)
    return { rows: [], next: null, why: 'The bank’s list has a row that is too large to be read.' }
  }
  if (reply.kind !== 'answered') throw new RailUnavailable('The bank’s list could not be read.')
  // Nobody says in public whether a cursor goes with a time. Where it does not, smaller windows of time need none.
  const isRefused = reply.status === 400 && asked.cursor !== null && 'updated_after_ms' in asked.query
  if (isRefused) return { rows: [], next: null, why: 'The bank’s list takes no cursor together with a time.' }
  if (reply.status !== 200) throw new RailUnavailable('The bank’s list could not be read.', reply)
  const rows = rowsOf(reply.body)
  if (rows.length < size && !saysMore(reply.body)) return { rows, next: null, why: null }
  if (rows.length === 0) throw new UnreadableAnswer('The bank’s list has an empty page that is not its last.')
  const next = lastId(rows)
  return { rows, next, why: next === null ? 'The bank’s list has no row with an id to go on from.' : null }
}

/** A short page is the last one unless the bank says that there is more. */
function saysMore(body: unknown): boolean {
  return wholeAnswer(body)['has_more'] === true
}

export function rowsOf(body: unknown): readonly unknown[] {
  const { data } = wholeAnswer(body)
  if (!Array.isArray(data)) throw new RailUnavailable('The bank’s list has no data.')
  return data
}

/** The next page begins after the last row that has an id. */
function lastId(rows: readonly unknown[]): string | null {
  return rows.map((row) => idIn(row, 'id')).findLast((each) => each !== null) ?? null
}

/** `idFields` are the fields that may hold a row's id, the best first. */
export function readEach<T>(
  rows: readonly unknown[],
  idFields: readonly string[],
  read: (json: Json) => T,
): { read: T[]; unread: UnreadRow[] } {
  const found: { read: T[]; unread: UnreadRow[] } = { read: [], unread: [] }
  for (const row of rows) {
    try {
      found.read.push(read(asObject(row)))
    } catch (error) {
      // Reading has no other effects, so anything that goes wrong is the row's fault.
      const why = error instanceof Error ? error.message : String(error)
      found.unread.push({ ref: nameOf(row, idFields), row: isJson(row) ? row : {}, why })
    }
  }
  return found
}

function nameOf(row: unknown, idFields: readonly string[]): string {
  for (const field of idFields) {
    const id = idIn(row, field)
    if (id !== null) return id
  }
  return `row ${sha256(spelledOut(row)).toString('hex').slice(0, 16)}`
}

export function idIn(row: unknown, field: string): string | null {
  try {
    return optionalText(asObject(row), field)
  } catch {
    return null
  }
}

function spelledOut(row: unknown): string {
  try {
    return JSON.stringify(row)
  } catch {
    return 'nested too deeply to be written'
  }
}
