import { spawn } from 'node:child_process'
import { ROOT } from './paths.mjs'

const OWN_GROUP = process.platform !== 'win32'

/**
 * Runs npm in the checkout and gives { ok, signalled, output }. Its output is kept back: npm is
 * only worth reading when it fails. A signal meant for us ends npm first, so that nothing runs on
 * unseen; the hard way, because npm takes Ctrl-C as a request to finish first, and a half install
 * is repaired at the next start anyway.
 */
export function runNpm(args, onSpawn) {
  const { command, first, shell } = findNpm()
  return new Promise((resolve) => {
    const child = spawn(command, [...first, ...args], {
      cwd: ROOT,
      shell,
      detached: OWN_GROUP,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const chunks = []
    let signalled = null
    const endNpm = (signal) => {
      signalled = signal
      if (OWN_GROUP) process.kill(-Number(child.pid), 'SIGKILL')
      else child.kill('SIGKILL')
    }
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
    for (const signal of signals) process.once(signal, endNpm)
    const finish = (ok, extra = '') => {
      for (const signal of signals) process.off(signal, endNpm)
      resolve({ ok, signalled, output: Buffer.concat(chunks).toString() + extra })
    }
    child.stdout.on('data', (chunk) => chunks.push(chunk))
    child.stderr.on('data', (chunk) => chunks.push(chunk))
    child.on('error', (error) => finish(false, `${error.message}\n`))
    child.on('close', (code) => finish(code === 0 && signalled === null))
    if (child.pid !== undefined) onSpawn(child.pid)
  })
}

/** The npm that runs us when there is one; it may not be the first on the PATH. */
function findNpm() {
  const running = process.env.npm_execpath ?? ''
  if (/[\\/]np[mx]-cli\.c?js$/.test(running)) {
    const cli = running.replace(/npx-cli(\.c?js)$/, 'npm-cli$1')
    return { command: process.execPath, first: [cli], shell: false }
  }
  return { command: 'npm', first: [], shell: process.platform === 'win32' }
}
