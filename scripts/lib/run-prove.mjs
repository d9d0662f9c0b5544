import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { ensureBuilt } from './build.mjs'
import { bundled } from './bundled.mjs'
import { ExpectedFailure, reportingFailures } from './expected-failure.mjs'
import { ensureInstalled } from './install.mjs'
import { PACKAGES, ROOT } from './paths.mjs'
import { runMutants, withResult } from './run-mutants.mjs'
import { runTool } from './tools.mjs'

const PROVE = join(PACKAGES, 'server', 'test', 'prove')
const FIGURES = join(PROVE, 'figures.json')
const REPORTER = 'packages/server/test/prove/proof-reporter.ts'
/** Each proof once: the API's tests run through the bank, and pages in a browser, are for `npm test`. */
const PROJECTS = ['suite', 'alone', 'after'].flatMap((name) => ['--project', name])

const OPTIONS = {
  only: { type: 'string', default: '' },
  seed: { type: 'string', default: '' },
  long: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  keep: { type: 'boolean', default: false },
}

/** Every promise with its proofs, run, and with its mutants, caught: `npm run prove -- --only paid-once --seed 5`. */
export async function runProve() {
  const { values, table, ids } = await reportingFailures(prepare)
  // With --json, stdout belongs to the figures.
  const stdio = values.json ? 'pipe' : 'inherit'
  const say = (text) => (values.json ? process.stderr : process.stdout).write(`${text}\n`)
  const env = { ...(values.long ? table.longSizes(ids) : {}), ...seeds(values.seed) }
  say(`Proofs of ${ids.length} promises${values.seed === '' ? '' : `, seed ${values.seed}`}`)
  const proofs = await withResult('proofs.json', (file) =>
    runTool('vitest/vitest.mjs', ['run', '--reporter', REPORTER, ...PROJECTS, ...table.filesOf(ids)], stdio, {
      ...env,
      PROOFS_OUT: file,
    }),
  )
  say('Mutants')
  const tried = await runMutants({ only: values.only, stdio })
  const mutants = (tried ?? []).filter(({ promise }) => ids.includes(promise))
  const promises = table.provedPromises(ids, { tests: proofs?.tests ?? [], mutants })
  const isProved = holds({ proofs, promises })
  if (values.json) process.stdout.write(`${JSON.stringify({ isProved, promises }, null, 2)}\n`)
  else say(`\n${table.proofTable(promises)}\n\n${isProved ? '  All of it holds.' : '  ✖ Not proved.'}`)
  for (const survivor of promises.flatMap(({ survivors }) => survivors)) say(`  ✖ survived: ${survivor}`)
  if (values.keep && isProved) keep(promises, values.long ? 'long' : 'small')
  process.exitCode = isProved ? 0 : 1
}

async function prepare() {
  const { values } = readArguments()
  if (!/^\d{0,9}$/.test(values.seed)) {
    throw new ExpectedFailure(`--seed must be a whole number; it is "${String(values.seed)}".`)
  }
  if (values.keep && values.only !== '') throw new ExpectedFailure('--keep keeps a whole run; leave --only out.')
  await ensureInstalled('full', process.stderr)
  await ensureBuilt(process.stderr)
  const table = await bundled(join(PROVE, 'proof-table.ts'))
  const ids = table.promisesLike(values.only)
  if (ids.length === 0) {
    throw new ExpectedFailure(
      `No promise, proof or mutant is called "${String(values.only)}". The promises: ${table.promisesLike('').join(', ')}.`,
    )
  }
  return { values, table, ids }
}

function readArguments() {
  try {
    return parseArgs({ options: OPTIONS })
  } catch (error) {
    throw new ExpectedFailure(
      `${error.message} Known: --only NAME, --seed N, --long, --json, and --keep, which writes the figures down.`,
    )
  }
}

const seeds = (seed) => (seed === '' ? {} : { SEED: seed, FUZZ_SEED: seed })

/** A promise of which no test ran is not proved, nor is one whose run broke off. */
function holds({ proofs, promises }) {
  const isWhole = proofs !== null && proofs.errors === 0
  const isEach = ({ tests, violations, survivors }) => tests > 0 && violations === 0 && survivors.length === 0
  return isWhole && promises.every(isEach)
}

function keep(promises, size) {
  const kept = JSON.parse(readFileSync(FIGURES, 'utf8'))
  const sum = (of) => promises.reduce((total, { mutants }) => total + mutants[of], 0)
  kept[size] = {
    on: new Date().toISOString().slice(0, 10),
    mutants: { caught: sum('caught'), of: sum('of') },
    promises: Object.fromEntries(promises.map(({ id, tests, runs, violations }) => [id, { tests, runs, violations }])),
  }
  writeFileSync(FIGURES, `${JSON.stringify(kept, null, 2)}\n`)
  process.stdout.write(`  kept in ${FIGURES.slice(ROOT.length)}; npm run docs writes them down\n`)
}
