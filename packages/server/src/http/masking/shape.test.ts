import fc from 'fast-check'
import { expect, it } from 'vitest'

import { shapeOf } from './shape.ts'

it('is stars, but for the punctuation of ASCII, and ends with its sixtieth character', () => {
  const text = fc
    .array(fc.oneof(fc.nat(0x7f), fc.nat(0xffff)), { maxLength: 90 })
    .map((codes) => String.fromCharCode(...codes))
  fc.assert(
    fc.property(text, (given) => {
      const stars = given.slice(0, 60).replaceAll(/[^ !-/:-@[-`{-~]/g, '*')
      expect(shapeOf(given)).toBe(given.length > 60 ? `${stars}…` : stars)
    }),
  )
  expect(shapeOf('\u0000\u007F\u001F')).toBe('***')
})
