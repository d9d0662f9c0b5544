// The bundled sandbox bank as a program of its own: a child process with its own database in the same PostgreSQL.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

import type { Config } from '../config/config.ts'
import { readEnv } from '../config/env.ts'
import type { Secrets } from '../config/secrets.ts'
import { findNoted, forgetAddress, noteAddress } from './noted-address.ts'

export interface SandboxBank {
  readonly url: string
  readonly notes: readonly string[]
  readonly close: () => Promise<void>
}

/** The child's message to its parent once it is ready. */
export interface BankReady {
  readonly url: string
  readonly notes: readonly string[]
}

const LONGEST_START_MS = 20_000
const PAUSE_BEFORE_RESTART_MS = 500

export async function startSandboxBank(config: Config, secrets: Secrets, databaseUrl: string): Promise<SandboxBank> {
  const launch = (port: number | null) => launchBank(port, { config, secrets, databaseUrl })
  let child = launch(null)
  const { url, notes } = await ready(child)
  const port = Number.parseInt(new URL(url).port, 10)
  let isClosing = false
  // A bank that crashes is back in a moment, at the same address and with the same books.
  const keepOpen = () => {
    noteAddress(config.dataDir, 'bank', { url: `${url}/v0`, pid: child.pid })
    child.once('exit', () => void reopen())
  }
  const reopen = async () => {
    await pause(PAUSE_BEFORE_RESTART_MS)
    if (isClosing) return
    child = launch(port)
    keepOpen()
  }
  keepOpen()
  return {
    url: `${url}/v0`,
    notes,
    close: async () => {
      isClosing = true
      forgetAddress(config.dataDir, 'bank')
      await stop(child)
    },
  }
}

/** Without a port, uses the configured one. A bank that comes back must be where it was, or nowhere. */
function launchBank(
  port: number | null,
  { config, secrets, databaseUrl }: { config: Config; secrets: Secrets; databaseUrl: string },
): ChildProcess {
  return fork(process.argv[1]!, ['bank'], {
    // A session of its own: Ctrl-C must not end it before the API has finished with it.
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...readEnv(),
      DATABASE_URL: bankDatabaseUrl(databaseUrl),
      DATA_DIR: config.dataDir,
      // It moves test money for anybody who reaches it, so it listens on this machine alone, even if the API does not.
      BANK_HOST: '127.0.0.1',
      ...(port === null ? {} : { BANK_PORT: String(port) }),
      BANK_SANDBOX_API_KEY: secrets.bank.sandboxApiKey,
      BANK_CONTROL_KEY: secrets.bank.controlKey,
    },
  })
}

/** The address of a running server's bundled bank, for commands beside it; null when there is none. */
export function findRunningBank(dataDir: string): string | null {
  return findNoted(dataDir, 'bank')
}

/** Beside the service's own database and named after it, so that two services on one PostgreSQL have two banks. */
export function bankDatabaseUrl(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.pathname = `${url.pathname}_bank`
  return url.href
}

async function ready(child: ChildProcess): Promise<BankReady> {
  const deadline = AbortSignal.timeout(LONGEST_START_MS)
  const [message] = (await Promise.race([
    once(child, 'message', { signal: deadline }),
    once(child, 'exit', { signal: deadline }).then(() => {
      throw new Error(
        'The sandbox bank could not start; its reason stands above. BANK_SANDBOX_URL=none does without it.',
      )
    }),
  ])) as [BankReady]
  return message
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}
