import { randomInt } from 'node:crypto'

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { SANDBOX_STORIES, storyOf } from './outcomes.ts'

const SEED = Number.parseInt(process.env['SEED'] ?? '', 10) || randomInt(2 ** 31)
process.stdout.write(`outcomes.test.ts seed=${SEED}\n`)

describe('the story of a sandbox payout', () => {
  it.each([
    { accountNumber: '12340000', reference: null, story: 'refuse', why: 'an account ending 0000 always fails' },
    { accountNumber: '00000000', reference: null, story: 'refuse', why: 'this one too' },
    { accountNumber: '12340000', reference: 'sandbox:hold', story: 'refuse', why: 'always: whatever the reference' },
    { accountNumber: '12345678', reference: null, story: 'settle', why: 'any other number settles' },
    { accountNumber: '00001234', reference: null, story: 'settle', why: 'only the end counts' },
    { accountNumber: '12345000', reference: null, story: 'settle', why: 'three zeros are not four' },
    { accountNumber: '12345678', reference: 'Invoice 1042', story: 'settle', why: 'a reference is a reference' },
    { accountNumber: '12345678', reference: 'sandbox:return', story: 'return', why: 'told by the reference' },
    { accountNumber: '12345678', reference: 'sandbox:fail order 7', story: 'fail', why: 'with more behind it' },
    { accountNumber: '12345678', reference: 'sandbox:hold-7', story: 'hold', why: 'whatever is behind it' },
    { accountNumber: '12345678', reference: 'sandbox:failing', story: 'settle', why: 'another word is no story' },
    { accountNumber: '12345678', reference: 'sandbox:', story: 'settle', why: 'no word at all' },
    { accountNumber: '12345678', reference: 'sandbox: fail', story: 'settle', why: 'a space before the word' },
    { accountNumber: '12345678', reference: 'Sandbox:fail', story: 'settle', why: 'another spelling' },
    { accountNumber: '12345678', reference: 'my sandbox:fail', story: 'settle', why: 'it must begin with it' },
    { accountNumber: '12345678', reference: 'x\nsandbox:fail', story: 'settle', why: 'on its first line' },
    { accountNumber: '12345678', reference: 'sandbox:refuse', story: 'settle', why: 'refuse is for 0000 alone' },
  ])('for $accountNumber and $reference is $story: $why', ({ accountNumber, reference, story }) => {
    expect(storyOf({ accountNumber, reference })).toBe(story)
  })

  it.each(SANDBOX_STORIES)('can be %s', (story) => {
    expect(storyOf({ accountNumber: '12345678', reference: `sandbox:${story}` })).toBe(story)
  })

  it('is told by no account number but one ending 0000', () => {
    const numbers = fc.integer({ min: 0, max: 99_999_999 }).map((number) => String(number).padStart(8, '0'))
    fc.assert(
      fc.property(numbers, (accountNumber) => {
        const story = storyOf({ accountNumber, reference: 'Invoice 1042' })
        expect(story).toBe(accountNumber.slice(4) === '0000' ? 'refuse' : 'settle')
      }),
      { numRuns: 1_000, seed: SEED },
    )
  })
})
