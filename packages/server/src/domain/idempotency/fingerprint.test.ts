import { randomBytes, randomInt } from 'node:crypto'

import type { CreatePayoutRequest } from '@kestrel/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { parsePence } from '../../core/money.ts'
import { payoutRequest, requestFingerprint } from '../payouts/request/payout-request.ts'
import { type Canonical, canonicalText, differingFields, fingerprintOf } from './fingerprint.ts'

const SEED = Number.parseInt(process.env['SEED'] ?? '', 10) || randomInt(2 ** 31)
process.stdout.write(`fingerprint.test.ts seed=${SEED}\n`)

const KEY = randomBytes(32)
const SECRETS = { sealKey: randomBytes(32), fingerprintKey: KEY }

/** Every leaf that a request can have, each with a value that is not its default. */
const FULL = {
  amount_gbp: '25.00',
  country: 'GB',
  reference: 'Invoice 1042',
  recipient: {
    type: 'business',
    first_name: 'Amara',
    last_name: 'Okafor',
    email: 'amara@example.test',
    address: { line1: '1 High Street', line2: 'Flat 2', city: 'Leeds', postal_code: 'LS1 4AP', region: 'Yorkshire' },
    bank: { bank_name: 'Monzo', sort_code: '040004', account_number: '12345678' },
  },
} as const satisfies CreatePayoutRequest

const LEAVES = [
  'amount_gbp',
  'country',
  'reference',
  'recipient.type',
  'recipient.first_name',
  'recipient.last_name',
  'recipient.email',
  'recipient.address.line1',
  'recipient.address.line2',
  'recipient.address.city',
  'recipient.address.postal_code',
  'recipient.address.region',
  'recipient.bank.bank_name',
  'recipient.bank.sort_code',
  'recipient.bank.account_number',
] as const

const OPTIONAL = [
  'reference',
  'recipient.type',
  'recipient.email',
  'recipient.address.line2',
  'recipient.address.region',
]

type Body = { [name: string]: string | Body }

/** The body with one leaf set, or taken away. */
function changed(leaf: string, value: string | undefined, body: Body = structuredClone(FULL)): Body {
  const path = leaf.split('.')
  const parent = path.slice(0, -1).reduce((at, name) => at[name] as Body, body)
  if (value === undefined) delete parent[path.at(-1)!]
  else parent[path.at(-1)!] = value
  return body
}

const hash = (body: Canonical) => fingerprintOf(KEY, 'payouts.v1', body).toString('hex')

/** As POST /v1/payouts compares it: with the defaults of the specification filled in. */
function requestHash(body: unknown): string {
  const request = payoutRequest(body as CreatePayoutRequest)
  return requestFingerprint(SECRETS, request, parsePence(request.amountGbp)!).toString('hex')
}

/** JSON leaf by leaf, with names in their order. */
function leafByLeaf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(leafByLeaf).join(',')}]`
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  const inOrder = members.toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `{${inOrder.map(([name, member]) => `${JSON.stringify(name)}:${leafByLeaf(member)}`).join(',')}}`
}

describe('canonical text', () => {
  const name = fc.oneof(
    fc.string(),
    fc.constantFrom('a', 'b', 'z', '0', '7', '10', '__proto__', 'constructor', 'toJSON', 'Z', ''),
  )
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.string({ unit: 'binary' }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 5 }),
      fc.dictionary(name, fc.option(tie('value'), { nil: undefined }), { maxKeys: 8, noNullPrototype: true }),
    ),
  }))

  it('is JSON with the names of all objects in their order, whatever they are', () => {
    fc.assert(
      fc.property(value, (body) => {
        expect(canonicalText(body as Canonical)).toBe(leafByLeaf(body))
      }),
      { seed: SEED, numRuns: 1_000 },
    )
  })
})

describe('the fingerprint of a request', () => {
  it('looks at every leaf there is', () => {
    expect(differingFields({}, FULL)).toEqual([...LEAVES].toSorted())
  })

  it.each(LEAVES)('changes when %s does', (leaf) => {
    const other = changed(leaf, leaf === 'amount_gbp' ? '25.01' : 'another')
    expect(hash(other)).not.toBe(hash(FULL))
    expect(requestHash(other)).not.toBe(requestHash(FULL))
  })

  it.each(OPTIONAL)('changes when %s is left out', (leaf) => {
    const other = changed(leaf, undefined)
    expect(hash(other)).not.toBe(hash(FULL))
    expect(requestHash(other)).not.toBe(requestHash(FULL))
  })

  it.each(LEAVES)('changes when any character is added to %s, and only that leaf is named', (leaf) => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }), fc.boolean(), (added, isBefore) => {
        const path = leaf.split('.')
        const value = path.reduce<unknown>((at, name) => (at as Body)[name], FULL) as string
        const other = changed(leaf, isBefore ? added + value : value + added)
        expect(hash(other)).not.toBe(hash(FULL))
        expect(differingFields(FULL, other)).toEqual([leaf])
        expect(differingFields(other, FULL)).toEqual([leaf])
      }),
      { numRuns: 50, seed: SEED },
    )
  })

  it('changes when two leaves swap their values', () => {
    const swapped = changed('recipient.last_name', 'Amara', changed('recipient.first_name', 'Okafor'))
    expect(requestHash(swapped)).not.toBe(requestHash(FULL))
    expect(differingFields(FULL, swapped)).toEqual(['recipient.first_name', 'recipient.last_name'])
  })

  it('does not change when the text is written in another order, with other space and other escapes', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat({ max: 2 ** 30 })), (stream) => {
        const draw = (limit: number) => (stream.next().value as number) % limit
        const space = () => ' \n\t\r'.slice(0, draw(5))
        const escaped = (text: string) =>
          [...text].map((c) => (draw(2) === 0 ? JSON.stringify(c).slice(1, -1) : escapeUnits(c))).join('')
        const write = (value: unknown): string => {
          if (typeof value === 'string') return `${space()}"${escaped(value)}"${space()}`
          const members = Object.entries(value as object)
          const shuffled = members
            .map((member) => ({ member, order: draw(2 ** 30) }))
            .toSorted((a, b) => a.order - b.order)
            .map(({ member: [name, own] }) => `${space()}"${escaped(name)}"${space()}:${write(own)}`)
          return `${space()}{${shuffled.join(',')}}${space()}`
        }
        const text = write(FULL)
        const body = JSON.parse(text) as Body
        expect(hash(body)).toBe(hash(FULL))
        expect(requestHash(body)).toBe(requestHash(FULL))
        expect(differingFields(FULL, body)).toEqual([])
      }),
      { numRuns: 500, seed: SEED },
    )
  })

  it.each([
    { name: 'country', with: changed('country', 'GB'), without: changed('country', undefined) },
    {
      name: 'recipient.type',
      with: changed('recipient.type', 'individual'),
      without: changed('recipient.type', undefined),
    },
    {
      name: 'recipient.address.region, for which the town is used',
      with: changed('recipient.address.region', 'Leeds'),
      without: changed('recipient.address.region', undefined),
    },
    { name: 'amount_gbp, in another spelling', with: changed('amount_gbp', '025.00'), without: structuredClone(FULL) },
    {
      name: 'confirm_code, which is a proof and no part of the payout',
      with: { ...structuredClone(FULL), confirm_code: '123456' },
      without: structuredClone(FULL),
    },
  ])('does not change by writing out the default of $name', (bodies) => {
    expect(requestHash(bodies.with)).toBe(requestHash(bodies.without))
  })

  it('is another under another key, and for another purpose', () => {
    expect(fingerprintOf(KEY, 'payouts.v1', FULL)).toHaveLength(32)
    expect(fingerprintOf(randomBytes(32), 'payouts.v1', FULL).toString('hex')).not.toBe(hash(FULL))
    expect(fingerprintOf(KEY, 'payouts.v2', FULL).toString('hex')).not.toBe(hash(FULL))
  })
})

describe('canonical text', () => {
  it('sorts the names at every depth and leaves out what is undefined', () => {
    const value = { b: [3, { z: null, y: true }], a: { d: 'x', c: undefined } }
    expect(canonicalText(value)).toBe('{"a":{"d":"x"},"b":[3,{"y":true,"z":null}]}')
  })

  it('says the same as JSON: reading it gives the value back, whatever it is', () => {
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(fc.string({ unit: 'grapheme' }), tie('tree'), { maxKeys: 4, noNullPrototype: true }),
      ),
    }))
    fc.assert(
      fc.property(tree, (value) => {
        expect(JSON.parse(canonicalText(value as Canonical))).toEqual(value)
      }),
      { numRuns: 500, seed: SEED },
    )
  })

  it('tells apart what looks alike', () => {
    const values: Canonical[] = ['1', 1, '', null, {}, [], [''], { '': '' }, [['a'], 'b'], ['a', ['b']], 'null', true]
    expect(new Set(values.map(canonicalText)).size).toBe(values.length)
  })
})

describe('the fields that differ', () => {
  it('are named, all of them, in order, and never their values', () => {
    const other = changed('reference', undefined, changed('recipient.bank.account_number', '87654321'))
    expect(differingFields(FULL, other)).toEqual(['recipient.bank.account_number', 'reference'])
    expect(differingFields(FULL, other).join()).not.toMatch(/12345678|87654321|Invoice/)
  })
})

function escapeUnits(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}
