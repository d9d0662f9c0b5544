// Columns of batches as we write them, and as the driver does: PostgreSQL reads the same from both.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { arrayBytes } from '../../src/storage/array-bytes.ts'
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

/** Some of them follow each other, as in a batch. */
const batchOf = (value: fc.Arbitrary<unknown>) =>
  fc
    .array(fc.tuple(orNull(value), fc.integer({ min: 1, max: 3 })), { maxLength: 20 })
    .map((runs) => runs.flatMap(([each, times]) => Array.from({ length: times }, () => each)))

async function isAsTheDriver(
  write: (values: readonly unknown[], type: string) => unknown,
  { type, runs, column }: { type: string; runs: number; column: fc.Arbitrary<unknown> },
): Promise<true> {
  await fc.assert(
    fc.asyncProperty(batchOf(column), async (values) => {
      const written = write(values, type)
      expect(written).not.toBeNull()
      const [read] = await owner.query<{ same: boolean; length: number }>(
        `select $1::${type}[] is not distinct from $2::${type}[] as same, cardinality($1::${type}[]) as length`,
        [written, values],
      )
      expect(read).toEqual({ same: true, length: values.length })
    }),
    { numRuns: runs },
  )
  return true
}

describe('a column of a batch, in PostgreSQL’s own form', () => {
  // What has more microseconds than a number counts goes as text.
  const soon = fc.date({ min: new Date('1715-01-01'), max: new Date('2284-01-01'), noInvalidDate: true })
  const own = Object.keys(COLUMNS).filter((type) => type !== 'environment')

  it.each(own)('of %s is read as the driver’s would be', async (type) => {
    const column = type === 'timestamptz' ? soon : COLUMNS[type]!
    await expect(isAsTheDriver(arrayBytes, { type, runs: 60, column })).resolves.toBe(true)
  })

  it.each([
    ['uuid', '0190A1B2-c3d4-7e5f-8a9b-0c1d2e3f4a5b'],
    ['text', 'é'.repeat(40)],
    ['text', `${'x'.repeat(63)}🐦`],
    ['text', 'y'.repeat(200_000)],
    ['bytea', Buffer.alloc(200_000, 7)],
    ['bytea', Buffer.alloc(0)],
    ['bigint', -1n],
    ['bigint', 2n ** 53n],
    ['bigint', -(2n ** 63n)],
    ['bigint', -4_294_967_297],
    ['int', -(2 ** 31)],
    ['timestamptz', new Date('1999-12-31T23:59:59.999Z')],
    ['timestamptz', new Date('2000-01-01T00:00:00.001Z')],
  ])('of %s has its odd ones right: case %#', async (type, value) => {
    const [read] = await owner.query<{ same: boolean }>(
      `select $1::${type}[] is not distinct from $2::${type}[] as same`,
      [arrayBytes([value, null, value, value], type), [value, null, value, value]],
    )
    expect(read).toEqual({ same: true })
  })

  it('keeps what it wrote when the next is written', () => {
    const first = arrayBytes(['one'], 'text')!
    const copy = Buffer.from(first)
    arrayBytes(['two'], 'text')
    expect(first).toEqual(copy)
  })

  it.each([
    ['uuid', '0190a1b2c3d47e5f8a9b0c1d2e3f4a5b'],
    ['uuid', '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5g'],
    ['uuid', '0190a1b2+c3d4-7e5f-8a9b-0c1d2e3f4a5b'],
    ['uuid', '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4aé5'],
    ['text', 7],
    ['text', ['a']],
    ['bytea', 'a'],
    ['int', 2 ** 31],
    ['int', 1.5],
    ['int', '1'],
    ['bigint', 2n ** 63n],
    ['bigint', 1.5],
    ['boolean', 'true'],
    ['timestamptz', new Date(Number.NaN)],
    ['timestamptz', new Date('9999-12-31T00:00:00Z')],
    ['timestamptz', '2026-11-18'],
    ['jsonb', { a: 1 }],
    ['date', '2026-11-18'],
    ['environment', 'sandbox'],
  ])('of %s is left to its text with %o in it', (type, value) => {
    expect(arrayBytes([null, value], type)).toBeNull()
  })
})

describe('a column of a batch, as text', () => {
  it.each(Object.keys(COLUMNS))('of %s is read as the driver’s would be', async (type) => {
    await expect(isAsTheDriver(arrayLiteral, { type, runs: 60, column: COLUMNS[type]! })).resolves.toBe(true)
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
