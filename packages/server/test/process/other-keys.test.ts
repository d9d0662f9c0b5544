// A command that was given other keys than the service has: whatever it sealed could be read by nobody.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Home, type Settings, aHome, run } from './program.ts'

let home: Home
beforeAll(async () => {
  home = await aHome()
  const made = ['partner', 'create', '--name', 'Acme Ltd', '--slug', 'acme', '--admin-email', 'ada@acme.example']
  await run(made, home.settings)
})
afterAll(() => home.leave())

const hex = (of: string) => createHash('sha256').update(of).digest('hex')
const STRANGE = { KESTREL_SEAL_KEY: hex('another seal'), KESTREL_FINGERPRINT_KEY: hex('another fingerprint') }
const mails = async () => (await home.owner.query('select 1 from mails')).length
const keysFinding = async (settings: Settings) => {
  const { code, stdout } = await run(['doctor', '--json'], { ...home.settings, ...settings })
  const { checks } = JSON.parse(stdout) as { checks: { name: string; status: string; detail: string }[] }
  return { code, ...checks.find(({ name }) => name === 'Keys')! }
}

describe.sequential('keys that are not the database’s', () => {
  it.each([
    ['partner', 'pause', 'acme'],
    ['wallet', 'credit', '--partner', 'acme', '--environment', 'sandbox', '--usdc', '5.00', '--reason', 'a test'],
    ['partner', 'list'],
  ])('keep a command from doing anything: %s %s', async (...args) => {
    const before = await run(['partner', 'show', 'acme', '--json'], home.settings)
    const ended = await run(args, { ...home.settings, ...STRANGE })
    expect(ended).toMatchObject({ code: 3, stdout: '' })
    expect(ended.stderr).toMatch(/^kestrel: This database was set up with other secrets, .*\n$/)
    expect(await run(['partner', 'show', 'acme', '--json'], home.settings)).toEqual(before)
    expect(await mails()).toBe(0)
  })

  it('are told of by doctor, and by a look at the keys', async () => {
    expect(await keysFinding({})).toMatchObject({ status: 'ok' })
    expect(await keysFinding(STRANGE)).toMatchObject({ code: 1, status: 'problem' })
    expect((await keysFinding(STRANGE)).detail).toContain('set up with other secrets')
    const looked = await run(['secrets', 'status'], { ...home.settings, ...STRANGE })
    expect(looked).toMatchObject({ code: 0, stderr: '' })
    expect(looked.stdout).toContain('it is not among the keys here')
  })

  it('are told of by doctor when an older one is missing that a row needs', async () => {
    expect((await run(['partner', 'pause', 'acme'], home.settings)).code).toBe(0)
    expect(await mails()).toBe(1)
    expect((await run(['secrets', 'rotate'], home.settings)).code).toBe(0)
    expect((await run(['migrate'], home.settings)).code).toBe(0)
    const file = JSON.parse(readFileSync(join(home.dataDir, 'secrets.json'), 'utf8')) as Record<string, string>
    const newest = { KESTREL_SEAL_KEY: file['seal_key']!, KESTREL_FINGERPRINT_KEY: file['fingerprint_key']! }
    expect(await keysFinding({})).toMatchObject({ status: 'ok' })
    const found = await keysFinding(newest)
    expect(found).toMatchObject({ code: 1, status: 'problem' })
    expect(found.detail).toMatch(/^1 row still needs the seal key [0-9a-f]{8}, which this process does not have\./)
  })
})
