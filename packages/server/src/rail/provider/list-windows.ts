// Reads a list past a place where it cannot go on: a page whose rows have no id to go on from, or a row that is too large.
// The same list is then asked for in windows of time, by when rows changed, smaller ones around the place and larger ones
// elsewhere, until what cannot be passed is about a second. That second is named like an unreadable row.
import { UnreadableAnswer } from '../port.ts'
import { PAGE_SIZE, type RowsPage, type UnreadRow, askForPage } from './list-rows.ts'
import type { ProviderClient } from './provider-client.ts'

/** About a second, an hour and 35 years, in powers of two, so that windows have the same bounds at every read. */
const [NARROWEST, FIRST, WIDEST] = [2 ** 10, 2 ** 22, 2 ** 40]

/** A list that cannot be passed in more places than these is given up: reading it second by second would never end. */
const MOST_MISSED = 10

/** Where a read is: rows that changed from a moment on, in a window or without an end, after the row with this id. */
interface Place {
  readonly from: number
  /** Null: without an end, as every read begins. */
  readonly width: number | null
  readonly id: string | null
  /** The windows before it that could not be read to their end. */
  readonly missed: number
}

export interface ChangesPage extends RowsPage {
  /** A window that could not be read to its end. */
  readonly unread: readonly UnreadRow[]
}

export async function askForChanges(
  client: ProviderClient,
  asked: { path: string; since: Date; cursor: string | null },
): Promise<ChangesPage> {
  const since = asked.since.getTime()
  const place = asked.cursor === null ? placeFrom(since) : placeIn(asked.cursor, since)
  // A window that can be made smaller is, before its pages are: an answer that is too large is the costliest.
  const smallest = place.width === null || place.width === NARROWEST ? 1 : PAGE_SIZE
  const query = { path: asked.path, query: boundsOf(place), cursor: place.id }
  const { rows, next, why } = await askForPage(client, query, smallest)
  const isMissed = why !== null && place.width === NARROWEST
  if (isMissed && place.missed === MOST_MISSED) throw new UnreadableAnswer(why)
  const isPassed = why === null || isMissed
  const on = next !== null ? { ...place, id: next } : isPassed ? placeBehind(place, isMissed) : smaller(place)
  return {
    rows,
    next: on === null ? null : written(on, since),
    unread: isMissed ? [{ ref: `changed-at-${secondOf(place)}`, row: {}, why }] : [],
  }
}

function placeFrom(since: number): Place {
  return { from: since, width: null, id: null, missed: 0 }
}

function smaller(place: Place): Place {
  return { ...place, width: place.width === null ? FIRST : place.width / 2, id: null }
}

/** Null after the place without an end. The next window is larger: nothing may be in the way any more. */
function placeBehind({ from, width, missed }: Place, isMissed: boolean): Place | null {
  if (width === null) return null
  const wider = width * 2 > WIDEST ? null : width * 2
  return { from: endOf(from, width) + 1, width: wider, id: null, missed: missed + (isMissed ? 1 : 0) }
}

/** A millisecond more on either side: whether the bank counts the bounds themselves is not known. */
function boundsOf({ from, width }: Place): Record<string, string> {
  if (width === null) return { updated_after_ms: String(from) }
  return { updated_after_ms: String(Math.max(0, from - 1)), updated_before_ms: String(endOf(from, width) + 1) }
}

/** The last moment of a window. Windows end at multiples of their width, wherever a read began. */
function endOf(from: number, width: number): number {
  return (Math.floor(from / width) + 1) * width - 1
}

function secondOf({ from }: Place): string {
  return new Date(Math.floor(from / NARROWEST) * NARROWEST).toISOString()
}

const WRITTEN = /^@(\d{1,15})\/(\d{0,15})\/(\d{1,3})\/([^]*)$/

/** As a cursor: the bank's own while a list is read as it is, or one that says the window too. */
function written({ from, width, id, missed }: Place, since: number): string {
  const isPlain = from === since && width === null && id !== null && !WRITTEN.test(id)
  return isPlain ? id : `@${from}/${width ?? ''}/${missed}/${id ?? ''}`
}

function placeIn(cursor: string, since: number): Place {
  const [, from, width, missed, id] = WRITTEN.exec(cursor) ?? []
  if (from === undefined) return { ...placeFrom(since), id: cursor }
  return {
    from: Number(from),
    width: width === '' ? null : Number(width),
    id: id === '' ? null : id!,
    missed: Number(missed),
  }
}
