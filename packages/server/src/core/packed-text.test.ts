import { describe, expect, it } from 'vitest'

import { textPacker } from './packed-text.ts'

const DICTIONARY = '{"status":"processing","amount_gbp":"25.00","recipient":{"name":"***** *********"}}'
const packer = textPacker(1, DICTIONARY)
const thereAndBack = (text: string, known = '') => packer.unpack(packer.pack(text, known), known)

describe('a packed text', () => {
  it.each([
    ['nothing', ''],
    ['less than a copy', 'abc'],
    ['the dictionary itself', DICTIONARY],
    ['one like the dictionary', DICTIONARY.replace('25.00', '1234.50').replace('processing', 'failed')],
    ['one that repeats itself', 'na'.repeat(3_000)],
    ['one that the dictionary does not help with', '0123456789abcdefghij'.repeat(5).split('').toReversed().join('')],
    ['other scripts', '{"name":"Ñandú Łukasz 東京 🙂"}'.repeat(40)],
    ['control characters', 'A\u0000\u0001\u0000'.repeat(70)],
    ['more than is referred to', Array.from({ length: 9_000 }, (_, nth) => `${nth}:${nth % 77}`).join(',')],
  ])('is what it was: %s', (_what, text) => {
    expect(thereAndBack(text)).toBe(text)
    expect(thereAndBack(text, 'known "processing" 東京')).toBe(text)
  })

  it('is what it was, whichever were packed before it', () => {
    let seed = 7
    const below = (most: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed % most
    }
    const words = ['"status":"', 'processing', 'é', '25.00', '"},{"', 'x', '\u0000', DICTIONARY, '🙂']
    for (let nth = 0; nth < 2_000; nth++) {
      const some = () =>
        Array.from({ length: below(40) }, () => words[below(words.length)]! + String(below(9))).join('')
      const [text, known] = [some(), some()]
      expect(thereAndBack(text, known)).toBe(text)
    }
  })

  it('is short where it repeats the dictionary, what is known, or itself', () => {
    expect(packer.pack(DICTIONARY, '').length).toBeLessThan(8)
    expect(packer.pack('01a1eaa1-0904-75bd-aaee-d5ab0bf1c1d6', 'id 01a1eaa1-0904-75bd-aaee-d5ab0bf1c1d6').length).toBe(
      4,
    )
    expect(packer.pack('*'.repeat(5_000), '').length).toBeLessThan(30)
    // At worst a byte in 64.
    const unlike = Array.from({ length: 640 }, (_, nth) => String.fromCharCode(33 + ((nth * nth + nth * 7) % 90))).join(
      '',
    )
    expect(packer.pack(unlike, '').length).toBeLessThanOrEqual(651)
  })

  it('goes on where it was after what is different, and jumps for nothing that is short', () => {
    const twice = textPacker(
      1,
      `${DICTIONARY}{"quote":{"fee_gbp":"1.24","seller_receives_gbp":"00","is":"00","a":"00"}}`,
    )
    expect(twice.pack(DICTIONARY.replace('25.00', '31.00'), '').length).toBe(1 + 2 + 1 + 2 + 2)
  })

  it('is read as it was packed before, when copies were looked for everywhere alike', () => {
    const packed = Buffer.from('01c709636f6d706c6574656422db0333312e37cf08e302227d7d', 'hex')
    expect(packer.unpack(packed, '')).toBe(
      '{"status":"completed","amount_gbp":"31.70","recipient":{"name":"*** ******"}}',
    )
  })

  it('is not read as a version that it is not', () => {
    expect(() => textPacker(2, DICTIONARY).unpack(packer.pack('abc', ''), '')).toThrow('version')
  })
})
