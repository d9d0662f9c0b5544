import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { contrast, inkOn, readableOn, readColour } from './contrast.ts'

const colours = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

describe('contrast', () => {
  it('is 21 between black and white', () => expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5))

  it('reaches AA for every colour on light and on dark', () => {
    fc.assert(
      fc.property(colours, fc.constantFrom('#ffffff', '#fbfaf8', '#17181b'), (colour, background) => {
        expect(contrast(readableOn(colour, background), background)).toBeGreaterThanOrEqual(4.5)
      }),
    )
  })

  it('leaves a colour alone that can be read', () => expect(readableOn('#2b4bd8', '#ffffff')).toBe('#2b4bd8'))

  it('finds ink that can be read on every colour', () => {
    fc.assert(
      fc.property(colours, (colour) => {
        expect(contrast(inkOn(colour), colour)).toBeGreaterThanOrEqual(4)
      }),
    )
  })
})

describe('a colour', () => {
  it.each([
    ['2b4bd8', '#2b4bd8'],
    [' #ABC ', '#aabbcc'],
    ['blue', null],
    ['#12345', null],
  ])('typed as %j is %s', (typed, colour) => expect(readColour(typed)).toBe(colour))
})
