import { resolve } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { paintFor } from './colour.ts'
import { formatDuration, renderFailure, renderNote, renderStep } from './step.ts'
import { columns } from './text.ts'

const colourful = paintFor({ isTTY: true }, {})

describe('renderStep', () => {
  test('puts label, detail and time in columns', () => {
    const lines = [
      { label: 'PostgreSQL 18.4', detail: 'embedded, .kestrel/postgres, port 5499', ms: 1400 },
      { label: 'Schema', detail: '42 migrations', ms: 87 },
    ].map((step) => renderStep(step))
    expect(lines).toEqual([
      '  ✔ PostgreSQL 18.4  embedded, .kestrel/postgres, port 5499               1.4 s',
      '  ✔ Schema           42 migrations                                        87 ms',
    ])
  })

  test.each([
    ['a long path', `embedded, /home/${'deep/'.repeat(40)}postgres, port 5499`],
    ['wide characters', `embedded, /home/${'支払い'.repeat(20)}/postgres, port 5499`],
    ['an escape sequence', `embedded, \u001b[2J${'x'.repeat(90)}\nport 5499`],
  ])('keeps %s within the terminal, with both ends', (_name, detail) => {
    const line = renderStep({ label: 'PostgreSQL 18.4 and more', detail, ms: 3_599_000 })
    expect(columns(line)).toBeLessThanOrEqual(80)
    expect(line).not.toMatch(/\p{Cc}/u)
    expect(line).toContain('embedded,')
    expect(line).toMatch(/port 5499 +59 min 59 s$/)
  })

  test('colours change nothing but the colour', () => {
    const step = { label: 'Schema', detail: '42 migrations', ms: 87 }
    const line = renderStep(step, colourful)
    expect(line).toContain('\u001b[32m✔\u001b[39m')
    // oxlint-disable-next-line no-control-regex
    expect(line.replaceAll(/\u001b\[\d+m/g, '')).toBe(renderStep(step))
  })

  test('looks the same before the build as after it', async () => {
    const script = resolve(import.meta.dirname, '../../../../../scripts/lib/step-line.mjs')
    const early = await vi.importActual<{ stepLine(step: object, colour: boolean): string }>(script)
    for (const ms of [3, 999.4, 999.6, 21_300, 59_949, 59_951, 125_000]) {
      const step = { label: 'Dependencies', detail: '158 packages', ms }
      expect(early.stepLine(step, false)).toBe(renderStep(step))
      expect(early.stepLine(step, true)).toBe(renderStep(step, colourful))
    }
  })
})

test.each([
  [0.4, '0 ms'],
  [999.6, '1.0 s'],
  [1449, '1.4 s'],
  [59_951, '1 min 0 s'],
  [125_000, '2 min 5 s'],
])('%d ms reads %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})

test('a note is marked and wrapped', () => {
  expect(renderNote('3000 is in use; using 3001')).toBe('  ! 3000 is in use; using 3001')
  const lines = renderNote('word '.repeat(40)).split('\n')
  expect(lines).toHaveLength(3)
  expect(lines.slice(1).every((line) => line.startsWith('    word'))).toBe(true)
  expect(lines.every((line) => columns(line) <= 80)).toBe(true)
})

test('a failure shows its reason beside the label', () => {
  const text = renderFailure('PostgreSQL', 'it did not start '.repeat(10).trim())
  const lines = text.split('\n')
  expect(lines[0]).toMatch(/^ {2}✖ PostgreSQL {7}it did not start/)
  expect(lines.slice(1).every((line) => /^ {21}\S/.test(line))).toBe(true)
  expect(lines.every((line) => columns(line) <= 80)).toBe(true)
})

test.each([
  [{ isTTY: true }, {}, true],
  [{ isTTY: true }, { NO_COLOR: '' }, true],
  [{ isTTY: true }, { NO_COLOR: '1' }, false],
  [{ isTTY: false }, {}, false],
  [{}, {}, false],
])('colours on %o with %o: %o', (stream, env, expected) => {
  expect(paintFor(stream, env).red('x') !== 'x').toBe(expected)
})
