// The environment as typed settings. All problems are reported at once.
import { isIP } from 'node:net'
import { resolve } from 'node:path'

import { type Operator, UNNAMED_OPERATOR } from '../core/operator.ts'
import type { Env } from './env.ts'

export interface Config {
  readonly host: string
  readonly port: number
  readonly dataDir: string
  readonly databaseUrl: string | null
  /** The owner of the tables, who migrates; null when DATABASE_URL is the owner's. */
  readonly migrateDatabaseUrl: string | null
  /** The database itself, where DATABASE_URL is a pooler of transactions before it; null: there is none. */
  readonly sessionDatabaseUrl: string | null
  readonly logLevel: string
  readonly rateLimitPerSecond: number
  /** Requests per second per network without a key or a session. */
  readonly networkLimitPerSecond: number
  /** The address that callers use, when it differs from the one listened on. */
  readonly publicUrl: string | null
  /** Where the sandbox bank listens: the bundled one on this machine only, `kestrel bank` where it is told to. */
  readonly bankHost: string
  readonly bankPort: number
  /** Whether the operator chose the port, or it is only where to begin looking. */
  readonly isBankPortGiven: boolean
  /** Another sandbox bank; `none` for no bank at all; null for the bundled one. */
  readonly sandboxBankUrl: string | null
  readonly liveBankUrl: string | null
  /** The operator's own wallet at each bank, where what payouts leave over goes; null: not named. */
  readonly sandboxExcessWallet: NamedWallet | null
  readonly liveExcessWallet: NamedWallet | null
  readonly sweepMs: number
  /** How many months of activity are kept; null: all. */
  readonly activityMonths: number | null
  /** The sender of mail; set whenever SMTP_URL is. */
  readonly mailFrom: string | null
  readonly isSignUpOpen: boolean
  /** Proxies whose X-Forwarded-For is believed: addresses or networks. */
  readonly trustProxy: readonly string[]
  /** Whether sandbox webhooks may go to this machine although the database is named: for a developer's own. */
  readonly sandboxReceivers: 'public' | 'this-machine'
  /** Networks that no webhook is sent to, besides those that are not public. */
  readonly outboundRefuse: readonly string[]
  /** The port for monitoring a process; null: only on the API's own port. */
  readonly adminPort: number | null
  readonly adminHost: string
  /** The collector that finished parts of traces are sent to (OTLP over HTTP); null: nowhere. */
  readonly traceCollector: string | null
  /** Vocalink's VALACDOS file for live payouts; `none` leaves the check to the bank; null for the bundled one. */
  readonly modulusTable: string | null
  /** The business that runs the service, as invoices name it. */
  readonly operator: Operator
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

export function readConfig(env: Env): Config {
  const problems: string[] = []
  const config: Config = {
    host: text(env['HOST']) ?? '127.0.0.1',
    port: wholeNumber('PORT', env['PORT'], { default: 3000, max: 65_535 }, problems),
    dataDir: resolve(text(env['DATA_DIR']) ?? '.kestrel'),
    databaseUrl: databaseUrl('DATABASE_URL', text(env['DATABASE_URL']), problems),
    migrateDatabaseUrl: databaseUrl('MIGRATE_DATABASE_URL', text(env['MIGRATE_DATABASE_URL']), problems),
    sessionDatabaseUrl: sessionDatabaseUrl(env, problems),
    logLevel: oneOf('LOG_LEVEL', text(env['LOG_LEVEL']) ?? 'info', LOG_LEVELS, problems),
    rateLimitPerSecond: wholeNumber(
      'RATE_LIMIT_PER_SECOND',
      env['RATE_LIMIT_PER_SECOND'],
      { default: 100, max: 1_000_000 },
      problems,
    ),
    networkLimitPerSecond: wholeNumber(
      'NETWORK_RATE_PER_SECOND',
      env['NETWORK_RATE_PER_SECOND'],
      { default: 50, max: 1_000_000 },
      problems,
    ),
    publicUrl: address('PUBLIC_URL', text(env['PUBLIC_URL']), problems),
    bankHost: text(env['BANK_HOST']) ?? '127.0.0.1',
    isBankPortGiven: text(env['BANK_PORT']) !== null,
    bankPort: wholeNumber('BANK_PORT', env['BANK_PORT'], { default: bankPortFor(env), max: 65_535 }, problems),
    sandboxBankUrl:
      text(env['BANK_SANDBOX_URL']) === 'none'
        ? 'none'
        : address('BANK_SANDBOX_URL', text(env['BANK_SANDBOX_URL']), problems),
    sandboxExcessWallet: walletAtBank('BANK_SANDBOX_EXCESS_WALLET', env, problems),
    liveExcessWallet: walletAtBank('BANK_LIVE_EXCESS_WALLET', env, problems),
    liveBankUrl: address('BANK_LIVE_URL', text(env['BANK_LIVE_URL']), problems),
    sweepMs:
      1_000 * wholeNumber('BANK_SWEEP_SECONDS', env['BANK_SWEEP_SECONDS'], { default: 10, max: 3_600 }, problems),
    activityMonths: activityMonths(env['ACTIVITY_MONTHS'], problems),
    mailFrom: mailFrom(text(env['SMTP_URL']), text(env['MAIL_FROM']), problems),
    isSignUpOpen: oneOf('SIGN_UP', text(env['SIGN_UP']) ?? 'open', ['open', 'closed'], problems) === 'open',
    trustProxy: networks('TRUST_PROXY', text(env['TRUST_PROXY']), problems),
    sandboxReceivers: sandboxReceivers(env, problems),
    outboundRefuse: networks('OUTBOUND_REFUSE', text(env['OUTBOUND_REFUSE']), problems),
    adminPort:
      text(env['ADMIN_PORT']) === null
        ? null
        : wholeNumber('ADMIN_PORT', env['ADMIN_PORT'], { default: 0, max: 65_535 }, problems),
    adminHost: text(env['ADMIN_HOST']) ?? '127.0.0.1',
    traceCollector: address('OTEL_EXPORTER_OTLP_ENDPOINT', text(env['OTEL_EXPORTER_OTLP_ENDPOINT']), problems),
    modulusTable: modulusTable(text(env['MODULUS_TABLE'])),
    operator: operator(env),
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

/** Never for a service that others use: a partner would reach what listens beside it. */
function sandboxReceivers(env: Env, problems: string[]): Config['sandboxReceivers'] {
  const given = text(env['SANDBOX_RECEIVERS']) ?? 'public'
  if (oneOf('SANDBOX_RECEIVERS', given, ['public', 'this-machine'], problems) !== 'this-machine') return 'public'
  const isHere = isThisMachine(text(env['PUBLIC_URL']), text(env['HOST']) ?? '127.0.0.1')
  if (!isHere)
    problems.push('SANDBOX_RECEIVERS=this-machine is for a service whose HOST and PUBLIC_URL are this machine alone.')
  return isHere ? 'this-machine' : 'public'
}

export const THIS_MACHINE = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|\/|$)/

/** Whether only this machine can call a service that listens there, and is called by that address. */
export function isThisMachine(publicUrl: string | null, host: string): boolean {
  const isLoopback = host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
  return (publicUrl === null || THIS_MACHINE.test(publicUrl)) && isLoopback
}

/** Not checked here: a command that needs no table must not fail for it. */
function modulusTable(given: string | null): string | null {
  return given === null || given === 'none' ? given : resolve(given)
}

function operator(env: Env): Operator {
  const lines = text(env['OPERATOR_ADDRESS'])
  return {
    name: text(env['OPERATOR_NAME']) ?? UNNAMED_OPERATOR.name,
    address: lines === null ? [] : lines.split(',').map((line) => line.trim()),
    email: text(env['OPERATOR_EMAIL']),
    vatNumber: text(env['OPERATOR_VAT_NUMBER']),
    paymentDetails: text(env['OPERATOR_PAYMENT_DETAILS']),
    note: text(env['INVOICE_NOTE']),
  }
}

/** An empty variable counts as unset: shells and compose files write it so. */
function text(value: string | undefined): string | null {
  return value === undefined || value.trim() === '' ? null : value.trim()
}

function wholeNumber(
  name: string,
  value: string | undefined,
  range: { default: number; max: number },
  problems: string[],
): number {
  const given = text(value)
  if (given === null) return range.default
  const number = /^\d{1,9}$/.test(given) ? Number.parseInt(given, 10) : Number.NaN
  if (number >= 0 && number <= range.max) return number
  problems.push(`${name} must be a whole number from 0 to ${range.max}; it is ${JSON.stringify(given)}.`)
  return range.default
}

/** The database refuses a shorter term as well: nobody may shorten the record of what they did. */
function activityMonths(value: string | undefined, problems: string[]): number | null {
  const months = wholeNumber('ACTIVITY_MONTHS', value, { default: 24, max: 1_200 }, problems)
  if (months === 1 || months === 2) {
    problems.push(`ACTIVITY_MONTHS must be at least 3, or 0 to keep everything; it is "${months}".`)
  }
  return months === 0 ? null : months
}

function oneOf(name: string, value: string, allowed: readonly string[], problems: string[]): string {
  if (!allowed.includes(value)) {
    problems.push(`${name} must be one of ${allowed.join(', ')}; it is ${JSON.stringify(value)}.`)
  }
  return value
}

function databaseUrl(name: string, value: string | null, problems: string[]): string | null {
  // The value holds a password: the message must not repeat it.
  if (value !== null && !/^postgres(ql)?:\/\//.test(value)) {
    problems.push(`${name} must begin with postgres:// or postgresql://.`)
  } else if (value !== null && !URL.canParse(value)) {
    problems.push(`${name} cannot be read as an address. Characters such as @ or # in a password must be encoded.`)
  }
  return value
}

function sessionDatabaseUrl(env: Env, problems: string[]): string | null {
  const given = databaseUrl('DATABASE_SESSION_URL', text(env['DATABASE_SESSION_URL']), problems)
  if (given !== null && text(env['DATABASE_URL']) === null) {
    problems.push('DATABASE_SESSION_URL is the database behind a pooler, whose address belongs into DATABASE_URL.')
  }
  return given
}

/** One above the API's port, so that two installations on one machine stay apart. */
function bankPortFor(env: Env): number {
  const port = text(env['PORT']) ?? '3000'
  const next = /^[1-9]\d{0,4}$/.test(port) ? Number.parseInt(port, 10) + 1 : 0
  return next <= 65_535 ? next : 0
}

function address(name: string, value: string | null, problems: string[]): string | null {
  if (value === null) return null
  if (/^https?:\/\/[^\s/]+/.test(value) && URL.canParse(value)) return value.replace(/\/+$/, '')
  problems.push(`${name} must be an address such as https://api.example.com; it is ${JSON.stringify(value)}.`)
  return value
}

/** `HOLDER/WALLET`, by the bank's ids. */
export interface NamedWallet {
  readonly holderRef: string
  readonly walletRef: string
}

function walletAtBank(name: string, env: Env, problems: string[]): NamedWallet | null {
  const given = text(env[name])
  if (given === null) return null
  const [, holderRef, walletRef] = /^([\w-]{1,100})\/([\w-]{1,100})$/.exec(given) ?? []
  if (holderRef !== undefined && walletRef !== undefined) return { holderRef, walletRef }
  problems.push(
    `${name} must be the bank’s ids of the holder and the wallet, as HOLDER/WALLET; it is ${JSON.stringify(given)}.`,
  )
  return null
}

/** The mail server's address holds a password: the message must not repeat it. */
function mailFrom(smtpUrl: string | null, from: string | null, problems: string[]): string | null {
  if (smtpUrl === null) return from
  if (!/^smtps?:\/\//.test(smtpUrl) || !URL.canParse(smtpUrl)) {
    problems.push('SMTP_URL must be an address such as smtps://user:password@mail.example.com.')
  }
  if (from === null || !/^[^\r\n]*[^\s@<>]+@[^\s@<>]+>?$/.test(from)) {
    problems.push('MAIL_FROM must be set with SMTP_URL, such as: Kestrel Payouts <payouts@example.com>')
  }
  return from
}

/** Never "everybody" or a number of hops: of a trusted proxy, a caller could then choose the address that limits count. */
function networks(name: string, value: string | null, problems: string[]): readonly string[] {
  const given = value === null ? [] : value.split(',').map((part) => part.trim())
  const wrong = given.filter((part) => !isNetwork(part))
  if (wrong.length > 0) {
    problems.push(`${name} must be addresses or networks such as 10.0.0.0/8, with commas; it has ${wrong.join(', ')}.`)
  }
  return given
}

function isNetwork(given: string): boolean {
  const [host = '', bits, ...rest] = given.split('/')
  const version = isIP(host)
  const widest = version === 4 ? 32 : 128
  const isWidth = bits === undefined || (/^\d{1,3}$/.test(bits) && Number.parseInt(bits, 10) <= widest && bits !== '0')
  return version !== 0 && isWidth && rest.length === 0
}

/** A database on this machine is a developer's; any other is a deployment, which must have secrets of its own. */
export function isLocalDatabase(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { hostname, searchParams } = new URL(url)
  // pg connects to this parameter's host, whatever comes before it.
  const host = searchParams.get('host') ?? hostname
  return ['', 'localhost', '127.0.0.1', '[::1]'].includes(host) || /^(%2F|\/)/i.test(host)
}
