// What `npm run bench -- …` is asked for. Whatever is wrong is said before anything is started.
import { parseArgs } from 'node:util'

import { ROWS } from './rows.mjs'

const OPTIONS = {
  help: { type: 'boolean', default: false },
  row: { type: 'string' },
  rounds: { type: 'string' },
  quick: { type: 'boolean', default: false },
  profile: { type: 'string' },
  json: { type: 'boolean', default: false },
  'fill-count': { type: 'string' },
  'memory-count': { type: 'string' },
}

export const USAGE = `npm run bench -- [options]

  --row P1,P8           only these rows; all of them otherwise
  --rounds 5            how often each side is measured
  --quick               one short round: about a minute
  --json                figures as JSON on standard output; progress goes to standard error
  --profile FOLDER      CPU profiles of the service's processes
  --fill-count 1000000  payouts of P11 and P12; ten million take 25 GB and the better part of an hour
  --memory-count 60000  payouts of P18b; a million says more

Rows:
${Object.entries(ROWS)
  .map(([id, { what }]) => `  ${id.padEnd(5)} ${what}`)
  .join('\n')}
`

/** Throws an Error whose message is for whoever asked. */
export function readOptions(args) {
  const { values } = parsed(args)
  const { help, quick, json, profile = null } = values
  return {
    isHelp: help,
    isQuick: quick,
    isJson: json,
    profile,
    ids: rowsAskedFor(values.row),
    rounds: countIn(values, 'rounds', quick ? 1 : 5),
    // A size that fits any disk.
    fillCount: countIn(values, 'fill-count', quick ? 50_000 : 1_000_000),
    memoryCount: countIn(values, 'memory-count', quick ? 2_400 : 60_000),
  }
}

function parsed(args) {
  try {
    return parseArgs({ args, options: OPTIONS })
  } catch (error) {
    throw new Error(`${error.message}\nnpm run bench -- --help lists the options.`, { cause: error })
  }
}

function countIn(values, name, otherwise) {
  const text = values[name]
  if (text === undefined) return otherwise
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${name} is a whole number from 1, and not ${text}.`)
  return Number(text)
}

function rowsAskedFor(text) {
  const ids = text === undefined ? Object.keys(ROWS) : text.split(',')
  const unknown = ids.filter((id) => !(id in ROWS))
  if (unknown.length > 0)
    throw new Error(`No such row: ${unknown.join(', ')}. There are ${Object.keys(ROWS).join(', ')}.`)
  return ids
}
