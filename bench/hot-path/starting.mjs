// What it takes to start, and to do nothing: Node alone, the command line's help, `npm start` on a database that is there.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'

import { endsWithUs } from './ending.mjs'
import { canSeeCpu, secondsOf } from './machine.mjs'

const ROOT = join(import.meta.dirname, '../..')
const KESTREL = join(ROOT, 'packages/server/bin/kestrel.mjs')
const PORT = 26_400
const STARTS_WITHIN_MS = 120_000

const ended = (child) => new Promise((resolve) => child.once('exit', resolve))
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Runs a program of Node's again and again; the middle of how long it took. */
export const runs = (...args) => ({
  round: async (bench) => {
    const took = []
    for (let nth = 0; nth < (bench.isQuick ? 5 : 15); nth++) {
      const startedAt = performance.now()
      const code = await ended(spawn(process.execPath, args, { cwd: ROOT, stdio: 'ignore' }))
      if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}.`)
      took.push(performance.now() - startedAt)
    }
    return inTheMiddle(took)
  },
})

export const help = runs(KESTREL, '--help')

/** From `npm start` to the first answer of /healthz, on a data directory that was used before. */
export const npmStart = {
  round: async (bench) => {
    if (!existsSync(homeOf(bench))) await (await start(bench)).stop()
    const took = []
    const beganAt = performance.now()
    let outside = 0
    for (let nth = 0; nth < (bench.isQuick ? 1 : 3); nth++) {
      const started = await start(bench)
      took.push(started.ms)
      outside += started.outsideSeconds()
      await started.stop()
    }
    return { ...inTheMiddle(took), ownShare: shareOf(outside, beganAt) }
  },
}

/** The share of one core that all processes of `npm start` take together when nobody asks for anything. */
export const idle = {
  round: async (bench) => {
    const started = await start(bench)
    try {
      // Starting leaves something to tidy up.
      await pause(bench.isQuick ? 20_000 : 45_000)
      const beganAt = performance.now()
      const before = started.seconds()
      const outside = started.outsideSeconds()
      await pause(bench.isQuick ? 20_000 : 60_000)
      const share = ((started.seconds() - before) / (performance.now() - beganAt)) * 100_000
      const ownShare = shareOf(started.outsideSeconds() - outside, beganAt)
      // Rounds are sorted by their rate: the more of a core is left, the better.
      return { rate: 100 - share, count: 1, p50: share, p99: share, share, ownShare }
    } finally {
      await started.stop()
    }
  },
}

const homeOf = (bench) => join(bench.postgres.home, 'npm-start')
const shareOf = (seconds, beganAt) => seconds / ((performance.now() - beganAt) / 1_000) / cpus().length

function inTheMiddle(took) {
  const sorted = took.toSorted((one, other) => one - other)
  const p50 = sorted[Math.floor(sorted.length / 2)]
  return { rate: 1_000 / p50, count: took.length, p50, p99: sorted.at(-1) }
}

async function start(bench) {
  const home = homeOf(bench)
  mkdirSync(home, { recursive: true })
  const { DATABASE_URL: _url, PUBLIC_URL: _public, BANK_SANDBOX_URL: _bank, ...rest } = process.env
  const env = { ...rest, DATA_DIR: home, PORT: String(PORT), BANK_PORT: String(PORT + 1) }
  const startedAt = performance.now()
  const npm = endsWithUs(
    spawn('npm', ['start'], { cwd: ROOT, env, stdio: 'ignore', shell: process.platform === 'win32' }),
  )
  const gone = ended(npm)
  while (!(await isHealthy())) {
    if (npm.exitCode !== null) throw new Error(`npm start ended with ${npm.exitCode}. See ${home}/kestrel.log.`)
    if (performance.now() - startedAt > STARTS_WITHIN_MS) throw new Error('npm start did not come up.')
    await pause(5)
  }
  const ms = performance.now() - startedAt
  // Written a moment after the first answer.
  while (!existsSync(join(home, 'api.json'))) await pause(5)
  const { pid } = JSON.parse(readFileSync(join(home, 'api.json'), 'utf8'))
  const postmaster = Number(readFileSync(join(home, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
  return {
    ms,
    /** Of PostgreSQL, where it is no descendant of ours. */
    outsideSeconds: () => (canSeeCpu ? secondsOf(process.pid, postmaster) - secondsOf(process.pid) : 0),
    seconds: () => (canSeeCpu ? secondsOf(npm.pid, postmaster) : Number.NaN),
    stop: async () => {
      // Kestrel itself and not npm, which would not wait for it.
      process.kill(pid, 'SIGTERM')
      await gone
    },
  }
}

async function isHealthy() {
  try {
    return (await fetch(`http://127.0.0.1:${PORT}/healthz`)).ok
  } catch {
    return false
  }
}
