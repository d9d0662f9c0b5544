// What must never be logged, kept apart from the settings. Given by the operator, or made at the first start and stored
// under DATA_DIR for the owner alone.
import { createHmac, randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { ConfigError } from './config.ts'
import type { Env } from './env.ts'

export interface Secrets {
  readonly sealKey: Buffer
  readonly fingerprintKey: Buffer
  /** Older keys, newest first: needed for as long as rows are from them. */
  readonly olderSealKeys: readonly Buffer[]
  readonly olderFingerprintKeys: readonly Buffer[]
  /** The password of the embedded database. */
  readonly databasePassword: string
  readonly metricsToken: string | null
  /** The mail server's address, with its password. */
  readonly smtpUrl: string | null
  readonly bank: BankSecrets
  /** The token that opens the mailbox, in the address that `npm start` prints. */
  readonly mailboxToken: string
}

export interface BankSecrets {
  /** Our key at the sandbox bank, and the key to its controls. */
  readonly sandboxApiKey: string
  readonly controlKey: string
  readonly liveApiKey: string | null
}

export const KEY_VARIABLES = { sealKey: 'KESTREL_SEAL_KEY', fingerprintKey: 'KESTREL_FINGERPRINT_KEY' } as const
const HEX_32_BYTES = /^[0-9a-f]{64}$/i

export interface SecretsFile {
  readonly seal_key: string
  readonly fingerprint_key: string
  /** The newest first; missing where no key was ever changed. */
  readonly older_seal_keys?: readonly string[]
  readonly older_fingerprint_keys?: readonly string[]
  readonly database_password: string
  /** Missing in a file from before there was a bank. */
  readonly bank_api_key?: string
  readonly bank_control_key?: string
  /** Missing in a file from before there was a token. */
  readonly mailbox_token?: string
}

export interface SecretsPlace {
  readonly dataDir: string
  /** Whether secrets that were not given may be stored in the data directory. */
  readonly mayMake: boolean
  /** For commands that only look at a service's secrets: missing ones are not made. */
  readonly onlyExisting?: boolean
}

export async function readSecrets(env: Env, options: SecretsPlace): Promise<Secrets> {
  const given = Object.values(KEY_VARIABLES).filter((name) => (env[name] ?? '') !== '')
  if (given.length > 0) return fromEnv(env, options)
  if (!options.mayMake) {
    throw new ConfigError([
      `With a database on another machine, ${KEY_VARIABLES.sealKey} and ${KEY_VARIABLES.fingerprintKey} must be set: 64 hexadecimal digits each, for example from: openssl rand -hex 32`,
    ])
  }
  const file = await readOrMake(options)
  const fromHex = (hex: string) => Buffer.from(hex, 'hex')
  return withRest(env, file, {
    sealKey: fromHex(file.seal_key),
    fingerprintKey: fromHex(file.fingerprint_key),
    olderSealKeys: (file.older_seal_keys ?? []).map(fromHex),
    olderFingerprintKeys: (file.older_fingerprint_keys ?? []).map(fromHex),
  })
}

type Keys = Pick<Secrets, 'sealKey' | 'fingerprintKey' | 'olderSealKeys' | 'olderFingerprintKeys'>

function withRest(env: Env, file: SecretsFile | null, keys: Keys): Secrets {
  // Derived secrets stay the same when the key is changed, for as long as the first key is there.
  const first = keys.olderFingerprintKeys.at(-1) ?? keys.fingerprintKey
  return {
    ...keys,
    databasePassword: file?.database_password ?? '',
    metricsToken: env['METRICS_TOKEN'] || null,
    smtpUrl: env['SMTP_URL'] || null,
    bank: bankSecrets(env, file, first),
    mailboxToken: file?.mailbox_token ?? derivedSecret(first, 'mailbox token'),
  }
}

async function fromEnv(env: Env, options: SecretsPlace): Promise<Secrets> {
  const problems: string[] = []
  const parse = (name: string, value: string): Buffer => {
    if (!HEX_32_BYTES.test(value)) problems.push(`${name} must be 64 hexadecimal digits.`)
    else if (isGuessable(value)) problems.push(`${name} is a sample value. Make one with: openssl rand -hex 32`)
    return Buffer.from(value, 'hex')
  }
  const read = (name: string) => parse(name, env[name] ?? '')
  const readOlder = (name: string) =>
    (env[`${name}S_OLD`] ?? '')
      .split(',')
      .map((value) => value.trim())
      .filter((value) => value !== '')
      .map((value) => parse(`${name}S_OLD`, value))
  const keys = {
    sealKey: read(KEY_VARIABLES.sealKey),
    fingerprintKey: read(KEY_VARIABLES.fingerprintKey),
    olderSealKeys: readOlder(KEY_VARIABLES.sealKey),
    olderFingerprintKeys: readOlder(KEY_VARIABLES.fingerprintKey),
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return withRest(env, options.mayMake ? await fileBesideGiven(options) : null, keys)
}

export function bankSecrets(env: Env, file: SecretsFile | null, fingerprintKey: Buffer): BankSecrets {
  const derived = (purpose: string) => derivedSecret(fingerprintKey, purpose)
  return {
    sandboxApiKey: env['BANK_SANDBOX_API_KEY'] || (file?.bank_api_key ?? `sk-test-${derived('bank api key')}`),
    controlKey: env['BANK_CONTROL_KEY'] || (file?.bank_control_key ?? derived('bank control key')),
    liveApiKey: env['BANK_LIVE_API_KEY'] || null,
  }
}

/** For a file from before this secret existed: derived, so that it is the same at every start. */
export function derivedSecret(fingerprintKey: Buffer, purpose: string): string {
  return createHmac('sha256', fingerprintKey).update(`kestrel ${purpose} v1`).digest('hex')
}

/** Zeros, one repeated digit, 0123…: what people leave in from an example. */
function isGuessable(hex: string): boolean {
  return new Set(hex.toLowerCase()).size < 8 || /^(0123456789abcdef)+$/i.test(hex)
}

/** With given secrets the file holds only what the embedded database needs. */
function fileBesideGiven(options: SecretsPlace): Promise<SecretsFile | null> {
  return options.onlyExisting === true ? readExisting(join(options.dataDir, 'secrets.json')) : readOrMake(options)
}

async function readOrMake({ dataDir, onlyExisting = false }: SecretsPlace): Promise<SecretsFile> {
  const path = join(dataDir, 'secrets.json')
  const existing = await readExisting(path)
  if (existing !== null) return existing
  if (onlyExisting) {
    throw new ConfigError([
      `There are no secrets in ${dataDir}. Set DATA_DIR, or ${KEY_VARIABLES.sealKey} and ${KEY_VARIABLES.fingerprintKey}, as the service has them; a new database gets its own by: kestrel migrate`,
    ])
  }
  const made: SecretsFile = {
    seal_key: randomBytes(32).toString('hex'),
    fingerprint_key: randomBytes(32).toString('hex'),
    database_password: randomBytes(24).toString('hex'),
    bank_api_key: `sk-test-${randomBytes(24).toString('hex')}`,
    bank_control_key: randomBytes(24).toString('hex'),
    mailbox_token: randomBytes(24).toString('hex'),
  }
  await mkdir(dataDir, { recursive: true })
  // Written whole and then renamed, which only the first of several writers can do: half a file of secrets, or two
  // different ones, would lock the data away for ever.
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  const file = await open(draft, 'wx', 0o600)
  await file.writeFile(`${JSON.stringify(made, null, 2)}\n`)
  await file.sync()
  await file.close()
  try {
    await link(draft, path)
    return made
  } catch (error) {
    const theirs = (error as NodeJS.ErrnoException).code === 'EEXIST' ? await readExisting(path) : null
    if (theirs === null) throw error
    return theirs
  } finally {
    await rm(draft, { force: true })
  }
}

/** Null only when there is no file. One that cannot be read must never be replaced. */
export async function readExisting(path: string): Promise<SecretsFile | null> {
  const unreadable = (reason: string) =>
    new ConfigError([
      `${path} is there and cannot be read (${reason}). Put back the file that this data was made with.`,
    ])
  const file = await readFile(path, 'utf8')
    .then(JSON.parse)
    .catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw unreadable(error instanceof SyntaxError ? 'it is not JSON' : (error as Error).message)
    })
  if (file === undefined) return null
  const wrong = wrongIn(file)
  if (wrong !== null) throw unreadable(wrong)
  return file as SecretsFile
}

/** A key that was cut would be used as it is: half of one seals nothing, and a digit recognises what it should not. */
function wrongIn(file: unknown): string | null {
  const { older_seal_keys: seal = [], older_fingerprint_keys: fingerprint = [], ...rest } = Object(file) as SecretsFile
  const keys: unknown[] = [rest.seal_key, rest.fingerprint_key, ...[seal, fingerprint].flat()]
  const areWhole = keys.every((key) => typeof key === 'string' && HEX_32_BYTES.test(key))
  if (!areWhole) return 'a key in it is not 64 hexadecimal digits'
  return typeof rest.database_password === 'string' ? null : 'it has no password of the database'
}
