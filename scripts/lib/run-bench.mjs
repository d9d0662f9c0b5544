import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuilt } from './build.mjs'
import { reportingFailures } from './expected-failure.mjs'
import { ensureInstalled } from './install.mjs'
import { ROOT } from './paths.mjs'

/** Measures what is built from the sources as they are now. stdout belongs to the figures (--json). */
export async function runBench() {
  await reportingFailures(async () => {
    await ensureInstalled('full', process.stderr)
    await ensureBuilt(process.stderr)
  })
  const { main } = await import(pathToFileURL(join(ROOT, 'bench/hot-path/main.mjs')).href)
  await main(process.argv.slice(2))
}
