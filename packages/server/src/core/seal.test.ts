import { createCipheriv, randomBytes } from 'node:crypto'

import { describe, expect, it } from 'vitest'

import { keyId, keyedHash, seal, sealedWith, unseal } from './seal.ts'

const KEY = randomBytes(32)
const ROW = '0197c5e0-0000-7000-8000-000000000001'
const OTHER_ROW = '0197c5e0-0000-7000-8000-000000000002'
const PLAIN = '{"account_number":"12345678","first_name":"Zoë 🦅"}'

function opens(sealed: Buffer): boolean {
  try {
    unseal([KEY], sealed, ROW)
    return true
  } catch {
    return false
  }
}

describe('what is sealed', () => {
  it.each([PLAIN, '', 'a', 'x'.repeat(30_000), '\u0000', '𝒳'])('opens again to the very same text (%#)', (plain) => {
    expect(unseal([KEY], seal(KEY, plain, ROW), ROW)).toBe(plain)
  })

  it('does not show its text, and is never the same bytes twice', () => {
    const sealed = Array.from({ length: 100 }, () => seal(KEY, PLAIN, ROW))
    expect(new Set(sealed.map((bytes) => bytes.toString('hex'))).size).toBe(100)
    for (const bytes of sealed) expect(bytes.includes('12345678')).toBe(false)
  })

  it('does not open with another key', () => {
    expect(() => unseal([randomBytes(32)], seal(KEY, PLAIN, ROW), ROW)).toThrow(
      `This was sealed with the key ${keyId(KEY).toString('hex')}, which this process does not have.`,
    )
  })

  it('opens with any key that is known, and says which one it needs', () => {
    const newer = randomBytes(32)
    const sealed = seal(KEY, PLAIN, ROW)
    expect(unseal([newer, KEY], sealed, ROW)).toBe(PLAIN)
    expect(sealedWith(sealed)).toEqual(keyId(KEY))
    expect(keyId(newer)).not.toEqual(keyId(KEY))
    expect(sealed.includes(KEY.subarray(0, 8))).toBe(false)
  })

  it('before it said its key, opens still: with the first among those that are known', () => {
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', KEY, iv).setAAD(Buffer.from(ROW))
    const body = Buffer.concat([cipher.update(PLAIN), cipher.final()])
    const sealed = Buffer.concat([Buffer.of(1), iv, cipher.getAuthTag(), body])
    expect(sealedWith(sealed)).toBeNull()
    expect(unseal([KEY], sealed, ROW)).toBe(PLAIN)
    expect(unseal([randomBytes(32), KEY], sealed, ROW)).toBe(PLAIN)
    expect(() => unseal([randomBytes(32), randomBytes(32)], sealed, ROW)).toThrow(/unable to authenticate/i)
    expect(() => unseal([KEY], sealed, OTHER_ROW)).toThrow(/unable to authenticate/i)
  })

  it('does not open in another row', () => {
    expect(() => unseal([KEY], seal(KEY, PLAIN, ROW), OTHER_ROW)).toThrow(/unable to authenticate/i)
  })

  it('does not open when any one bit of it was changed', () => {
    const sealed = seal(KEY, PLAIN, ROW)
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = Buffer.from(sealed)
      changed[bit >> 3]! ^= 1 << (bit & 7)
      expect([bit, opens(changed)]).toEqual([bit, false])
    }
  })

  it('does not open when it was cut short anywhere, or made longer', () => {
    const sealed = seal(KEY, PLAIN, ROW)
    for (let length = 0; length < sealed.length; length++) {
      expect([length, opens(sealed.subarray(0, length))]).toEqual([length, false])
    }
    expect(() => unseal([KEY], Buffer.concat([sealed, Buffer.of(0)]), ROW)).toThrow(/unable to authenticate/i)
  })

  it('says so when it was sealed by a version that this program does not know', () => {
    const sealed = seal(KEY, PLAIN, ROW)
    sealed[0] = 3
    expect(() => unseal([KEY], sealed, ROW)).toThrow('sealed data has a version that this program knows')
  })
})

describe('a keyed hash', () => {
  it('is HMAC-SHA256 (RFC 4231, test case 2)', () => {
    expect(keyedHash(Buffer.from('Jefe'), 'what do ya want for nothing?').toString('hex')).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    )
  })

  it('is another under another key, and for another text', () => {
    const hash = keyedHash(KEY, PLAIN)
    expect(keyedHash(KEY, PLAIN).equals(hash)).toBe(true)
    expect(keyedHash(randomBytes(32), PLAIN).equals(hash)).toBe(false)
    expect(keyedHash(KEY, `${PLAIN} `).equals(hash)).toBe(false)
  })
})
