// Tables as a spreadsheet reads them: headings, one line per row, and nothing that it would take for a formula.
import { Readable } from 'node:stream'

import { stringify } from 'csv-stringify/sync'
import type { FastifyReply } from 'fastify'

import { monotonicMs, sleep } from '../../core/clock.ts'

export type CsvColumns<T> = readonly (readonly [heading: string, value: (item: T) => string])[]

/** Chunks of text, the headings first. A chunk is made when it is needed. */
export async function* csvOf<T>(
  columns: CsvColumns<T>,
  pages: AsyncIterable<readonly T[]> | Iterable<readonly T[]>,
): AsyncGenerator<string> {
  // Spreadsheets recognise UTF-8 by this mark in front.
  yield `\uFEFF${lines([columns.map(([heading]) => heading)])}`
  let beganAt = monotonicMs()
  for await (const page of pages) {
    const text = lines(page.map((item) => columns.map(([, value]) => value(item))))
    const tookMs = monotonicMs() - beganAt
    // Also of a page that has nothing: an export ends here when the caller has gone.
    yield text
    // Others have the event loop for as long as an export has had it, however large it is and however slow the machine.
    await sleep(tookMs)
    beganAt = monotonicMs()
  }
}

function lines(rows: readonly (readonly string[])[]): string {
  return stringify(
    rows.map((row) => [...row]),
    // A text that begins like a formula gets an apostrophe in front, which spreadsheets do not show.
    { escape_formulas: true, quoted_string: true, record_delimiter: 'windows' },
  )
}

export function sendCsv(reply: FastifyReply, fileName: string, chunks: AsyncIterable<string>): FastifyReply {
  reply.headers({
    'Content-Type': 'text/csv; charset=utf-8; header=present',
    'Content-Disposition': `attachment; filename="${fileName}"`,
  })
  return reply.send(Readable.from(chunks, { objectMode: false }))
}
