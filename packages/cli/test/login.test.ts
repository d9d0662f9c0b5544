// Which key is used, where it is kept, and where it may go.
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { freePort } from '../../server/test/process/program.ts'
import { type Calling, aHome, call } from './support/call.ts'
import { type CliService, startCliService } from './support/service.ts'

let service: CliService
let home: string
let file: string
beforeAll(async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
  service = await startCliService()
})
afterAll(async () => {
  vi.restoreAllMocks()
  await service.close()
})
beforeEach(() => {
  home = aHome()
  file = join(home, '.config/kestrel-pay/credentials.json')
  return () => rmSync(home, { recursive: true, force: true })
})

const at = (words: readonly string[], how: Calling = {}) => call(words, { home, ...how })
const login = (how: Calling = {}, words: readonly string[] = []) => at(['login', '--url', service.url, ...words], how)

describe('login', () => {
  it('keeps a key that was typed, unseen, in a file of its owner', async () => {
    const { exit, stdout, stderr } = await login({ typed: [service.partner.key], isTerminal: true })
    expect(exit).toBe(0)
    expect(stdout + stderr).not.toContain(service.partner.key)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700)
    expect(JSON.parse((await at(['whoami'])).stdout)).toMatchObject({ environment: 'sandbox', url: service.url })
  })

  it('closes a file that others could read', async () => {
    await login({ input: service.partner.key })
    chmodSync(file, 0o644)
    expect((await at(['doctor'], { isTerminal: true })).stdout).toMatch(/file +wrong +others can read/)
    await login({ input: service.partner.key })
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('keeps a sandbox key and a live key beside each other, and uses the live one only with --live', async () => {
    await login({ input: `${service.partner.key}\n` })
    expect((await login({ input: service.live.key })).exit).toBe(2)
    expect((await login({ input: service.live.key }, ['--live'])).exit).toBe(0)
    const environments = [await at(['whoami']), await at(['whoami', '--live'])].map(
      ({ stdout }) => (JSON.parse(stdout) as { environment: string }).environment,
    )
    expect(environments).toEqual(['sandbox', 'live'])
    await at(['logout', '--live'])
    expect((await at(['whoami', '--live'])).exit).toBe(4)
    expect((await at(['whoami'])).exit).toBe(0)
  })

  it.each([
    ['nothing', '', 2],
    ['a broken key', 'kp_sandbox_12 34', 4],
    ['two lines', 'kp_sandbox_1\nkp_sandbox_2', 4],
    ['a key of another service', 'sk_live_123', 4],
    ['a key that is not known', `kp_sandbox_${'0'.repeat(48)}`, 4],
  ])('keeps nothing of %s', async (_what, input, exit) => {
    const called = await login({ input })
    expect(called.exit).toBe(exit)
    expect(input === '' || !called.stderr.includes(input)).toBe(true)
    expect(existsSync(file)).toBe(false)
  })

  it('keeps nothing that nobody could check', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    expect((await at(['login', '--url', url], { input: service.partner.key })).exit).toBe(1)
    expect(existsSync(file)).toBe(false)
  })
})

describe('a stored key', () => {
  it('goes to its own address and to no other', async () => {
    await login({ input: service.partner.key })
    const { exit, stderr } = await at(['balance', '--url', service.proxy.url])
    expect(exit).toBe(2)
    expect(stderr).toContain('is not sent to')
    expect(service.proxy.heard).toEqual([])
    expect((await at(['balance', '--url', `${service.url}/`])).exit).toBe(0)
  })

  it('gives way to the variable, and that to the option', async () => {
    await login({ input: service.partner.key })
    const stranger = `kp_sandbox_${'0'.repeat(48)}`
    const env = { KESTREL_URL: service.url, KESTREL_KEY: stranger }
    expect((await at(['balance'], { env })).exit).toBe(4)
    expect((await at(['balance', '--key', service.partner.key], { env })).exit).toBe(0)
    expect((await at(['balance'], { env: { ...env, KESTREL_KEY: '' } })).exit).toBe(0)
  })

  it('in a file that is no JSON is told of by the name of the file, and not shown', async () => {
    await login({ input: service.partner.key })
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, -3))
    const { exit, stderr } = await at(['balance'])
    expect(exit).toBe(2)
    expect(stderr).toContain(file)
    expect(stderr).not.toContain(service.partner.key)
  })
})

describe('a live key', () => {
  it.each([
    ['over http to another machine', { KESTREL_URL: 'http://payouts.thistle.test' }],
    ['to no address', {}],
  ])('is not sent %s', async (_what, env) => {
    const heard: string[] = []
    const hear: typeof fetch = async (address) => {
      heard.push(new Request(address).url)
      throw new TypeError('fetch failed')
    }
    const how = { env, fetch: hear }
    expect((await at(['balance', '--live', '--key', service.live.key], how)).exit).toBe(2)
    expect((await at(['login', '--live'], { ...how, input: service.live.key })).exit).toBe(2)
    expect(heard).toEqual([])
    await at(['balance', '--live', '--key', service.live.key], {
      ...how,
      env: { KESTREL_URL: 'https://pay.thistle.test' },
    })
    expect(heard[0]).toBe('https://pay.thistle.test/v1/balance')
  })

  it('that stands in the wrong place is not shown', async () => {
    for (const words of [['login', service.live.key], [service.live.key], ['login', `--${service.live.key}`]]) {
      const { exit, stderr } = await at(words)
      expect([exit, stderr.includes(service.live.key)]).toEqual([2, false])
    }
  })
})
