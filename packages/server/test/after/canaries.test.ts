// Runs after every other test has logged, at the level trace, whatever it had to log.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { CANARY, CANARY_SHAPES } from '../support/canaries.ts'
import { BODIES, LOG_DIR } from '../support/log-dir.ts'

/** Among some hundred thousand random ids there is every number of six digits sooner or later. */
const IDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

const withoutIds = (text: string): string => text.replaceAll(IDS, '')

const holding = (value: string, lines: readonly string[]): string[] =>
  lines.filter((line) => line.includes(value) && withoutIds(line).includes(value))

describe('an id', () => {
  const line = '{"requestId":"e423acc0-9038-421a-be48-acb411224856","msg":"bank request"}'

  it('that has the digits of a canary by chance is none', () => {
    expect(holding(CANARY.sortCode, [line])).toEqual([])
  })

  it('hides no canary beside it', () => {
    const leak = line.replace('bank', CANARY.sortCode)
    expect(holding(CANARY.sortCode, [line, leak])).toEqual([leak])
  })
})

describe('everything that the suite logged', () => {
  const logs = readdirSync(LOG_DIR)
    .filter((name) => !name.startsWith(BODIES))
    .map((name) => readFileSync(join(LOG_DIR, name), 'utf8'))
  const lines = logs.join('').split('\n')

  it('is there to be looked at, with payouts of canaries among it', () => {
    expect(lines.filter((line) => line.includes('"route":"/v1/payouts"')).length).toBeGreaterThan(50)
  })

  it.each(Object.entries(CANARY))('never shows the canary %s', (_name, value) => {
    expect(holding(value, lines)).toEqual([])
  })

  it.each(Object.entries(CANARY_SHAPES))('never shows %s', (_name, shape) => {
    expect(lines.filter((line) => shape.test(line))).toEqual([])
  })

  it('is made of one JSON object a line, with known fields only', () => {
    const known = new Set(
      [
        'level time msg requestId traceId method route status ms partnerId keyId code err url dropped notes',
        'problem alarm environment payoutId depositRef count sessionId job mailId kind why',
        'transferRef reserved taken asked pays bankState category objectRef holderRef invoiceId number attempts amount',
        'undoneBefore usdc slug network missing sent cameBack named says sameTransactionAs undoneAt added source endpointId',
      ]
        .join(' ')
        .split(' '),
    )
    const fields = new Set(
      lines.filter((line) => line !== '').flatMap((line) => Object.keys(JSON.parse(line) as object)),
    )
    expect([...fields].filter((field) => !known.has(field))).toEqual([])
  })
})

describe('everything that was kept of the suite’s requests and answers', () => {
  const files = readdirSync(LOG_DIR).filter((name) => name.startsWith(BODIES))
  const rows = files.flatMap((name) => readFileSync(join(LOG_DIR, name), 'utf8').split('\n'))

  it('is there to be looked at, with payouts of canaries among it', () => {
    expect(rows.filter((row) => row.includes('first_name')).length).toBeGreaterThan(50)
  })

  it.each(Object.entries(CANARY))('never shows the canary %s', (_name, value) => {
    expect(holding(value, rows)).toEqual([])
  })

  it.each([...Object.entries(CANARY_SHAPES), ['a webhook secret', /whsec_[A-Za-z0-9+/=]{8,}/] as const])(
    'never shows %s',
    (_name, shape) => {
      expect(rows.filter((row) => shape.test(row))).toEqual([])
    },
  )
})
