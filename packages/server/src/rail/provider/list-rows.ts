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
const PAGE_SIZE = 100

export interface RowsPage {
  readonly rows: readonly unknown[]
  /** Where the next page begins; null after the last. */
  readonly next: string | null
}

/** Asks for one page. While the answer is too large to be read, asks for a smaller page, down to a single row. */
export async function askForRows(
  client: ProviderClient,
  asked: { path: string; query: Readonly<Record<string, string>>; cursor: string | null },
  size = PAGE_SIZE,
): Promise<RowsPage> {
  const query = new URLSearchParams({ limit: String(size), ...asked.query })
  if (asked.cursor !== null) query.set('starting_after', asked.cursor)
  const reply = await client.call({ method: 'GET', path: `${asked.path}?${query.toString()}`, isList: true })
  if (reply.kind === 'unknown' && reply.isTooLarge === true && size > 1) {
    return askForRows(client, asked, Math.floor(size / 2))
  }
  if (reply.kind !== 'answered') throw new RailUnavailable('The bank’s list could not be read.')
  if (reply.status !== 200) throw new RailUnavailable('The bank’s list could not be read.', reply)
  const rows = rowsOf(reply.body)
  return { rows, next: rows.length < size && !saysMore(reply.body) ? null : lastId(rows) }
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
function lastId(rows: readonly unknown[]): string {
  const id = rows.map((row) => idIn(row, 'id')).findLast((each) => each !== null)
  if (id == null) throw new UnreadableAnswer('The bank’s list has no row with an id.')
  return id
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
