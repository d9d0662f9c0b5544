import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuilt } from './build.mjs'
import { ExpectedFailure, reportingFailures } from './expected-failure.mjs'
import { ensureInstalled } from './install.mjs'
import { ROOT } from './paths.mjs'

const bench = (file) => import(pathToFileURL(join(ROOT, 'bench/hot-path', file)).href)

/** Measures what is built from the sources as they are now. stdout belongs to the figures (--json). */
export async function runBench() {
  const asked = await reportingFailures(async () => {
    await ensureInstalled('full', process.stderr)
    const { USAGE, readOptions } = await bench('options.mjs')
    const options = optionsOrFailure(readOptions)
    if (options.isHelp) {
      process.stdout.write(USAGE)
      return null
    }
    await ensureBuilt(process.stderr)
    return options
  })
  if (asked === null) return
  const { main } = await bench('main.mjs')
  try {
    await main(asked)
  } catch (error) {
    if (error.exitCode === undefined) throw error
    process.stderr.write(`${error.message} What it had started is stopped.\n`)
    process.exit(error.exitCode)
  }
}

function optionsOrFailure(readOptions) {
  try {
    return readOptions(process.argv.slice(2))
  } catch (error) {
    throw new ExpectedFailure(error.message, { cause: error })
  }
}
