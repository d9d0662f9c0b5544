/** A line of a CSV table, by the headings. */
export type CsvRecord = Readonly<Record<string, string>>

const CELL = /"((?:[^"]|"")*)"(,|\r\n)/gy
/** Spreadsheets recognise UTF-8 by it. */
const MARK = '\uFEFF'

/** The lines below the headings. Reads what RFC 4180 says, with every cell in quotes, and refuses anything else. */
export function csvRecords(body: string): CsvRecord[] {
  if (!body.startsWith(MARK)) throw new Error('The table does not begin with the mark of UTF-8.')
  const [headings = [], ...lines] = cellsOf(body.slice(MARK.length))
  return lines.map((line) => {
    if (line.length !== headings.length) throw new Error(`Not as wide as the headings: ${line.join(' | ')}`)
    return Object.fromEntries(headings.map((heading, index) => [heading, line[index]!]))
  })
}

function cellsOf(text: string): string[][] {
  const lines: string[][] = []
  let line: string[] = []
  let read = 0
  for (const [whole, quoted = '', separator] of text.matchAll(CELL)) {
    read += whole.length
    line.push(quoted.replaceAll('""', '"'))
    if (separator === ',') continue
    lines.push(line)
    line = []
  }
  if (read !== text.length || line.length > 0) throw new Error(`No table from here on: ${text.slice(read, read + 80)}`)
  return lines
}
