// `kestrel bank`: the sandbox bank alone.
import { once } from 'node:events'

import { createBankDatabase, startBank } from '@kestrel/bank'

import { type Config, ConfigError } from '../config/config.ts'
import type { Env } from '../config/env.ts'
import { readSecrets } from '../config/secrets.ts'
import { createLogger } from '../logging.ts'
import { boundHeap } from './bounded-heap.ts'
import { gatherLines } from './gathered-lines.ts'
import { openOnFreePort } from './listen.ts'
import { openLogFile } from './log-file.ts'
import { openStdout } from './log-writer.ts'
import type { BankBooks, BankReady } from './sandbox-bank.ts'
import type { Life } from './shutdown.ts'

export async function runBank(config: Config, env: Env, life: Life): Promise<void> {
  const isChild = process.send !== undefined
  if (config.databaseUrl === null && !isChild) {
    throw new ConfigError(['DATABASE_URL must be set for the bank alone. `kestrel serve` brings everything.'])
  }
  // Without the service this bank has nobody to serve.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  const databaseUrl = config.databaseUrl ?? (await booksFromParent(life.ending))
  const destination = gatherLines(isChild ? openLogFile(config.dataDir, 'bank.log').destination : openStdout())
  const log = createLogger({ level: config.logLevel, destination })
  life.closeFirst('log', async () => destination.flushSync())
  life.reportTo((problem) => log.error({ problem }, 'shutdown'))
  await createBankDatabase(databaseParts(databaseUrl))
  const { bankHost: host } = config
  const { apiKey, controlKey } = await bankKeys(config, env)
  const { opened: bank, notes } = await openOnFreePort({
    host,
    port: config.bankPort,
    name: 'BANK_PORT',
    isFixed: config.isBankPortGiven,
    open: (port) => startBank({ databaseUrl, host, port, apiKey, controlKey, log }),
  })
  life.closeFirst('bank', () => bank.close())
  // Not before: what reading the program throws away would be cleared again and again.
  boundHeap()
  const ready: BankReady = { url: bank.url, notes }
  if (isChild) process.send?.(ready)
  else log.info(ready, 'the sandbox bank is open')
}

/** `kestrel serve` begins the bank's process before it knows the database. */
async function booksFromParent(ending: AbortSignal): Promise<string> {
  const [books] = (await once(process, 'message', { signal: ending })) as [BankBooks]
  return books.databaseUrl
}

/** Where both are given, the bank needs no other secret, and makes no file: it seals nothing for anybody. */
async function bankKeys({ dataDir }: Config, env: Env): Promise<{ apiKey: string; controlKey: string }> {
  const { BANK_SANDBOX_API_KEY: apiKey = '', BANK_CONTROL_KEY: controlKey = '' } = env
  if (apiKey !== '' && controlKey !== '') return { apiKey, controlKey }
  const { bank } = await readSecrets(env, { dataDir, mayMake: true })
  return { apiKey: bank.sandboxApiKey, controlKey: bank.controlKey }
}

function databaseParts(databaseUrl: string): { adminUrl: string; database: string } {
  const url = new URL(databaseUrl)
  const database = url.pathname.slice(1)
  url.pathname = '/postgres'
  return { adminUrl: url.href, database }
}
