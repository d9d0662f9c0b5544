// What could keep the service from running: one finding each, with its cure.
import { access, constants, mkdir, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'

import type { Environment } from '@kestrel/contract'

import { systemClock } from '../core/clock.ts'
import { providerRail } from '../domain/banking/apply-transfers.ts'
import type { Deps } from '../domain/deps.ts'
import { type DatabaseFacts, readDatabaseFacts } from '../storage/database-facts.ts'
import { type CommandContext, withDeps } from './context.ts'

export interface Finding {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
}

const OLDEST_POSTGRES = 15
const LARGEST_CLOCK_DIFFERENCE_MS = 2_000

export async function examine(context: CommandContext): Promise<Finding[]> {
  return [
    nodeFinding(),
    await dataDirFinding(context.config.dataDir),
    await secretsFinding(context),
    await portFinding(context.config.host, context.config.port),
    ...(await databaseFindings(context)),
  ]
}

function nodeFinding(): Finding {
  return { name: 'Node', ok: true, detail: `${process.version}, ${process.platform} ${process.arch}` }
}

async function dataDirFinding(dataDir: string): Promise<Finding> {
  try {
    await mkdir(dataDir, { recursive: true })
    await access(dataDir, constants.W_OK)
    return { name: 'Data directory', ok: true, detail: dataDir }
  } catch {
    return { name: 'Data directory', ok: false, detail: `${dataDir} cannot be written. Set DATA_DIR to one that can.` }
  }
}

async function secretsFinding({ config, env }: CommandContext): Promise<Finding> {
  if ((env['KESTREL_SEAL_KEY'] ?? '') !== '') return { name: 'Secrets', ok: true, detail: 'from the environment' }
  const path = join(config.dataDir, 'secrets.json')
  const found = await stat(path).catch(() => null)
  if (found === null) return { name: 'Secrets', ok: true, detail: 'made at the first start' }
  const isPrivate = process.platform === 'win32' || (found.mode & 0o077) === 0
  return {
    name: 'Secrets',
    ok: isPrivate,
    detail: isPrivate ? path : `${path} can be read by others. Run: chmod 600 ${path}`,
  }
}

async function portFinding(host: string, port: number): Promise<Finding> {
  const isTaken = await new Promise<boolean>((resolve) => {
    const socket = connect({ host, port, timeout: 1_000 })
    const end = (taken: boolean) => {
      socket.destroy()
      resolve(taken)
    }
    socket
      .once('connect', () => end(true))
      .once('error', () => end(false))
      .once('timeout', () => end(false))
  })
  const detail = isTaken ? `${port} is in use; a start would take the next one` : `${port} is free`
  return { name: 'Port', ok: true, detail }
}

async function databaseFindings(context: CommandContext): Promise<Finding[]> {
  try {
    return await withDeps(context, async (deps) => [
      ...judge(await readDatabaseFacts(deps)),
      await bankFinding(deps, 'sandbox'),
      await bankFinding(deps, 'live'),
      invoiceFinding(deps),
    ])
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return [
      { name: 'Database', ok: false, detail: `${reason} Check DATABASE_URL, or unset it to use the embedded one.` },
    ]
  }
}

async function bankFinding(deps: Deps, environment: Environment): Promise<Finding> {
  const name = environment === 'live' ? 'Live bank' : 'Sandbox bank'
  if (deps.banks[environment] === null) {
    const detail = environment === 'live' ? 'none: set BANK_LIVE_URL and BANK_LIVE_API_KEY' : 'none is running'
    return { name, ok: true, detail }
  }
  try {
    const { rate } = await deps.rails[providerRail(environment)].readRate()
    return { name, ok: true, detail: `answers; a dollar is ${rate.text} pounds` }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { name, ok: false, detail: `${reason} Check its address and its key (docs/operations.md).` }
  }
}

/** What an invoice lacks matters from the first live payout on. */
function invoiceFinding({ operator, banks }: Deps): Finding {
  const missing = [
    ...(operator.address.length === 0 ? ['OPERATOR_ADDRESS'] : []),
    ...(operator.paymentDetails === null ? ['OPERATOR_PAYMENT_DETAILS'] : []),
  ]
  if (missing.length === 0) return { name: 'Invoices', ok: true, detail: `are from ${operator.name}` }
  const detail = `do not say from where, or how to pay: set ${missing.join(' and ')}`
  return { name: 'Invoices', ok: banks.live === null, detail }
}

function judge(facts: DatabaseFacts): Finding[] {
  const skew = Math.abs(facts.now.getTime() - systemClock.now().getTime())
  const isDurable = facts.fsync === 'on' && facts.synchronousCommit !== 'off' && facts.fullPageWrites === 'on'
  return [
    {
      name: 'Database',
      ok: facts.majorVersion >= OLDEST_POSTGRES,
      detail: `PostgreSQL ${facts.version}${facts.majorVersion >= OLDEST_POSTGRES ? '' : `; ${OLDEST_POSTGRES} or newer is needed`}`,
    },
    {
      name: 'Durability',
      ok: isDurable,
      detail: isDurable
        ? 'acknowledged payouts survive a power cut'
        : 'fsync, synchronous_commit and full_page_writes must be on, or a power cut loses payouts',
    },
    {
      name: 'Clock',
      ok: skew <= LARGEST_CLOCK_DIFFERENCE_MS,
      detail:
        skew <= LARGEST_CLOCK_DIFFERENCE_MS
          ? 'agrees with the database'
          : `differs from the database’s by ${Math.round(skew / 1_000)} s. Set both by NTP.`,
    },
  ]
}
