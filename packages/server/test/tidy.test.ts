// Our own rules about the code, as a test.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

import { RAIL_KINDS } from '@kestrel/contract'
import { describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../../..')
const SERVER = join(ROOT, 'packages/server/src')

/** Each layer may import itself, and what is listed for it, and nothing else of ours. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  config: ['core'],
  storage: ['core'],
  rail: ['core'],
  mail: ['core'],
  outbound: ['core'],
  documents: ['core'],
  domain: ['storage', 'rail', 'mail', 'outbound', 'documents', 'core'],
  http: ['domain', 'core'],
  jobs: ['domain', 'core'],
  local: ['config', 'core'],
  serve: ['*'],
  cli: ['*'],
  // compose.ts, kestrel.ts and the like, which join the layers
  '': ['*'],
}

/** Inside the domain a folder may import those before it. */
const DOMAIN_ORDER = [
  'secrets',
  'watch',
  'limits',
  'quotes',
  'wallet',
  'mail',
  'notices',
  'spending',
  'api-keys',
  'activity',
  'audit',
  'partners',
  'charges',
  'access',
  'members',
  'idempotency',
  'modulus',
  'payouts',
  'changes',
  'banking',
  'billing',
  'events',
  'webhooks',
  'recipients',
]

/** Rooms inside a layer, where one may import those before it; loose files come last, or where '' stands. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  'domain/payouts': ['', 'request', 'warn', 'record', 'ask', 'create', 'read', 'follow'],
  'domain/banking': ['verification', 'refunds', 'feeds', 'reconcile', 'operator', 'sandbox'],
  http: ['limits', 'body', 'errors', 'masking', 'access', 'query', 'present', 'csv', 'docs', 'routes'],
}

interface SourceFile {
  readonly path: string
  readonly text: string
  readonly imports: readonly string[]
}

const sources = [...filesIn(SERVER), ...filesIn(join(ROOT, 'packages/contract/src'))].map(readSource)
const serverSources = sources.filter(({ path }) => path.startsWith(SERVER) && !path.endsWith('.test.ts'))

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))
}

function readSource(path: string): SourceFile {
  const text = readFileSync(path, 'utf8')
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)].map((match) => match[1] ?? '')
  return { path, text, imports: specifiers.map((specifier) => resolve(path, '..', specifier)) }
}

function layerOf(path: string): string {
  const parts = relative(SERVER, path).split('/')
  return parts.length === 1 ? '' : (parts[0] ?? '')
}

const shown = (path: string) => relative(ROOT, path)

function offenders(rule: (source: SourceFile) => boolean, among: readonly SourceFile[] = serverSources): string[] {
  return among.filter(rule).map(({ path }) => shown(path))
}

describe('imports', () => {
  it('only ever point down the layers', () => {
    const wrong = serverSources.flatMap(({ path, imports }) =>
      imports
        .filter((target) => {
          const [from, to] = [layerOf(path), layerOf(target)]
          const allowed = MAY_IMPORT[from] ?? []
          return from !== to && !allowed.includes('*') && !allowed.includes(to)
        })
        .map((target) => `${shown(path)} must not import ${shown(target)}`),
    )
    expect(wrong).toEqual([])
  })

  it('of every layer are known', () => {
    expect(
      [...new Set(serverSources.map(({ path }) => layerOf(path)))].filter((layer) => !(layer in MAY_IMPORT)),
    ).toEqual([])
  })

  it('inside the domain follow the order of its folders', () => {
    const folderOf = (path: string) => relative(join(SERVER, 'domain'), path).split('/')[0] ?? ''
    const wrong = serverSources
      .filter(({ path }) => layerOf(path) === 'domain' && path.split('/domain/')[1]?.includes('/'))
      .flatMap(({ path, imports }) =>
        imports
          .filter((target) => layerOf(target) === 'domain' && target.split('/domain/')[1]?.includes('/'))
          .filter((target) => DOMAIN_ORDER.indexOf(folderOf(target)) > DOMAIN_ORDER.indexOf(folderOf(path)))
          .map((target) => `${shown(path)} must not import ${shown(target)}`),
      )
    expect(wrong).toEqual([])
  })

  it.each(Object.entries(ROOMS))('point one way between the rooms of %s', (folder, rooms) => {
    const home = join(SERVER, folder)
    const roomOf = (path: string) => relative(home, path).split('/').slice(0, -1)[0] ?? ''
    const within = serverSources.filter(({ path }) => path.startsWith(`${home}/`))
    const order = rooms.includes('') ? rooms : [...rooms, '']
    expect([...new Set(within.map(({ path }) => roomOf(path)))].filter((room) => !order.includes(room))).toEqual([])
    const wrong = within.flatMap(({ path, imports }) =>
      imports
        .filter((target) => target.startsWith(`${home}/`))
        .filter((target) => order.indexOf(roomOf(target)) > order.indexOf(roomOf(path)))
        .map((target) => `${shown(path)} must not import ${shown(target)}`),
    )
    expect(wrong).toEqual([])
  })

  it('never come back to the file they started from', () => {
    const byPath = new Map(sources.map((source) => [source.path, source]))
    const finished = new Set<string>()
    const visit = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) throw new Error(`import cycle: ${[...trail, path].map(shown).join(' -> ')}`)
      if (finished.has(path)) return
      for (const target of byPath.get(path)?.imports ?? []) visit(target, [...trail, path])
      finished.add(path)
    }
    expect(() => sources.forEach(({ path }) => visit(path, []))).not.toThrow()
  })

  it('of the contract stay inside it', () => {
    const contract = join(ROOT, 'packages/contract/src')
    expect(
      offenders(
        ({ path, imports }) => path.startsWith(contract) && imports.some((target) => !target.startsWith(contract)),
        sources,
      ),
    ).toEqual([])
  })
})

describe('words that have one home', () => {
  const outside = (...homes: string[]) => serverSources.filter(({ path }) => !homes.includes(relative(SERVER, path)))

  it('the environment is read in config/env.ts', () => {
    expect(offenders(({ text }) => /process\.env/.test(text), outside('config/env.ts'))).toEqual([])
  })

  it('the time is read in core/clock.ts', () => {
    expect(
      offenders(({ text }) => /new Date\(\)|Date\.now\(|performance\.now\(/.test(text), outside('core/clock.ts')),
    ).toEqual([])
  })

  it('no chance is taken with Math.random', () => {
    expect(offenders(({ text }) => /Math\.random/.test(text))).toEqual([])
  })

  it('money never meets a float', () => {
    const moneyLayers = serverSources.filter(({ path }) => ['core', 'domain', 'storage'].includes(layerOf(path)))
    expect(offenders(({ text }) => /parseFloat|\.toFixed\(|\bNumber\(/.test(text), moneyLayers)).toEqual([])
  })

  it('a partner is our customer, and never the bank', () => {
    const ofTheBank = [...filesIn(join(ROOT, 'packages/bank/src')), ...filesIn(join(SERVER, 'rail'))].map(readSource)
    expect(offenders(({ text }) => /\b(the|banking|real) partner\b/i.test(text), ofTheBank)).toEqual([])
    expect(offenders(({ text }) => /\bbanking partner\b/i.test(text), sources)).toEqual([])
  })

  it('a batch is made into columns in storage/item-columns.ts, which keeps them in one order', () => {
    expect(offenders(({ text }) => /unnest\(\s*\$/.test(text), outside('storage/item-columns.ts'))).toEqual([])
  })

  it('no statement sorts by the number of a column', () => {
    const storage = serverSources.filter(({ path }) => layerOf(path) === 'storage')
    expect(offenders(({ text }) => /order by \d/.test(text), storage)).toEqual([])
  })

  it('nobody connects to PostgreSQL outside storage', () => {
    expect(
      offenders(({ path, text }) => /from 'pg'/.test(text) && !['storage', 'local'].includes(layerOf(path))),
    ).toEqual([])
  })
})

describe('the port to the bank is sealed:', () => {
  const PORT = new Set([
    'port.ts',
    'transfer.ts',
    'account.ts',
    'recipient-name.ts',
    'which-rail.ts',
    'missing-rail.ts',
  ])
  const rail = join(SERVER, 'rail')
  const port = serverSources.filter(({ path }) => PORT.has(relative(rail, path)))
  const isAdapter = (path: string) => path.startsWith(`${rail}/`) && !PORT.has(relative(rail, path))
  const above = serverSources.filter(({ path }) => ['domain', 'http', 'jobs', 'storage'].includes(layerOf(path)))
  const withoutComments = (text: string) => text.replaceAll(/\/\*[^]*?\*\/|(?<!:)\/\/.*/g, '')
  const identifiers = (text: string) => withoutComments(text).replaceAll(/'[^'\n]*'|`[^`]*`/g, '')

  it('an adapter is imported by other adapters, and by compose.ts, serve and cli, which connect it', () => {
    const strangers = serverSources.filter(
      ({ path }) => !isAdapter(path) && !['', 'serve', 'cli'].includes(layerOf(path)),
    )
    const wrong = strangers.flatMap(({ path, imports }) =>
      imports.filter(isAdapter).map((target) => `${shown(path)} must not import ${shown(target)}`),
    )
    expect(wrong).toEqual([])
  })

  it('no rail is named above it: what differs between rails is one of its features', () => {
    const named = new RegExp(`['"](${RAIL_KINDS.join('|')})['"]|\\.(${RAIL_KINDS.join('|')})\\b`)
    // The examples of the API's documentation show what an account says of its rail.
    const rules = above.filter(({ path }) => !relative(SERVER, path).startsWith('http/docs/'))
    expect(offenders(({ text }) => named.test(withoutComments(text)), rules)).toEqual([])
  })

  it('the nouns and the headers of a bank stay in its adapter', () => {
    const NOUNS =
      /customer|provider|bridge|virtual_?account|external_?account|liquidation|kyc|drain|webhook_?signature/i
    const rules = serverSources.filter(({ path }) => layerOf(path) === 'domain')
    expect(offenders(({ text }) => NOUNS.test(identifiers(text)), [...rules, ...port])).toEqual([])
    const WORDS = /x-webhook-signature|virtual_account\.|liquidation_address\.|kyc_link|payment_processed|bridge_wallet/
    expect(offenders(({ text }) => WORDS.test(text), above)).toEqual([])
  })
})

describe('the house', () => {
  it('has no file over 300 lines', () => {
    expect(offenders(({ text }) => text.split('\n').length > 301, sources)).toEqual([])
  })

  it('has no file named after a role', () => {
    expect(offenders(({ path }) => /\/(utils?|helpers?|common|misc|manager|service)\.ts$/.test(path))).toEqual([])
  })

  it('has nothing left to do on main', () => {
    const marks = new RegExp(`\\b(${['TO', 'DO'].join('')}|${['FIX', 'ME'].join('')}|XXX)\\b`)
    expect(offenders(({ text }) => marks.test(text), sources)).toEqual([])
  })

  it('numbers its migrations without a gap, and each says why it is there', () => {
    const folder = join(ROOT, 'packages/server/migrations')
    const names = readdirSync(folder).toSorted()
    names.forEach((name, index) => {
      expect(name).toMatch(new RegExp(`^${String(index + 1).padStart(4, '0')}_[a-z_]+\\.sql$`))
      expect(readFileSync(join(folder, name), 'utf8')).toMatch(/^-- [A-Z].{20,}/)
    })
  })

  it('gives every test that replaces a module a process of its own', () => {
    const config = readFileSync(join(ROOT, 'vitest.config.ts'), 'utf8')
    const replaces = /\bvi\.(do)?[mM]ock\(/
    const tests = filesIn(join(ROOT, 'packages/server')).filter(
      (path) => path.endsWith('.test.ts') && replaces.test(readFileSync(path, 'utf8')),
    )
    expect(tests.length).toBeGreaterThan(0)
    expect(tests.map((path) => relative(ROOT, path)).filter((path) => !config.includes(`'${path}'`))).toEqual([])
  })

  it('waits in its tests as long as a busy machine needs, and never for the second that is the default', () => {
    const tests = ['bank', 'server', 'dashboard']
      .flatMap((name) => filesIn(join(ROOT, 'packages', name, 'test')))
      .map(readSource)
    const isImpatient = (call: string) => !/timeout|PATIENT|, \d+_000,?\s*\)/.test(call)
    expect(offenders(({ text }) => callsOfWait(text).some(isImpatient), tests)).toEqual([])
  })

  it('has every file that a bench loads', () => {
    const names = readdirSync(join(ROOT, 'bench'), { recursive: true, encoding: 'utf8' })
    const benches = names.filter((name) => name.endsWith('.mjs'))
    const texts = benches.map((name) => readFileSync(join(ROOT, 'bench', name), 'utf8')).join('\n')
    const loaded = [...texts.matchAll(/'\$\{SRC\}\/([^']+)'/g)].map((match) => join(SERVER, match[1] ?? ''))
    expect(loaded.length).toBeGreaterThan(10)
    expect(loaded.filter((path) => !existsSync(path)).map(shown)).toEqual([])
  })

  it('names no machine and no registry in its lock file', () => {
    const lock = readFileSync(join(ROOT, 'package-lock.json'), 'utf8')
    expect(lock).not.toMatch(/"resolved": "https?:/)
  })
})

/** Each call of vi.waitFor and vi.waitUntil, to its closing parenthesis. */
function callsOfWait(text: string): string[] {
  return [...text.matchAll(/vi\.wait(?:For|Until)\(/g)].map(({ index, 0: { length } }) => {
    let open = 1
    let end = index + length
    for (; open > 0 && end < text.length; end++) open += text[end] === '(' ? 1 : text[end] === ')' ? -1 : 0
    return text.slice(index, end)
  })
}
