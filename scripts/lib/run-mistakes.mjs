import { runTool } from './tools.mjs'
import { withResult } from './run-mutants.mjs'

const CONFIGURATION = 'packages/server/test/prove/mutation/mutation.config.ts'
/** Of all small mistakes together; fewer, and the tests of these rules are not worth much. */
const LEAST = 0.85

/**
 * Makes every small mistake in the pure rules of money, or in those with the text in their path. Gives
 * the scores, or null where too few were noticed.
 */
export async function runMistakes({ only = '', stream }) {
  stream.write('Small mistakes in the pure rules of money, one at a time\n')
  const scores = await withResult('mistakes.json', (file) =>
    runTool('vitest/vitest.mjs', ['run', '--config', CONFIGURATION], 'inherit', {
      MUTATION_OUT: file,
      ONLY_SOURCE: only,
    }),
  )
  if (scores === null || scores.length === 0) {
    stream.write(`  ✖ ${scores === null ? 'The run broke off.' : `No source is called "${only}".`}\n`)
    return null
  }
  for (const score of scores) stream.write(`${lineOf(score)}\n`)
  for (const survivor of scores.flatMap(({ survivors }) => survivors)) stream.write(`  not noticed: ${survivor}\n`)
  const noticed = scores.reduce((sum, each) => sum + each.noticed, 0)
  const tried = scores.reduce((sum, each) => sum + each.of, 0)
  stream.write(`${lineOf({ file: 'together', noticed, of: tried })}\n`)
  return noticed / tried >= LEAST ? scores : null
}

const lineOf = ({ file, noticed, of: tried }) =>
  `  ${file.padEnd(48)} ${String(noticed).padStart(4)} of ${String(tried).padStart(4)}  ${Math.floor((noticed / tried) * 100)}%`
