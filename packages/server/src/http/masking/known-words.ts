// The words that the API itself has: statuses, codes, types, scopes. Somebody's name is none of them, wherever it is put.
import { ACTION_WORDS, FIELD_ERROR_CODES, PUBLISHED_SCHEMAS } from '@kestrel/contract'

const OF_QUERIES = ['2xx', '4xx', '5xx', 'api', 'dashboard', 'changes', 'log_reads', '*']
/** In `details.limit` and `details.reason`. */
const OF_REFUSALS = `key member business network max_per_payout_gbp daily_gbp monthly_gbp wrong used_up expired changed`
const COUNTRY = /^[A-Za-z]{2}$/

const WORDS = new Set([...OF_QUERIES, ...OF_REFUSALS.split(' '), ...FIELD_ERROR_CODES, ...Object.keys(ACTION_WORDS)])
for (const schema of PUBLISHED_SCHEMAS) collect(schema)

export const isKnownWord = (text: string): boolean => WORDS.has(text) || COUNTRY.test(text)

function collect(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return
  const { enum: words = [], const: word } = schema as { enum?: unknown; const?: unknown }
  for (const each of [words, word].flat()) if (typeof each === 'string') WORDS.add(each)
  for (const part of Object.values(schema)) collect(part)
}
