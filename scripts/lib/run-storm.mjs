import { parseArgs } from 'node:util'

import { ensureBuilt } from './build.mjs'
import { ExpectedFailure, reportingFailures } from './expected-failure.mjs'
import { ensureInstalled } from './install.mjs'
import { runVitest } from './tools.mjs'

const STORM = 'packages/server/test/process/webhook-storm.test.ts'
const OPTIONS = { payouts: { type: 'string', default: '2000' }, seed: { type: 'string', default: '' } }

function wholeNumber(name, text) {
  if (/^\d{0,9}$/.test(text)) return text
  throw new ExpectedFailure(`--${name} must be a whole number; it is "${text}".`)
}

/** The storm of the tests, as large as one likes: `npm run storm -- --payouts 2000 --seed 5`. */
export async function runStorm() {
  await reportingFailures(async () => {
    const { values } = parseArgs({ options: OPTIONS })
    process.env.STORM_PAYOUTS = wholeNumber('payouts', values.payouts)
    process.env.SEED = wholeNumber('seed', values.seed)
    await ensureInstalled('full', process.stdout)
    await ensureBuilt(process.stdout)
  })
  const { code } = await runVitest([STORM])
  process.exitCode = code
}
