import { describe, expect, it } from 'vitest'

import { shownName } from './shown-name.ts'

describe('a name that somebody chose', () => {
  it.each([
    ['Thistle Market', '“Thistle Market”'],
    ['Smith & Sons Ltd.', '“Smith & Sons Ltd.”'],
    [
      'Your parcel is waiting: https://parcel.evil.example/pay',
      '“Your parcel is waiting https parcel evil example pay”',
    ],
    ['see www.evil.example', '“see www evil example”'],
    ['mail me@evil.example', '“mail me evil example”'],
    ['evil。example', '“evil example”'],
    ['<b>bold</b> "quoted”', '“b bold b quoted”'],
    ['two\u2028lines', '“two lines”'],
  ])('%j is shown as %s', (name, shown) => {
    expect(shownName(name)).toBe(shown)
  })

  it('is shown in part when it is long', () => {
    expect(shownName('x'.repeat(120))).toBe(`“${'x'.repeat(59)}…”`)
  })
})
