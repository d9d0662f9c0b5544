import { describe, expect, it } from 'vitest'

import { shownAddress, shownName, shownNetwork, shownValue } from './shown-name.ts'

describe('a name that somebody chose', () => {
  it.each([
    ['Thistle Market', '“Thistle Market”'],
    ['Smith & Sons Ltd.', '“Smith & Sons Ltd.”'],
    [
      'Your parcel is waiting: https://parcel.evil.example/pay',
      '“Your parcel is waiting: https //parcel evil example/pay”',
    ],
    ['see www.evil.example', '“see www evil example”'],
    ['mail me@evil.example', '“mail me evil example”'],
    ['evil。example', '“evil example”'],
    ['<b>bold</b> "quoted”', '“b bold /b quoted”'],
    ['two\u2028lines', '“two lines”'],
  ])('%j is shown as %s', (name, shown) => {
    expect(shownName(name)).toBe(shown)
  })

  it('is shown in part when it is long', () => {
    expect(shownName('x'.repeat(120))).toBe(`“${'x'.repeat(59)}…”`)
  })
})

describe('a value that somebody typed', () => {
  it.each([
    ['Invoice 10.42, 12:30, 2026/11', 'Invoice 10.42, 12:30, 2026/11'],
    ['amara@okafor.test', 'amara okafor test'],
    ['185.199.108.153', '185 199 108 153'],
  ])('%j is shown as %s', (value, shown) => {
    expect(shownValue(value)).toBe(shown)
  })

  it('is shown in part when it is long', () => {
    expect(shownValue('x'.repeat(200))).toBe(`${'x'.repeat(139)}…`)
  })
})

describe('an address of somebody', () => {
  it.each([
    ['amara.okafor+pay@thistle-market.test', 'amara.okafor+pay@thistle-market.test'],
    ['evil.example/pay@okafor.test', 'evil example/pay okafor test'],
    ['www.evil.example@okafor.test', 'www evil example okafor test'],
  ])('%j is shown as %s', (address, shown) => {
    expect(shownAddress(address)).toBe(shown)
  })
})

describe('where a request came from', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['2001:db8::1', '2001:db8::1'],
    ['evil.example', 'evil example'],
  ])('%j is shown as %s', (ip, shown) => {
    expect(shownNetwork(ip)).toBe(shown)
  })
})
