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

/** A bank whose process has begun. It reads its program while its database does not exist yet. */
export interface BegunBank {
  readonly open: (databaseUrl: string) => Promise<SandboxBank>
  readonly close: () => Promise<void>
}

/** The parent's message to its child: where its books are. */
export interface BankBooks {
  readonly databaseUrl: string
}

export function beginSandboxBank(config: Config, secrets: Secrets): BegunBank {
  const launch = (port: number | null) => launchBank(port, { config, secrets })
  let child = launch(null)
  let isClosing = false
  const close = async () => {
    isClosing = true
    forgetAddress(config.dataDir, 'bank')
    await stop(child)
  }
  const open = async (databaseUrl: string): Promise<SandboxBank> => {
    const books: BankBooks = { databaseUrl: bankDatabaseUrl(databaseUrl) }
    const opening = ready(child)
    tell(child, books)
    const { url, notes } = await opening
    const port = Number.parseInt(new URL(url).port, 10)
    // A bank that crashes is back in a moment, at the same address and with the same books.
    const keepOpen = () => {
      noteAddress(config.dataDir, 'bank', { url: `${url}/v0`, pid: child.pid })
      child.once('exit', () => void reopen())
    }
    const reopen = async () => {
      await pause(PAUSE_BEFORE_RESTART_MS)
      if (isClosing) return
      child = launch(port)
      tell(child, books)
      keepOpen()
    }
    keepOpen()
    return { url: `${url}/v0`, notes, close }
  }
  return { open, close }
}

/** A child that has ended is noticed by its end, and not here. */
function tell(child: ChildProcess, books: BankBooks): void {
  child.send(books, () => undefined)
}

/** Without a port, uses the configured one. A bank that comes back must be where it was, or nowhere. */
function launchBank(port: number | null, { config, secrets }: { config: Config; secrets: Secrets }): ChildProcess {
  return fork(process.argv[1]!, ['bank'], {
    // A session of its own: Ctrl-C must not end it before the API has finished with it.
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...readEnv(),
      // Told when it is known; what is in our environment is not the bank's.
      DATABASE_URL: '',
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
  const couldNot = () =>
    new Error('The sandbox bank could not start; its reason stands above. BANK_SANDBOX_URL=none does without it.')
  if (child.exitCode !== null || child.signalCode !== null) throw couldNot()
  const [message] = (await Promise.race([
    once(child, 'message', { signal: deadline }),
    once(child, 'exit', { signal: deadline }).then(() => {
      throw couldNot()
    }),
  ])) as [BankReady]
  return message
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}
