// What the build does to objects that are made by spreading, on the Node that runs here.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

const { withSharedShapes } = (await import(join(import.meta.dirname, '../../../../scripts/lib/shared-shapes.mjs'))) as {
  withSharedShapes: (source: string) => string
}

const SPREADING = `const of = (it) => ({ ...it, b: 2 });
for (let round = 0; round < 100; round++) of({ a: round });`

/** Whether two objects of one place in a program have the same hidden class. */
function shareAShape(program: string): boolean {
  const source = `${program} process.stdout.write(String(%HaveSameMap(of({ a: 1 }), of({ a: 2 }))))`
  const flags = ['--allow-natives-syntax', '--input-type=module', '-e', source]
  return execFileSync(process.execPath, flags, { encoding: 'utf8' }) === 'true'
}

describe('objects that are made by spreading', () => {
  it('share a hidden class once they are built', () => {
    expect(shareAShape(withSharedShapes(SPREADING))).toBe(true)
  })

  it.runIf(process.version.startsWith('v20.'))('do not in Node 20 by themselves, or the build need not do it', () => {
    expect(shareAShape(SPREADING)).toBe(false)
  })

  it('are what they were, and on the same lines', () => {
    const source = `const a = { x: 1, y: 2 }
const results = [
  { ...a, y: 3 }, { ...a, ...null, ...{ z: { ...a, q: [{ ...a, r: 1 }] } } }, { ...a }, { b: 1, ...a },
  { ...JSON.parse('{"__proto__": 1}'), c: 2 },
  ((it) => ({ ...it,
    get last() { return '{ ...a, b }' } }))(a).last,
]
export default results`
    const built = withSharedShapes(source)
    expect(built).toContain('{ ...null, ...a, y: 3 }')
    expect(built).toContain('{ ...a }, { b: 1, ...a }')
    expect(built.split('\n')).toHaveLength(source.split('\n').length)
    expect(run(built)).toBe(run(source))
  })
})

it('is loaded by a build alone: scripts that install begin without any package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kestrel-scripts-'))
  try {
    cpSync(join(import.meta.dirname, '../../../../scripts'), join(folder, 'scripts'), { recursive: true })
    const source = `await import(${JSON.stringify(join(folder, 'scripts/lib/run-pack-image.mjs'))}); process.stdout.write('loaded')`
    expect(execFileSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8' })).toBe('loaded')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

const run = (source: string) => {
  const program = source.replace('export default results', 'process.stdout.write(JSON.stringify(results))')
  return execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
}
