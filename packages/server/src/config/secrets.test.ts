import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { ConfigError } from './config.ts'
import type { Env } from './env.ts'
import { forgetKeys, rotateKeys } from './change-secrets.ts'
import { secretsCheck } from '../core/secrets-check.ts'
import { type Secrets, readSecrets } from './secrets.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kestrel-secrets-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const inNewFolder = () => ({ dataDir: join(folder, 'data'), mayMake: true })
const fileIn = (dataDir: string) => join(dataDir, 'secrets.json')
const fresh = () => randomBytes(32).toString('hex')

function given(overrides: Env = {}): Env {
  return { KESTREL_SEAL_KEY: fresh(), KESTREL_FINGERPRINT_KEY: fresh(), ...overrides }
}

async function problemsOf(env: Env, mayMake = true): Promise<readonly string[]> {
  const read = readSecrets(env, { dataDir: join(folder, 'data'), mayMake })
  const error = await read.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (error instanceof ConfigError) return error.problems
  throw new Error(`There was no ConfigError but ${String(error)}`)
}

describe('secrets that nobody gave', () => {
  it('are made at the first start, each its own, and kept for the next', async () => {
    const options = inNewFolder()
    const first = await readSecrets({}, options)
    expect([first.sealKey.length, first.fingerprintKey.length]).toEqual([32, 32])
    expect(first.sealKey.equals(first.fingerprintKey)).toBe(false)
    expect(first.databasePassword).toMatch(/^[0-9a-f]{48}$/)
    expect(first.metricsToken).toBeNull()
    expect(await readSecrets({}, options)).toEqual(first)
  })

  it('of the bank and the mailbox are the same at every start where the file was made before there were such', async () => {
    const options = inNewFolder()
    const { databasePassword } = await readSecrets({}, options)
    const { bank_api_key, bank_control_key, mailbox_token, ...older } = JSON.parse(
      readFileSync(fileIn(options.dataDir), 'utf8'),
    ) as Record<string, string>
    writeFileSync(fileIn(options.dataDir), JSON.stringify(older))
    const [first, second] = [await readSecrets({}, options), await readSecrets({}, options)]
    expect(first.databasePassword).toBe(databasePassword)
    expect(first.bank).toEqual(second.bank)
    expect(first.bank.sandboxApiKey).toMatch(/^sk-test-[0-9a-f]{64}$/)
    expect(first.bank.controlKey).toMatch(/^[0-9a-f]{64}$/)
    expect(first.mailboxToken).toBe(second.mailboxToken)
    expect(first.mailboxToken).toMatch(/^[0-9a-f]{64}$/)
    const made = [bank_api_key, bank_control_key, mailbox_token]
    expect(made).not.toContain(first.bank.controlKey)
    expect(made).not.toContain(first.mailboxToken)
  })

  it('are for the owner’s eyes only, and nothing else is left behind', async () => {
    const options = inNewFolder()
    await readSecrets({}, options)
    expect(statSync(fileIn(options.dataDir)).mode & 0o777).toBe(0o600)
    expect(readdirSync(options.dataDir)).toEqual(['secrets.json'])
  })

  it('are not made for a database on another machine', async () => {
    expect(await problemsOf({}, false)).toEqual([
      expect.stringMatching(/KESTREL_SEAL_KEY and KESTREL_FINGERPRINT_KEY must be set.*openssl rand -hex 32$/),
    ])
    expect(readdirSync(folder)).toEqual([])
  })

  it('are the same for all who start at once: the first to make them has made them', async () => {
    const options = inNewFolder()
    const all = await Promise.all(Array.from({ length: 20 }, () => readSecrets({}, options)))
    const kept = await readSecrets({}, options)
    const checks = new Set([...all, kept].map((secrets) => secretsCheck(secrets).toString('hex')))
    expect(checks.size).toBe(1)
  })

  it('are not made anew when the file is there and cannot be read: that would lock the data away', async () => {
    // A file that points at itself cannot be read even by root, unlike one without permissions.
    symlinkSync('secrets.json', fileIn(folder))
    await expect(readSecrets({}, { dataDir: folder, mayMake: true })).rejects.toBeInstanceOf(Error)
    expect(readdirSync(folder)).toEqual(['secrets.json'])
    expect(() => readFileSync(fileIn(folder))).toThrow(/ELOOP/)
  })

  it('are not taken from a file that is not whole, and the words say what is wrong', async () => {
    const key = 'a1b2c3d4'.repeat(8)
    const whole = { seal_key: key, fingerprint_key: key, database_password: 'x' }
    for (const [damaged, why] of [
      [{}, 'a key in it is not 64 hexadecimal digits'],
      [null, 'a key in it is not 64 hexadecimal digits'],
      [[], 'a key in it is not 64 hexadecimal digits'],
      [{ ...whole, seal_key: key.slice(1) }, 'a key in it is not 64 hexadecimal digits'],
      [{ ...whole, fingerprint_key: `${key.slice(1)}g` }, 'a key in it is not 64 hexadecimal digits'],
      [{ ...whole, older_seal_keys: ['ab'] }, 'a key in it is not 64 hexadecimal digits'],
      [{ ...whole, database_password: undefined }, 'it has no password of the database'],
    ] as const) {
      writeFileSync(fileIn(folder), JSON.stringify(damaged))
      await expect(readSecrets({}, { dataDir: folder, mayMake: true })).rejects.toThrow(
        `cannot be read (${why}). Put back the file`,
      )
    }
    writeFileSync(fileIn(folder), JSON.stringify(whole))
    expect((await readSecrets({}, { dataDir: folder, mayMake: true })).databasePassword).toBe('x')
  })

  it('are not guessed at when the file is damaged', async () => {
    for (const damaged of ['', '{', '{"seal_key":', '{}']) {
      writeFileSync(fileIn(folder), damaged)
      await expect(readSecrets({}, { dataDir: folder, mayMake: true })).rejects.toBeInstanceOf(Error)
      expect(readFileSync(fileIn(folder), 'utf8')).toBe(damaged)
    }
  })

  it('cannot be made where nothing can be written, and it says so', async () => {
    const file = join(folder, 'a-file')
    writeFileSync(file, '')
    chmodSync(file, 0o600)
    await expect(readSecrets({}, { dataDir: file, mayMake: true })).rejects.toThrow(/EEXIST|ENOTDIR/)
  })
})

describe('secrets in the environment', () => {
  it('are used, and no file is needed', async () => {
    const env = given({ METRICS_TOKEN: 'for-prometheus' })
    const secrets = await readSecrets(env, { dataDir: join(folder, 'data'), mayMake: false })
    expect(secrets).toEqual({
      sealKey: Buffer.from(env['KESTREL_SEAL_KEY']!, 'hex'),
      fingerprintKey: Buffer.from(env['KESTREL_FINGERPRINT_KEY']!, 'hex'),
      olderSealKeys: [],
      olderFingerprintKeys: [],
      databasePassword: '',
      metricsToken: 'for-prometheus',
      mailboxToken: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      bank: {
        sandboxApiKey: expect.stringMatching(/^sk-test-[0-9a-f]{64}$/) as string,
        controlKey: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        liveApiKey: null,
      },
      smtpUrl: null,
    } satisfies Secrets)
    expect(readdirSync(folder)).toEqual([])
  })

  it('go before the file’s, except for the embedded database’s password', async () => {
    const options = inNewFolder()
    const made = await readSecrets({}, options)
    const env = given()
    const secrets = await readSecrets(env, options)
    expect(secrets.sealKey.toString('hex')).toBe(env['KESTREL_SEAL_KEY'])
    expect(secrets.databasePassword).toBe(made.databasePassword)
  })

  it('may have older ones, separated by commas, which are checked as well', async () => {
    const [one, two] = [fresh(), fresh()]
    const env = given({ KESTREL_SEAL_KEYS_OLD: `${one}, ${two}`, KESTREL_FINGERPRINT_KEYS_OLD: two })
    const secrets = await readSecrets(env, { dataDir: folder, mayMake: false })
    expect(secrets.olderSealKeys.map((key) => key.toString('hex'))).toEqual([one, two])
    expect(secrets.olderFingerprintKeys.map((key) => key.toString('hex'))).toEqual([two])
    expect(await problemsOf({ ...env, KESTREL_SEAL_KEYS_OLD: `${one},short` })).toEqual([
      'KESTREL_SEAL_KEYS_OLD must be 64 hexadecimal digits.',
    ])
  })

  it('may be changed in the file, by one at a time: what was there stays, and what was derived from it too', async () => {
    const options = inNewFolder()
    const first = await readSecrets({}, options)
    const { bank_api_key, bank_control_key, mailbox_token, ...older } = JSON.parse(
      readFileSync(fileIn(options.dataDir), 'utf8'),
    ) as Record<string, string>
    expect([bank_api_key, bank_control_key, mailbox_token]).not.toContain(undefined)
    writeFileSync(fileIn(options.dataDir), JSON.stringify(older))
    const derived = await readSecrets({}, options)
    const outcomes = await Promise.allSettled([rotateKeys(options.dataDir), rotateKeys(options.dataDir)])
    const times = outcomes.filter(({ status }) => status === 'fulfilled').length
    const changed = await readSecrets({}, options)
    expect(changed).toMatchObject({ bank: derived.bank, mailboxToken: derived.mailboxToken })
    expect(changed.olderSealKeys).toHaveLength(times)
    expect(changed.olderSealKeys.at(-1)).toEqual(first.sealKey)
    expect(changed.sealKey.equals(first.sealKey)).toBe(false)
    expect(readdirSync(options.dataDir)).toEqual(['secrets.json'])
    await forgetKeys(options.dataDir, { seal: changed.olderSealKeys, fingerprint: [changed.fingerprintKey] })
    const left = await readSecrets({}, options)
    expect(left.olderSealKeys).toEqual([])
    expect(left.olderFingerprintKeys).toEqual(changed.olderFingerprintKeys)
    expect(left.fingerprintKey).toEqual(changed.fingerprintKey)
  })

  it.each([
    { KESTREL_SEAL_KEY: '' },
    { KESTREL_SEAL_KEY: 'short' },
    { KESTREL_SEAL_KEY: fresh().slice(1) },
    { KESTREL_SEAL_KEY: `${fresh()}0` },
    { KESTREL_SEAL_KEY: `${fresh().slice(0, 63)}g` },
    { KESTREL_SEAL_KEY: ` ${fresh()}` },
    { KESTREL_SEAL_KEY: `${fresh()}\n` },
  ])('must be 64 hexadecimal digits (%#)', async (overrides) => {
    expect(await problemsOf(given(overrides))).toEqual(['KESTREL_SEAL_KEY must be 64 hexadecimal digits.'])
  })

  it('must both be there', async () => {
    expect(await problemsOf({ KESTREL_SEAL_KEY: fresh() })).toEqual([
      'KESTREL_FINGERPRINT_KEY must be 64 hexadecimal digits.',
    ])
  })

  it.each([
    { value: '0'.repeat(64), why: 'zeros' },
    { value: 'F'.repeat(64), why: 'one digit over and over' },
    { value: 'deadbeef'.repeat(8), why: 'a joke' },
    { value: '0123456789abcdef'.repeat(4), why: 'counting' },
    { value: '0123456789ABCDEF'.repeat(4), why: 'counting in capitals' },
    { value: '01'.repeat(32), why: 'two digits' },
  ])('must not be a sample: $why', async ({ value }) => {
    for (const name of ['KESTREL_SEAL_KEY', 'KESTREL_FINGERPRINT_KEY']) {
      expect(await problemsOf(given({ [name]: value }))).toEqual([
        `${name} is a sample value. Make one with: openssl rand -hex 32`,
      ])
    }
  })

  it('that are wrong are reported all at once, and never shown', async () => {
    const secret = fresh().slice(2)
    const problems = await problemsOf({ KESTREL_SEAL_KEY: secret, KESTREL_FINGERPRINT_KEY: '0'.repeat(64) })
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual(['KESTREL_SEAL_KEY', 'KESTREL_FINGERPRINT_KEY'])
    expect(problems.join()).not.toContain(secret)
  })

  it('made by openssl are never taken for a sample', async () => {
    for (let round = 0; round < 300; round++) {
      await expect(readSecrets(given(), { dataDir: folder, mayMake: false })).resolves.toBeDefined()
    }
  })
})

describe('what a database remembers of its secrets', () => {
  const secrets = { sealKey: randomBytes(32), fingerprintKey: randomBytes(32) }

  it('is the same for the same and another for any other', () => {
    const check = secretsCheck(secrets).toString('hex')
    expect(secretsCheck({ ...secrets }).toString('hex')).toBe(check)
    const others = [
      { ...secrets, sealKey: randomBytes(32) },
      { ...secrets, fingerprintKey: randomBytes(32) },
      { sealKey: secrets.fingerprintKey, fingerprintKey: secrets.sealKey },
    ]
    for (const other of others) expect(secretsCheck(other).toString('hex')).not.toBe(check)
  })

  it('shows neither of them', () => {
    const check = secretsCheck(secrets)
    expect(check).toHaveLength(32)
    expect(check.equals(secrets.sealKey) || check.equals(secrets.fingerprintKey)).toBe(false)
  })
})
