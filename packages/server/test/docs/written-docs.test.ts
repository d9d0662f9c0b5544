// The documents under docs/ that are written from the program are up to date.
import { ERROR_CODES, PAYOUT_STATUSES } from '@kestrel/contract'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { PAYOUT_MOVES, mayMove } from '../../src/domain/payouts/states.ts'
import { introduction } from '../../src/http/docs/introduction.ts'
import { writtenDocs } from '../../src/http/written-docs.ts'
import { writtenPromises } from '../prove/written-promises.ts'
import { SANDBOX_STORIES } from '@kestrel/bank/outcomes'

const ROOT = join(import.meta.dirname, '../../../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const docs = { ...(await writtenDocs(read)), ...writtenPromises(read) }
const states = docs['docs/payout-states.md'] ?? ''

it.each(Object.entries(docs))('%s is up to date; node scripts/write-docs.mjs writes it', (path, text) => {
  expect(read(path)).toBe(text)
})

it.each(ERROR_CODES)('docs/errors.md has a section for %s', (code) => {
  expect(docs['docs/errors.md']?.split('\n')).toContain(`## ${code}`)
})

describe('docs/payout-states.md', () => {
  it('draws every move that a payout can make, and no other', () => {
    const drawn = [...states.matchAll(/^ {2}(\w+) --> (\w+)$/gm)].map((match) => `${match[1]} ${match[2]}`)
    const possible = PAYOUT_STATUSES.flatMap((from) =>
      PAYOUT_STATUSES.filter((to) => mayMove(from, to)).map((to) => `${from} ${to}`),
    )
    expect(drawn.toSorted()).toEqual(possible.toSorted())
    expect(Object.keys(PAYOUT_MOVES)).toEqual([...PAYOUT_STATUSES])
  })

  it.each(SANDBOX_STORIES)('says what sandbox:%s does, as the introduction of the API does', (story) => {
    expect(states).toContain(`\`sandbox:${story}\``)
    expect(introduction('http://localhost:3000')).toContain(`\`sandbox:${story}\``)
  })
})
