import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { nameKey } from './name-key.ts'

describe('two names are the same', () => {
  it.each([
    ['Amara Okafor', 'AMARA  okafor'],
    ['Amara Okafor', 'Okafor, Amara'],
    ['Zoë Brontë', 'Zoe Bronte'],
    ['Zoe\u0308 Bronte', 'Zoë Bronte'],
    ['Siobhán O’Neill', "Siobhan O'Neill"],
    ['Siobhán O’Neill', 'Siobhan ONeill'],
    ['Anne-Marie Smith', 'Anne Marie Smith'],
    ['John McDonald', 'John Mc Donald'],
    ['Łukasz Groß', 'Lukasz Gross'],
    ['Søren Æbelø', 'Soren Aebelo'],
    ['IRMAK Yıldız', 'Irmak YILDIZ'],
    ['Ａｍａｒａ Okafor', 'Amara Okafor'],
    ['Thistle & Reed Limited', 'Thistle and Reed Ltd.'],
    ['Amara\u00a0Okafor', 'Amara Okafor'],
    ['Юлия Ёлкина', 'юлия ЕЛКИНА'],
  ])('%s and %s', (one, other) => expect(nameKey(one)).toBe(nameKey(other)))

  it.each([
    ['Amara Okafor', 'Amara Okafar'],
    ['John Smith', 'Joan Smith'],
    ['!!!', '???'],
    ['李明', '王明'],
  ])('but not %s and %s', (one, other) => expect(nameKey(one)).not.toBe(nameKey(other)))
})

describe('the letters of a name', () => {
  it('are the same whether or not there is anything to fold', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zA-Z][ -~]{0,60}$/), (name) => {
        // An accent is left out, and a name with one is folded.
        expect(nameKey(name)).toBe(nameKey(`${name}\u0301`))
      }),
    )
  })

  const turns = (letters: string) =>
    Array.from(letters, (_, start) => letters.slice(start) + letters.slice(0, start)).toSorted()

  it.each(['abab', 'aaaa', 'baab', 'cabcab', 'bbabba', 'okaforamara', 'smithjohn', 'zaaz', 'a', 'ab', 'юлияелкина'])(
    'of %s begin where their first turn does',
    (letters) => expect(nameKey(letters)).toBe(letters.length === 1 ? letters : first(turns(letters))),
  )

  it('of every short word are turned as if all turns had been looked at', () => {
    for (let number = 0; number < 3 ** 9; number++) {
      const word = number.toString(3).replaceAll(/\d/g, (digit) => 'abc'[Number(digit)]!)
      expect(nameKey(word)).toBe(first(turns(word)))
    }
  })

  it('are not taken apart beyond the longest name that there is', () => {
    expect(nameKey('\uFDFA'.repeat(100_000)).length).toBeLessThan(6_000)
    const long = `${'𝔄'.repeat(80)} ${'𝔅'.repeat(79)}`
    expect(nameKey(`${long}𝔅`)).not.toBe(nameKey(`${long}ℭ`))
  })
})

/** As JavaScript compares texts. */
function first(texts: readonly string[]): string {
  return texts.reduce((least, each) => (each < least ? each : least))
}
