// `npm test -- --changed`: the tests nearest to what was changed. Vitest's own --changed takes every test that reaches a
// changed file through any number of imports. Nearly every test starts the whole service, so that is nearly all of them.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { ROOT } from './paths.mjs'

/** More tests than this take longer than a coffee. They are named instead. */
const MOST = 12

/** They read all of the sources or documents, and take a second or two. */
const RULES = [
  'packages/server/test/tidy.test.ts',
  'packages/server/test/docs/decisions.test.ts',
  'packages/server/test/docs/written-docs.test.ts',
  'packages/dashboard/test/house.test.ts',
]

const UNTRACKED = ['--others', '--exclude-standard']
const git = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean)

/** Vitest's arguments, with `--changed` or `--changed=REF` turned into the names of tests. */
export function withChangedTests(args, stream) {
  const asked = args.find((arg) => arg === '--changed' || arg.startsWith('--changed='))
  if (asked === undefined) return args
  const base = asked.split('=')[1] ?? 'HEAD'
  const changed = [...git('diff', '--name-only', base), ...git('ls-files', ...UNTRACKED)]
  const sources = git('ls-files', '--cached', ...UNTRACKED, 'packages').filter((path) => /\.tsx?$/.test(path))
  const imports = sources.filter((path) => existsSync(join(ROOT, path))).map((path) => [path, importsOf(path)])
  const { near, tooMany, none } = testsNear(changed, new Map(imports))
  for (const { path, count } of tooMany)
    stream.write(`  ! ${path} is near to ${count} more tests: npm test runs them\n`)
  for (const path of none) stream.write(`  ! ${path} is imported by no test: name one, npm test -- PATH\n`)
  const projects = ['suite', 'alone', ...(near.some((path) => path.includes('/test/browser/')) ? ['browser'] : [])]
  const rest = args.filter((arg) => arg !== asked)
  return [...projects.flatMap((name) => ['--project', name]), ...rest, ...new Set([...RULES, ...near])]
}

function importsOf(path) {
  const specifiers = [...readFileSync(join(ROOT, path), 'utf8').matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)]
  return specifiers.map((match) => relative(ROOT, resolve(ROOT, path, '..', match[1])))
}

const isTest = (path) => path.endsWith('.test.ts')

/**
 * For each changed source: the tests that have its name, and those that fewest imports lead to. `imports` has every file
 * with what it imports.
 */
export function testsNear(changed, imports) {
  const users = new Map()
  for (const [path, targets] of imports)
    for (const target of targets) users.set(target, [...(users.get(target) ?? []), path])
  const tests = [...imports.keys()].filter(isTest)
  const near = new Set()
  const tooMany = []
  const none = []
  for (const path of changed.filter((each) => /\.tsx?$/.test(each))) {
    if (isTest(path)) {
      if (imports.has(path)) near.add(path)
      continue
    }
    const name = basename(path).replace(/\.tsx?$/, '')
    const named = tests.filter((test) => basename(test).startsWith(`${name}.`))
    const importing = nearest(path, users)
    const groups = [named, importing].filter(({ length }) => length > 0)
    for (const group of groups.filter(({ length }) => length <= MOST)) for (const test of group) near.add(test)
    if (groups.length === 0) none.push(path)
    const left = groups.filter(({ length }) => length > MOST)
    if (left.length > 0) tooMany.push({ path, count: new Set(left.flat()).size })
  }
  return { near: [...near], tooMany, none }
}

/** Goes from a file to the files that import it, and on to those that import them, until there are tests among them. */
function nearest(path, users) {
  const seen = new Set([path])
  let level = [path]
  while (level.length > 0) {
    level = [...new Set(level.flatMap((each) => users.get(each) ?? []))].filter((each) => !seen.has(each))
    for (const each of level) seen.add(each)
    const tests = level.filter(isTest)
    if (tests.length > 0) return tests
  }
  return []
}
