// Which tests `npm test -- --changed` takes.
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

interface Chosen {
  readonly near: readonly string[]
  readonly tooMany: readonly { readonly path: string; readonly count: number }[]
  readonly none: readonly string[]
}

const SCRIPT = join(import.meta.dirname, '../../../../scripts/lib/changed-tests.mjs')

describe('the tests of a change', async () => {
  const { testsNear } = (await import(SCRIPT)) as {
    testsNear: (changed: readonly string[], imports: ReadonlyMap<string, readonly string[]>) => Chosen
  }
  const service = Array.from({ length: 20 }, (_, nth): [string, string[]] => [`test/all-${nth}.test.ts`, ['app.ts']])
  const imports = new Map<string, readonly string[]>([
    ['fee.test.ts', ['fee.ts']],
    ['quote.ts', ['fee.ts', 'rate.ts']],
    ['test/quotes.test.ts', ['quote.ts', 'app.ts']],
    ['app.ts', ['quote.ts', 'routes/payouts.ts']],
    ['test/payouts.create.test.ts', ['app.ts']],
    ...service,
  ])
  const of = (...changed: readonly string[]) => testsNear(changed, imports)

  it('are those that import the file, or the nearest that import what imports it', () => {
    expect(of('fee.ts').near).toEqual(['fee.test.ts'])
    expect(of('rate.ts').near).toEqual(['test/quotes.test.ts'])
  })

  it('are those of its name, where all would be too many', () => {
    const tooMany = [{ path: 'routes/payouts.ts', count: 22 }]
    expect(of('routes/payouts.ts')).toEqual({ near: ['test/payouts.create.test.ts'], tooMany, none: [] })
    expect(of('app.ts')).toEqual({ near: [], tooMany: [{ path: 'app.ts', count: 22 }], none: [] })
  })

  it('are the changed tests themselves, and none that is gone', () => {
    expect(of('test/all-3.test.ts', 'test/gone.test.ts', 'README.md').near).toEqual(['test/all-3.test.ts'])
    expect(of('main.tsx').none).toEqual(['main.tsx'])
  })
})
