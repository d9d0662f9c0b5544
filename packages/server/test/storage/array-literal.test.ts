// Columns of batches as we write them, and as the driver does: PostgreSQL reads the same from both.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { arrayLiteral } from '../../src/storage/array-literal.ts'
import { type TestDatabase, cloneDatabase } from '../support/database.ts'
import { type Owner, ownerOf } from './owner.ts'

let database: TestDatabase
let owner: Owner
beforeAll(async () => {
  database = await cloneDatabase()
  owner = await ownerOf(database.url)
})
afterAll(async () => {
  await owner.end()
  await database.drop()
})

const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 4 })
const hostile = fc.constantFrom(
  '',
  'NULL',
  'null',
  '{}',
  '{a,b}',
  '"',
  '\\',
  '\\"',
  ' a ',
  'a,b',
  '\n',
  '\\x00',
  '🐦',
  "'",
)
const text = fc.oneof(
  hostile,
  fc.string({ unit: 'binary' }).map((each) => each.replaceAll('\0', '').toWellFormed()),
)
const moment = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59Z'),
  noInvalidDate: true,
})

const COLUMNS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  text,
  uuid: fc.uuid(),
  int: fc.integer(),
  bigint: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  boolean: fc.boolean(),
  bytea: fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  timestamptz: moment,
  environment: fc.constantFrom('sandbox', 'live'),
}

describe('a column of a batch', () => {
  it.each(Object.keys(COLUMNS))('of %s is read as the driver’s would be', async (type) => {
    await fc.assert(
      fc.asyncProperty(fc.array(orNull(COLUMNS[type]!), { maxLength: 20 }), async (values) => {
        const [read] = await owner.query<{ same: boolean; length: number }>(
          `select $1::${type}[] is not distinct from $2::${type}[] as same, cardinality($1::${type}[]) as length`,
          [arrayLiteral(values, type), values],
        )
        expect(read).toEqual({ same: true, length: values.length })
      }),
      { numRuns: 60 },
    )
  })

  it('of texts comes back as it was, whatever is in them', async () => {
    const given = ['', 'NULL', null, '{"a"}', 'back\\slash', '"', ' spaces ', 'comma,', '🐦\n']
    const [read] = await owner.query<{ texts: unknown }>('select $1::text[] as texts', [arrayLiteral(given, 'text')])
    expect(read!.texts).toEqual(given)
  })

  it('is left to the driver where its years, or what is in it, are written in another way', () => {
    expect(arrayLiteral([new Date('+012026-01-01T00:00:00Z')], 'timestamptz')).toBeNull()
    expect(arrayLiteral([new Date(Number.NaN)], 'timestamptz')).toBeNull()
    expect(arrayLiteral([['a']], 'text')).toBeNull()
    expect(arrayLiteral([{ a: 1 }], 'jsonb')).toBeNull()
  })
})
