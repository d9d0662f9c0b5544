import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { NODE_MODULES, ROOT } from './paths.mjs'

/** Runs a tool's script from node_modules with this Node; gives { ok, code, output }. `env` is added to ours. */
export function runTool(script, args, stdio, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(NODE_MODULES, script), ...args], {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: ['inherit', stdio, stdio],
    })
    const chunks = []
    child.stdout?.on('data', (chunk) => chunks.push(chunk))
    child.stderr?.on('data', (chunk) => chunks.push(chunk))
    const pass = (signal) => child.kill(signal)
    process.on('SIGINT', stay).on('SIGTERM', pass)
    child.on('error', reject)
    child.on('close', (code) => {
      process.off('SIGINT', stay).off('SIGTERM', pass)
      resolve({ ok: code === 0, code: code ?? 1, output: Buffer.concat(chunks).toString() })
    })
  })
}

/** The tests, with everything vitest prints shown as it comes. */
export function runVitest(args) {
  return runTool('vitest/vitest.mjs', ['run', ...args], 'inherit')
}

/** The tool gets a terminal's Ctrl-C itself; we stay to hand on its exit code. */
function stay() {}
