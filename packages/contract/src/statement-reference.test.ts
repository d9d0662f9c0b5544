import { randomInt } from 'node:crypto'

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { statementReference } from './statement-reference.ts'

const SEED = Number.parseInt(process.env['SEED'] ?? '', 10) || randomInt(2 ** 31)
process.stdout.write(`statement-reference.test.ts seed=${SEED}\n`)

/** What Faster Payments carries. */
const CARRIED = new Set(
  'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-?:().,\'+ #=!"%&*<>;{@'.split(''),
)

describe('a reference on the recipient’s statement', () => {
  it.each([
    { reference: 'Invoice 1042', shown: 'Invoice 1042', why: 'what can be carried is carried as it is' },
    { reference: '123456789012345678', shown: '123456789012345678', why: '18 characters fit' },
    { reference: '1234567890123456789', shown: '123456789012345678', why: 'the 19th does not' },
    { reference: 'Rechnung Nummer 17 für', shown: 'Rechnung Nummer 17', why: 'no space is left at the cut' },
    { reference: '12345678901234567 9', shown: '12345678901234567', why: 'nor a half one' },
    { reference: 'Café Zoë Ångström', shown: 'Cafe Zoe Angstrom', why: 'accents are dropped, letters stay' },
    { reference: 'ﬁne №5', shown: 'fine No5', why: 'ligatures and signs become letters' },
    { reference: 'a_b|c~d', shown: 'a b c d', why: 'what is not carried becomes a space' },
    { reference: '  many   spaces  ', shown: 'many spaces', why: 'one space is enough' },
    { reference: 'pay 🦅🦅 now', shown: 'pay now', why: 'pictures are not carried' },
    { reference: 'tab\tand line', shown: 'tab and line', why: 'a tab is a space' },
    { reference: `it's (5%) "ok" <a@b>;`, shown: `it's (5%) "ok" <a@`, why: 'the small set has these' },
  ])('of $reference is $shown: $why', ({ reference, shown }) => {
    expect(statementReference(reference)).toBe(shown)
  })

  it.each([
    { reference: null, why: 'there is none' },
    { reference: '', why: 'it is empty' },
    { reference: '   ', why: 'it is space' },
    { reference: '支払い', why: 'nothing of it can be carried' },
    { reference: '🦅', why: 'a picture alone' },
  ])('is left out when $why', ({ reference }) => {
    expect(statementReference(reference)).toBeNull()
  })

  it('always fits, whatever the reference is, and is not folded any further', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.oneof(fc.string({ unit: 'binary' }), fc.string()), maxLength: 60 }), (text) => {
        const shown = statementReference(text)
        if (shown === null) return
        expect(shown.length).toBeGreaterThanOrEqual(1)
        expect(shown.length).toBeLessThanOrEqual(18)
        expect([...shown].filter((character) => !CARRIED.has(character))).toEqual([])
        expect(shown).toBe(shown.trim())
        expect(shown).not.toContain('  ')
        expect(statementReference(shown)).toBe(shown)
      }),
      { numRuns: 1_000, seed: SEED },
    )
  })
})
