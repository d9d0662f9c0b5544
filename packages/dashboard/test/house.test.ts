// The dashboard's own rules about its code.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

import { describe, expect, it } from 'vitest'

const SRC = resolve(import.meta.dirname, '../src')
const CONTRACT = resolve(import.meta.dirname, '../../contract/src')

/** What every folder above them may import. */
const GROUND = ['app', 'parts', 'server', 'format'] as const

/** What two or more pages show: a folder per subject. They know nothing of each other, except that whoever signs in types a code. */
const SHARED = {
  activity: GROUND,
  billing: GROUND,
  codes: GROUND,
  entrance: ['codes', 'shell', ...GROUND],
  keys: GROUND,
  limits: GROUND,
  payout: GROUND,
  webhooks: GROUND,
  wallet: GROUND,
} as const

/** Each folder may import itself, and what is listed for it. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  format: [],
  server: [],
  parts: ['format'],
  app: ['parts', 'server', 'format'],
  shell: GROUND,
  ...SHARED,
  pages: [...Object.keys(SHARED), 'shell', ...GROUND],
  '': ['pages', 'shell', ...GROUND],
}

function importsIn(path: string, text: string): readonly string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)].map((match) => resolve(path, '..', match[1] ?? ''))
}

const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.test.ts'))
  .map((name) => ({ path: join(SRC, name), text: readFileSync(join(SRC, name), 'utf8') }))
  .map(({ path, text }) => ({ path, text, imports: importsIn(path, text) }))

const folderOf = (path: string) => {
  const parts = relative(SRC, path).split('/')
  return parts.length === 1 ? '' : (parts[0] ?? '')
}

/** The folder of a page, such as pages/fees; null for everything else. */
const pageOf = (path: string) => {
  const [top, page] = relative(SRC, path).split('/')
  return top === 'pages' && page !== undefined ? page : null
}

const offenders = (rule: RegExp, ...homes: string[]) =>
  sources
    .filter(({ path, text }) => rule.test(text) && !homes.includes(relative(SRC, path)))
    .map(({ path }) => relative(SRC, path))

describe('the dashboard', () => {
  it('imports only down its folders', () => {
    const wrong = sources.flatMap((source) =>
      source.imports
        .filter((target) => target.startsWith(SRC))
        .map((target) => [folderOf(source.path), folderOf(target)] as const)
        .filter(([from, to]) => from !== to && !(MAY_IMPORT[from] ?? []).includes(to))
        .map(([, to]) => `${relative(SRC, source.path)} must not import ${to}`),
    )
    expect(wrong).toEqual([])
  })

  it('shows on a page nothing of another page: what two pages share has a folder of its own', () => {
    const wrong = sources.flatMap((source) =>
      source.imports
        .filter((target) => pageOf(source.path) !== null && pageOf(target) !== null)
        .filter((target) => pageOf(source.path) !== pageOf(target))
        .map((target) => `${relative(SRC, source.path)} must not import ${relative(SRC, target)}`),
    )
    expect(wrong).toEqual([])
  })

  it('keeps for several pages only what several pages show', () => {
    const users = (path: string, seen: Set<string>): Set<string> => {
      const page = pageOf(path)
      if (page !== null) return seen.add(page)
      for (const source of sources) if (source.imports.includes(path)) users(source.path, seen)
      return seen
    }
    const shared = sources.filter(({ path }) => Object.hasOwn(SHARED, folderOf(path)))
    const lonely = shared.filter(({ path }) => users(path, new Set()).size < 2).map(({ path }) => relative(SRC, path))
    expect(lonely).toEqual([])
  })

  it('never comes back to the file it started from', () => {
    const byPath = new Map(sources.map((source) => [source.path, source]))
    const finished = new Set<string>()
    const visit = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) throw new Error([...trail, path].map((file) => relative(SRC, file)).join(' -> '))
      const source = byPath.get(path)
      if (source === undefined || finished.has(path)) return
      for (const target of source.imports) visit(target, [...trail, path])
      finished.add(path)
    }
    expect(() => sources.forEach(({ path }) => visit(path, []))).not.toThrow()
  })

  it('talks to the server in one module', () => {
    expect(offenders(/\bfetch\(/, 'server/client.ts', 'keys/samples.ts', 'webhooks/verify-samples.ts')).toEqual([])
    expect(offenders(/new EventSource\(/, 'server/stream.ts')).toEqual([])
  })

  it('takes only types from the contract, so that no schema library reaches the browser', () => {
    expect(offenders(/^import \{[^}]*\} from '@kestrel\/contract'/m)).toEqual([])
  })

  it('takes values only from files of the contract that import nothing but each other', () => {
    const files = sources.flatMap(({ text }) => [...text.matchAll(/'@kestrel\/contract\/([a-z-]+)'/g)])
    const names = new Set(files.map((match) => match[1] ?? ''))
    expect(names).toContain('payout-status')
    const foreign: string[] = []
    // A set is walked to its end, with what is added on the way.
    for (const name of names) {
      for (const [line, from = ''] of readFileSync(join(CONTRACT, `${name}.ts`), 'utf8').matchAll(
        /^import .*'(.+)'$/gm,
      )) {
        const other = /^\.\/([a-z-]+)\.ts$/.exec(from)?.[1]
        if (other === undefined) foreign.push(`${name}: ${line}`)
        else names.add(other)
      }
    }
    expect(foreign).toEqual([])
  })

  it('gives no type a second name', () => {
    expect(offenders(/^(?:export )?type [A-Z]\w* = [A-Z]\w*$/m)).toEqual([])
  })

  it('never makes a float of money', () => {
    expect(offenders(/parseFloat|_gbp\)\s*[*+/-]|Number\([a-z.]*(?:_gbp|_usdc|amount)/i)).toEqual([])
  })

  it('writes no style element and no inline HTML, which the Content-Security-Policy would refuse', () => {
    expect(offenders(/dangerouslySetInnerHTML|<style|createElement\('style'\)/, 'parts/adopted-style.ts')).toEqual([])
  })

  it('has no file over 300 lines', () => {
    expect(sources.filter(({ text }) => text.split('\n').length > 301).map(({ path }) => path)).toEqual([])
  })
})
