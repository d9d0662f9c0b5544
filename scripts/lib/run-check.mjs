import { ensureBuilt } from './build.mjs'
import { reportingFailures } from './expected-failure.mjs'
import { ensureInstalled } from './install.mjs'
import { runMutants, tellOfMutants } from './run-mutants.mjs'
import { stepLine, wantsColour } from './step-line.mjs'
import { runTool, runVitest } from './tools.mjs'

const CHECKS = [
  { label: 'Format', script: 'oxfmt/bin/oxfmt', args: ['--check'] },
  { label: 'Types', script: 'typescript/bin/tsc', args: ['-p', 'tsconfig.json', '--noEmit'] },
  { label: 'Types', script: 'typescript/bin/tsc', args: ['-p', 'packages/dashboard/tsconfig.json', '--noEmit'] },
  { label: 'Lint', script: 'oxlint/bin/oxlint', args: ['--type-aware'] },
]

/** Every check in turn; the first failure shows its output and ends the run. */
export async function runCheck() {
  await reportingFailures(() => ensureInstalled('full', process.stdout))
  for (const check of CHECKS) {
    const code = await passes(check)
    if (code !== 0) return end(code)
  }
  await reportingFailures(() => ensureBuilt(process.stdout))
  const startedAt = performance.now()
  const wanted = process.argv.slice(2)
  const { code } = await runVitest(wanted)
  if (code !== 0) return end(code)
  say({ label: 'Tests', detail: 'vitest run' }, startedAt)
  if (wanted.length === 0 && !tellOfMutants(await runMutants(), process.stdout)) return end(1)
}

async function passes({ label, script, args }) {
  const startedAt = performance.now()
  const { code, output } = await runTool(script, args, 'pipe')
  const detail = [script.split('/').at(-1), ...args].join(' ')
  if (code === 0) say({ label, detail }, startedAt)
  else process.stdout.write(`${output.trimEnd()}\n\n  ✖ ${label.padEnd(17)}${detail}\n`)
  return code
}

function say(step, startedAt) {
  const line = stepLine({ ...step, ms: performance.now() - startedAt }, wantsColour(process.stdout))
  process.stdout.write(`${line}\n`)
}

function end(code) {
  process.exitCode = code
}
