import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { Mask } from './mask.ts'
import { maskedText } from './masked-text.ts'

const ASKED = {
  reference: 'Rent for 12B',
  recipient: { first_name: 'Zephyrine', bank: { account_number: '98765432' } },
}

function maskOfRequest(): Mask {
  const mask = new Mask()
  mask.value(ASKED)
  return mask
}

const viaObjects = (answer: unknown) => JSON.stringify(maskOfRequest().answer(answer))
const viaText = (answer: unknown) => maskOfRequest().answerText(JSON.stringify(answer))

/** Names of every kind, and those that the API does not have. */
const NAMES =
  'id status amount_gbp created_at limit idempotency_key next_cursor message reference account_name secret recipient data warnings'
const name = fc.constantFrom(...NAMES.split(' '), 'Quill', '7', '__proto__', '')
const text = fc.oneof(
  fc.string({ maxLength: 80 }),
  fc.constantFrom('processing', '25.00', '98765432', 'For Zephyrine at 98765432', 'Rent for 12B', 'sandbox:return'),
  fc.constantFrom(
    'GB29NWBK60161331926819',
    '2026-11-17T17:49:44.588Z',
    '01a1eaa1-0904-75bd-aaee-d5ab0bf1c1d6',
    'Zoë 🦅',
  ),
)
const { value: anyAnswer } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(name, tie('value'), { maxKeys: 8, noNullPrototype: true }),
  ),
}))

describe('an answer that is masked from its text', () => {
  it('is the one that is masked as an object, to the letter', () => {
    fc.assert(
      fc.property(anyAnswer, (answer) => {
        expect(viaText(answer)).toBe(viaObjects(answer))
      }),
      { numRuns: 1_000 },
    )
  })

  const KNOWN = {
    id: '01a1eaa1-0904-75bd-aaee-d5ab0bf1c1d6',
    status: 'processing',
    recipient: { name: 'Zephyrine Quill', account_last4: '5432' },
    quote: { exchange_rate: { gbp_per_usd: 0.79 }, fee_gbp: '1.24', count: 98_765_432 },
    cancelable: false,
    failure_reason: null,
    secret: 'whsec_0a1b2c',
    warnings: [{ message: 'Zephyrine was not paid before, nor was 98765432.' }, {}],
    data: [],
  }

  it('is never made into objects when all of its fields are known', () => {
    expect(maskedText(JSON.stringify(KNOWN), maskOfRequest())).not.toBeNull()
    expect(viaText(KNOWN)).toBe(viaObjects(KNOWN))
    expect(viaText(KNOWN)).not.toMatch(/Zephyrine|Quill|5432|whsec/)
  })

  it.each([
    ['white space', JSON.stringify(KNOWN, null, 1)],
    ['an escape', '{"name":"Zephyrine\\u0020Quill"}'],
    ['an unknown field', '{"Zephyrine":"Quill"}'],
    ['a number that is written in another way', '{"count":1.50}'],
    ['a secret of many parts', '{"secret":["a","b"]}'],
    ['the half of it', JSON.stringify(KNOWN).slice(0, 150)],
    ['something behind it', `${JSON.stringify(KNOWN)}{}`],
    ['nothing', ''],
  ])('is left to objects when it has %s', (_what, written) => {
    expect(maskedText(written, maskOfRequest())).toBeNull()
  })
})
