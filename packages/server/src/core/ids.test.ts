import { describe, expect, it } from 'vitest'

import { isUuid, lowestIdAt, madeAt, newId, randomHex, sha256 } from './ids.ts'

const NOON = new Date('2026-07-01T12:00:00.000Z')

describe('a new id', () => {
  it('is a UUID of version 7 that carries its moment', () => {
    const id = newId(NOON)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(NOON.getTime())
    expect(madeAt(id)).toEqual(NOON)
    expect(isUuid(id)).toBe(true)
  })

  it('has each value in each of its random digits, and only four in the one of its variant', () => {
    const ids = Array.from({ length: 5_000 }, () => newId(NOON).replaceAll('-', ''))
    const valuesAt = (at: number) => new Set(ids.map((id) => id[at])).size
    const values = Array.from({ length: 32 }, (_, at) => valuesAt(at))
    expect(values.slice(0, 13)).toEqual(Array(13).fill(1))
    expect(values.slice(13)).toEqual([16, 16, 16, 4, ...Array(15).fill(16)])
  })

  it('carries its own moment, whichever was asked for before', () => {
    const moments = [0, 1, 0, 86_400_000, 1].map((ms) => new Date(NOON.getTime() + ms))
    expect(moments.map((moment) => madeAt(newId(moment)))).toEqual(moments)
  })

  it('sorts after every id of an earlier millisecond', () => {
    for (let round = 0; round < 1_000; round++) {
      const moment = new Date(NOON.getTime() + round)
      expect(newId(moment) < newId(new Date(moment.getTime() + 1))).toBe(true)
    }
  })

  it('sorts after those that were made before it at the same moment', () => {
    for (let round = 0; round < 200; round++) {
      const moment = new Date(NOON.getTime() + round)
      const ids = Array.from({ length: 2_000 }, () => newId(moment))
      expect(ids.toSorted()).toEqual(ids)
    }
  })

  it('sorts so too where other moments were asked for in between', () => {
    const later = new Date(NOON.getTime() + 1)
    const ids = Array.from({ length: 500 }, () => {
      const id = newId(NOON)
      newId(later)
      lowestIdAt(new Date(later.getTime() + 1))
      return id
    })
    expect(ids.toSorted()).toEqual(ids)
  })

  it('says nothing of how many were made since another moment', () => {
    const begins = Array.from({ length: 200 }, (_, nth) => newId(new Date(NOON.getTime() + 10_000 + nth)).slice(15, 18))
    expect(new Set(begins).size).toBeGreaterThan(150)
    const steps = begins.map((text, nth) => Number.parseInt(text, 16) - Number.parseInt(begins[nth - 1] ?? '0', 16))
    expect(steps.filter((step) => step === 1).length).toBeLessThan(10)
  })

  it('is never the same twice, even within a millisecond, whenever new numbers are drawn', () => {
    const ids = Array.from({ length: 20_000 }, () => newId(NOON))
    expect(new Set(ids).size).toBe(20_000)
  })
})

describe('text that looks like an id', () => {
  it.each([
    { text: '0197c5e0-0000-7000-8000-000000000000', isOne: true, why: 'version 7' },
    { text: '123e4567-e89b-12d3-a456-426614174000', isOne: true, why: 'any version: it is only looked up' },
    { text: '0197C5E0-0000-7000-8000-000000000000', isOne: false, why: 'callers lower it first' },
    { text: '0197c5e000007000800000000000000', isOne: false, why: 'no hyphens' },
    { text: '0197c5e0-0000-7000-8000-00000000000', isOne: false, why: 'a digit short' },
    { text: '0197c5e0-0000-7000-8000-0000000000000', isOne: false, why: 'a digit long' },
    { text: '0197c5e0-0000-7000-8000-00000000000g', isOne: false, why: 'not hexadecimal' },
    { text: '{0197c5e0-0000-7000-8000-000000000000}', isOne: false, why: 'braces' },
    { text: '0197c5e0-0000-7000-8000-000000000000\n', isOne: false, why: 'a line break' },
    { text: '', isOne: false, why: 'nothing' },
  ])('$text: $isOne ($why)', ({ text, isOne }) => {
    expect(isUuid(text)).toBe(isOne)
  })
})

describe('random and hashed text', () => {
  it('has as many hexadecimal digits as asked for and does not repeat', () => {
    const drawn = Array.from({ length: 1_000 }, () => randomHex(24))
    expect(drawn.every((text) => /^[0-9a-f]{48}$/.test(text))).toBe(true)
    expect(new Set(drawn).size).toBe(1_000)
  })

  it('is hashed by SHA-256', () => {
    expect(sha256('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })
})
