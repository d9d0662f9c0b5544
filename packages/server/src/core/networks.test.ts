import { describe, expect, it } from 'vitest'

import { covers, isWithin, parseNetwork } from './networks.ts'

describe('a network', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7/32'],
    ['203.0.113.0/24', '203.0.113.0/24'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8::/32', '2001:db8::/32'],
    ['::1', '::1/128'],
  ])('%s is read as %s', (text, read) => expect(parseNetwork(text)).toBe(read))

  it.each([
    '',
    '203.0.113',
    '203.0.113.0/33',
    '::/129',
    'example.com',
    '203.0.113.7/',
    '1.2.3.4/-1',
    '::1%lo',
    '1.2.3.4/8 ',
    '::ffff:203.0.113.9',
    '::ffff:203.0.113.9/24',
    '::ffff:cb00:7109/120',
    '0:0:0:0:0:FFFF:cb00:7109',
  ])('is not %j', (text) => expect(parseNetwork(text)).toBeNull())

  it('has the addresses in it, however a socket shows them, and no others', () => {
    const networks = ['203.0.113.0/24', '2001:db8::/32']
    expect(isWithin('203.0.113.200', networks)).toBe(true)
    expect(isWithin('::ffff:203.0.113.200', networks)).toBe(true)
    expect(isWithin('2001:db8:1::5', networks)).toBe(true)
    expect(isWithin('203.0.114.1', networks)).toBe(false)
    expect(isWithin('2001:db9::1', networks)).toBe(false)
    expect(isWithin('unknown', networks)).toBe(false)
    expect(isWithin('203.0.113.1', [])).toBe(false)
  })

  it('of IPv6 has no address of IPv4 in it, however large it is', () => {
    for (const network of ['::/0', '::/24', '::/80', '::ffff:203.0.113.9/24']) {
      expect(isWithin('203.0.113.9', [network])).toBe(false)
      expect(isWithin('::ffff:203.0.113.9', [network])).toBe(false)
    }
    expect(isWithin('2001:db8::1', ['::/0'])).toBe(true)
  })

  it('covers a smaller one, and not a larger', () => {
    expect(covers(['203.0.113.0/24'], '203.0.113.8/30')).toBe(true)
    expect(covers(['203.0.113.0/24'], '203.0.0.0/16')).toBe(false)
    expect(covers(['203.0.113.0/25', '203.0.113.128/25'], '203.0.113.0/24')).toBe(false)
    expect(covers(['0.0.0.0/0'], '::1/128')).toBe(false)
    expect(covers(['::/0'], '203.0.113.0/24')).toBe(false)
    expect(covers(['203.0.113.0/24'], '::ffff:203.0.113.9/24')).toBe(false)
  })
})
