// Every promise has proofs that are there and mutants that are caught by them, and every mutant still fits the sources.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { transform } from 'esbuild'
import { describe, expect, it } from 'vitest'

import { mutatedPath, mutatedText } from './apply-mutant.ts'
import { MUTANTS } from './mutants/all-mutants.ts'
import { PROMISES } from './promises/all-promises.ts'

const ROOT = join(import.meta.dirname, '../../../..')

describe('a promise', () => {
  it('has a name of its own', () => {
    const ids = PROMISES.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it.each(PROMISES)('$id has proofs that are there', ({ proofs }) => {
    expect(proofs.length).toBeGreaterThan(0)
    expect(proofs.filter(({ file }) => !existsSync(join(ROOT, file)))).toEqual([])
  })

  it.each(PROMISES)('$id has a mutant, by which its proofs are proved', ({ id }) => {
    expect(MUTANTS.filter(({ promise }) => promise === id).length).toBeGreaterThan(0)
  })
})

describe('a mutant', () => {
  it('is one of many, each with a name of its own', () => {
    const names = MUTANTS.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(names.length).toBeGreaterThanOrEqual(24)
  })

  it.each(MUTANTS)('$name changes what stands once in its file, and is still a program', async (mutant) => {
    const text = mutatedText(mutant)
    expect(text).not.toBe(readFileSync(mutatedPath(mutant), 'utf8'))
    await expect(transform(text, { loader: 'ts' })).resolves.toMatchObject({ warnings: [] })
  })

  it.each(MUTANTS)('$name is caught by a proof of the promise that it breaks', ({ promise, caughtBy }) => {
    const proofs = PROMISES.find(({ id }) => id === promise)?.proofs ?? []
    expect(proofs.map(({ file }) => file)).toContain(caughtBy.file)
  })
})
