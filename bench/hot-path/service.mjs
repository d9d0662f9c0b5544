// Kestrel as it is run in production: an API, a worker and, where one is asked for, the bundled bank, each a process of
// its own on the bench's PostgreSQL.
import { spawn } from 'node:child_process'
import { join } from 'node:path'

import { endsWithUs } from './ending.mjs'
import { startInstantBank } from './instant-bank.mjs'

const BUNDLE = join(import.meta.dirname, '../../packages/server/dist/kestrel.mjs')
const STARTS_WITHIN_MS = 60_000

/** `bank`: null for the simulated rail, 'bundled', or { delayMs } of one that answers from memory. */
export async function startService(postgres, { name, secrets, bank, port, nodeFlags }) {
  const processes = []
  const env = {
    ...withoutOurs(process.env),
    DATABASE_URL: postgres.urlOf(name),
    DATA_DIR: join(postgres.home, name),
    KESTREL_SEAL_KEY: secrets.sealKey.toString('hex'),
    KESTREL_FINGERPRINT_KEY: secrets.fingerprintKey.toString('hex'),
    BANK_SANDBOX_API_KEY: secrets.bankKey,
    BANK_CONTROL_KEY: secrets.controlKey,
    RATE_LIMIT_PER_SECOND: '0',
    NETWORK_RATE_PER_SECOND: '0',
    LOG_LEVEL: 'info',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    BANK_SANDBOX_URL: 'none',
  }
  const begin = async (role, extra, awaited) => {
    const started = await startProcess([...nodeFlags, BUNDLE, role], { ...env, ...extra }, awaited)
    processes.unshift(started)
    return started
  }
  const stop = async () => {
    for (const each of processes) await each.stop()
  }
  try {
    return { ...(await startAll({ begin, processes, env }, { name, postgres, bank, port })), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startAll({ begin, processes, env }, { name, postgres, bank, port }) {
  const pids = { bank: [] }
  let instant = null
  if (bank !== null) {
    const opened = await begin(
      'bank',
      { DATABASE_URL: postgres.urlOf(`${name}_bank`), BANK_PORT: String(port + 1) },
      'the sandbox bank is open',
    )
    env.BANK_SANDBOX_URL = `${opened.line.url}/v0`
    pids.bank.push(opened.pid)
    if (bank !== 'bundled') {
      instant = await startInstantBank({ port: port + 2, behind: opened.line.url, delayMs: bank.delayMs })
      processes.unshift(instant)
      env.BANK_SANDBOX_URL = instant.url
      pids.bank.push(instant.pid)
    }
  }
  const api = await begin('api', {}, 'serving')
  const worker = await begin('worker', {}, 'working')
  return {
    url: api.line.url,
    pids: { ...pids, node: [api.pid, worker.pid] },
    apiPid: api.pid,
    workerPid: worker.pid,
    /** Null: the transfers are in the bundled bank's books. */
    countTransfers: instant === null ? null : instant.count,
  }
}

function withoutOurs(env) {
  const { DATABASE_URL: _url, PUBLIC_URL: _public, ...rest } = env
  return rest
}

function startProcess(args, env, awaited) {
  const role = args.at(-1)
  const child = endsWithUs(spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] }))
  const said = []
  child.stderr.on('data', (text) => said.push(String(text)))
  const ended = new Promise((resolve) => child.once('exit', resolve))
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`kestrel ${role} did not start:\n${said.join('')}`)),
      STARTS_WITHIN_MS,
    )
    void ended.then((code) => reject(new Error(`kestrel ${role} ended with ${code}:\n${said.slice(-40).join('')}`)))
    const stop = async () => {
      child.kill('SIGTERM')
      await ended
    }
    const begun = firstLine(awaited, (line) => {
      clearTimeout(timer)
      resolve({ pid: child.pid, line, stop })
    })
    let isBegun = false
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said.push(text)
      if (said.length > 200) said.splice(0, 100)
      isBegun ||= begun(text)
    })
  })
}

/** Looks for a line of the log, and at none after it: thousands come per second, and reading them takes time from what is measured. */
function firstLine(awaited, found) {
  let rest = ''
  return (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()
    for (const line of lines) {
      if (!line.includes(awaited)) continue
      const said = JSON.parse(line)
      if (said.msg !== awaited) continue
      found(said)
      return true
    }
    return false
  }
}
