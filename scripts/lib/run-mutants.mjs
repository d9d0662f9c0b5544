import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runTool } from './tools.mjs'

const CONFIGURATION = 'packages/server/test/prove/mutants.config.ts'

/**
 * Runs all mutants, or those with the text in their name or promise; gives what became of each. `against`: the simulation, in
 * place of the test that each is caught by.
 */
export async function runMutants({ only = '', against = '', stdio = 'inherit' } = {}) {
  return withResult('mutants.json', (file) =>
    runTool('vitest/vitest.mjs', ['run', '--config', CONFIGURATION], stdio, {
      MUTANTS_OUT: file,
      ONLY_MUTANT: only,
      AGAINST: against,
    }),
  )
}

/** Runs something that writes what it found into a file; null when it did not get that far. */
export async function withResult(name, run) {
  const folder = mkdtempSync(join(tmpdir(), 'kestrel-prove-'))
  try {
    const file = join(folder, name)
    await run(file)
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return null
    throw error
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** True when every mutant was caught. Says which were not. */
export function tellOfMutants(results, stream) {
  const survivors = (results ?? []).filter(({ isCaught }) => !isCaught)
  for (const { name, why } of survivors) stream.write(`  ✖ ${name} survived. ${why}\n`)
  const caught = (results ?? []).length - survivors.length
  stream.write(`  ${caught} of ${(results ?? []).length} mutants caught\n`)
  return results !== null && results.length > 0 && survivors.length === 0
}
