import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { ensureBuilt } from './build.mjs'
import { bundled } from './bundled.mjs'
import { ExpectedFailure, reportingFailures } from './expected-failure.mjs'
import { ensureInstalled } from './install.mjs'
import { PACKAGES, ROOT } from './paths.mjs'
import { runMistakes } from './run-mistakes.mjs'
import { runMutants, tellOfMutants, withResult } from './run-mutants.mjs'
import { runTool } from './tools.mjs'

const PROVE = join(PACKAGES, 'server', 'test', 'prove')
const FIGURES = join(PROVE, 'figures.json')
const REPORTER = 'packages/server/test/prove/proof-reporter.ts'
/** Each proof once: the API's tests run through the bank, and pages in a browser, are for `npm test`. */
const PROJECTS = ['suite', 'alone', 'after'].flatMap((name) => ['--project', name])

const OPTIONS = {
  only: { type: 'string', default: '' },
  against: { type: 'string', default: '' },
  seed: { type: 'string', default: '' },
  long: { type: 'boolean', default: false },
  mistakes: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  keep: { type: 'boolean', default: false },
}

/**
 * Every promise with its proofs, run, and with its mutants, caught: `npm run prove -- --only paid-once --seed 5`. With a
 * mutant's own name, that mutant alone.
 */
export async function runProve() {
  const { values, table, ids } = await reportingFailures(prepare)
  if (values.mistakes) {
    const scores = await runMistakes({ only: values.only, stream: process.stdout })
    if (values.keep && scores !== null && values.only === '') keepMistakes(scores)
    process.exitCode = scores === null ? 1 : 0
    return
  }
  if (values.against !== '') {
    tellOfMutants(await runMutants({ only: values.only, against: values.against }), process.stdout)
    return
  }
  if (table.isMutant(values.only)) {
    process.exitCode = tellOfMutants(await runMutants({ only: values.only }), process.stdout) ? 0 : 1
    return
  }
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
  const mutants = (await runMutants({ only: values.only === '' ? '' : ids.join(','), stdio })) ?? []
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
  if (!['', 'simulation'].includes(values.against)) {
    throw new ExpectedFailure(`--against knows the simulation only; it is "${String(values.against)}".`)
  }
  await ensureInstalled('full', process.stderr)
  await ensureBuilt(process.stderr)
  const table = await bundled(join(PROVE, 'proof-table.ts'))
  const ids = table.promisesLike(values.only)
  if (ids.length === 0 && !values.mistakes) {
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
      `${error.message} Known: --only NAME, --seed N, --long, --json, --against simulation, --mistakes (small ones in the rules of money), and --keep, which writes the figures down.`,
    )
  }
}

const seeds = (seed) => (seed === '' ? {} : { SEED: seed, FUZZ_SEED: seed })

/** A promise of which no test ran is not proved, nor is one whose run broke off. */
function holds({ proofs, promises }) {
  const isWhole = proofs !== null && proofs.errors === 0
  const isEach = ({ tests, violations, mutants }) =>
    tests > 0 && violations === 0 && mutants.of > 0 && mutants.caught === mutants.of
  return isWhole && promises.every(isEach)
}

function keep(promises, size) {
  const kept = JSON.parse(readFileSync(FIGURES, 'utf8'))
  for (const { id, tests, runs, violations, mutants } of promises) {
    kept[size][id] = { on: today(), tests, runs, violations, mutants }
  }
  write(kept)
}

function keepMistakes(scores) {
  const kept = JSON.parse(readFileSync(FIGURES, 'utf8'))
  kept.mistakes = { on: today(), scores: scores.map(({ file, noticed, of: tried }) => ({ file, noticed, of: tried })) }
  write(kept)
}

const today = () => new Date().toISOString().slice(0, 10)

function write(kept) {
  writeFileSync(FIGURES, `${JSON.stringify(kept, null, 2)}\n`)
  process.stdout.write(`  kept in ${FIGURES.slice(ROOT.length)}; npm run docs writes them down\n`)
}
