// Paying from a terminal: real money is said twice, a key is never lost, and a repeat never pays twice.
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { freePort } from '../../server/test/process/program.ts'
import { accountOf, sql } from '../../server/test/support/fixtures.ts'
import { type Calling, aHome, call } from './support/call.ts'
import { type CliService, RECIPIENT, startCliService } from './support/service.ts'

let service: CliService
let home: string
beforeAll(async () => {
  // Waits between tries are by chance.
  vi.spyOn(Math, 'random').mockReturnValue(0)
  service = await startCliService()
})
afterAll(async () => {
  vi.restoreAllMocks()
  await service.close()
})
beforeEach(() => {
  home = aHome()
  service.proxy.plan([])
  return () => rmSync(home, { recursive: true, force: true })
})

const pay = (words: readonly string[], how: Calling = {}, key = service.partner.key) =>
  call(['pay', ...words], { home, ...how, env: { KESTREL_KEY: key, KESTREL_URL: service.proxy.url, ...how.env } })
const payouts = async () =>
  (await sql<{ count: number }>(service.test, 'select count(*)::int as count from payouts'))[0]!.count
const unfinished = () => {
  const folder = join(home, '.config/kestrel-pay/unfinished')
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []
}

describe('the idempotency key', () => {
  it('is asked of a program: without one nothing is sent', async () => {
    const { exit, stderr } = await pay(['25.00'])
    expect(exit).toBe(2)
    expect(stderr).toContain('--idempotency-key')
    expect(service.proxy.heard).toEqual([])
  })

  it('pays once, however often the command is repeated', async () => {
    const before = await payouts()
    const words = ['25.00', '--idempotency-key', 'order-once-1']
    const [first, second] = await Promise.all([pay(words), pay(words)])
    const third = await pay(words)
    const ids = [first, second, third].map(({ stdout }) => (JSON.parse(stdout) as { id: string }).id)
    expect(new Set(ids).size).toBe(1)
    expect(third.stderr).toContain('Nothing new was sent')
    expect(await payouts()).toBe(before + 1)
  })

  it('is made for a person, kept before anything is sent, and used again after an answer that never came', async () => {
    const before = await payouts()
    const words = ['31.00', '--reference', 'Rent']
    service.proxy.plan(Array.from({ length: 4 }, () => 'lost_answer' as const))
    const first = await pay(words, { typed: [], isTerminal: true })
    expect(first.exit).toBe(3)
    const [key] = /cli-[\w-]+/.exec(first.stderr) ?? []
    expect(first.stderr).toContain(`--idempotency-key ${key}`)
    expect(unfinished()).toHaveLength(1)
    // With another account's API key it would be paid there, and forgotten here.
    const heard = service.proxy.heard.length
    const stranger = await pay(words, { typed: [], isTerminal: true }, `kp_sandbox_${'0'.repeat(48)}`)
    expect(stranger.exit).toBe(2)
    expect(stranger.stderr).toContain(`begun with another API key, and its end is not known`)
    expect(stranger.stderr).toContain(`--idempotency-key ${key}`)
    expect(service.proxy.heard).toHaveLength(heard)
    // A refusal that comes before the key is looked at proves nothing of the first try.
    const named = [...words, '--idempotency-key', key!]
    const refused = await pay(named, { typed: [], isTerminal: true }, `kp_sandbox_${'0'.repeat(48)}`)
    expect(refused.exit).toBe(4)
    expect(refused.stderr).toContain(`Whether an earlier try with --idempotency-key ${key} paid is not known`)
    expect(refused.stderr).not.toContain('Nothing was sent')
    expect(unfinished()).toHaveLength(1)
    const second = await pay(words, { typed: [], isTerminal: true })
    expect(second.exit).toBe(0)
    expect(second.stderr).toContain(`repeated with its key, ${key}`)
    expect(second.stderr).toContain('Nothing new was sent')
    expect(await payouts()).toBe(before + 1)
    expect(unfinished()).toEqual([])
    // It is known how that ended, so the same again is another payment.
    const third = await pay(words, { typed: [], isTerminal: true })
    expect(third.stderr).not.toContain(key)
    expect(await payouts()).toBe(before + 2)
  })

  it('is forgotten when the API key does not exist, so that the right one is not kept out', async () => {
    const words = ['34.00', '--reference', 'Typo']
    expect((await pay(words, { typed: [] }, `kp_sandbox_${'0'.repeat(48)}`)).exit).toBe(4)
    expect(unfinished()).toEqual([])
    expect((await pay(words, { typed: [] })).exit).toBe(0)
  })

  it('is one for two that pay the same at once', async () => {
    const before = await payouts()
    const words = ['32.00', '--reference', 'Twice']
    const both = await Promise.all([pay(words, { typed: [] }), pay(words, { typed: [] })])
    expect(both.map(({ exit }) => exit)).toEqual([0, 0])
    expect(await payouts()).toBe(before + 1)
  })

  it('is kept where only its owner reads, and says nothing of who is paid', async () => {
    service.proxy.plan(Array.from({ length: 4 }, () => 'lost_answer' as const))
    await pay(['33.00'], { typed: [] })
    const folder = join(home, '.config/kestrel-pay/unfinished')
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    for (const name of readdirSync(folder)) {
      expect([name, statSync(join(folder, name)).mode & 0o777]).toEqual([name, 0o600])
      expect(readFileSync(join(folder, name), 'utf8')).not.toMatch(/12345678|Okafor/)
    }
  })

  it.each(['garbage{', '{}', '[]'])('that cannot be read any more sends nothing, and says so: %s', async (text) => {
    service.proxy.plan(Array.from({ length: 4 }, () => 'lost_answer' as const))
    expect((await pay(['39.00'], { typed: [] })).exit).toBe(3)
    const before = await payouts()
    for (const name of unfinished()) writeFileSync(join(home, '.config/kestrel-pay/unfinished', name), text)
    const { exit, stderr } = await pay(['39.00'], { typed: [] })
    expect(exit).toBe(2)
    expect(stderr).toContain('is not as this program wrote it')
    expect(stderr).toContain('Nothing was sent')
    expect(await payouts()).toBe(before)
  })

  it('is found again under another spelling of the address', async () => {
    service.proxy.plan(Array.from({ length: 4 }, () => 'lost_answer' as const))
    expect((await pay(['38.00'], { typed: [] })).exit).toBe(3)
    const again = await pay(['38.00'], { typed: [], env: { KESTREL_URL: `${service.proxy.url}/` } })
    expect(again.stderr).toContain('Nothing new was sent')
    expect(unfinished()).toEqual([])
  })

  it('of your own needs no file', async () => {
    const env = { KESTREL_CONFIG_DIR: '/dev/null/kestrel' }
    const { exit } = await pay(['25.00', '--idempotency-key', 'order-no-file-1'], { env })
    expect(exit).toBe(0)
  })

  it('of another payout is refused, which is certain', async () => {
    await pay(['25.00', '--idempotency-key', 'order-other-1'])
    const { exit, stderr } = await pay(['26.00', '--idempotency-key', 'order-other-1'])
    expect(exit).toBe(1)
    expect(stderr).toContain('idempotency_key_reused')
  })
})

describe('a payout that was made', () => {
  it.each([
    ['without --watch', []],
    ['with --watch', ['--watch']],
    ['with --watch --json', ['--watch', '--json']],
  ])('and that nobody could read keeps its key, %s', async (_what, more) => {
    const before = await payouts()
    const words = ['36.00', '--reference', `Unread${more.length}`, ...more]
    const first = await pay(words, { typed: [], isTerminal: true, isUnread: true })
    expect(first.exit).toBe(3)
    expect(first.stderr).toMatch(/Payout [\w-]{36} was made, with the idempotency key cli-/)
    expect(unfinished()).toHaveLength(1)
    const second = await pay(words.slice(0, 3), { typed: [], isTerminal: true })
    expect(second.exit).toBe(0)
    expect(second.stderr).toContain('Nothing new was sent')
    expect(await payouts()).toBe(before + 1)
    expect(unfinished()).toEqual([])
  })

  it.each([
    ['the service goes away', Array.from({ length: 4 }, () => 'lost_request' as const), 'no_answer'],
    ['the API key is revoked', [{ status: 401, code: 'unauthorized' }], 'unauthorized'],
    ['there are too many requests', [{ status: 429, code: 'rate_limited', retryAfter: '60' }], 'rate_limited'],
  ] as const)('is not denied when %s while it is followed', async (what, faults, code) => {
    const key = `order-followed-${code}`
    service.proxy.plan(['none', ...faults])
    const { exit, stdout, stderr } = await pay(['25.00', '--idempotency-key', key, '--watch', '--json'])
    expect([what, exit]).toEqual([what, 3])
    const { id } = JSON.parse(stdout) as { id: string }
    const { error } = JSON.parse(stderr) as { error: object }
    expect(error).toMatchObject({ code, exit: 3, payout_id: id, idempotency_key: key, nothing_was_sent: false })
    expect(stderr).not.toContain('Nothing was sent')
  })

  it('is not denied by Ctrl-C', async () => {
    const stop = new AbortController()
    const words = ['25.00', '--idempotency-key', 'order-followed-stop', '--watch']
    const how = { signal: stop.signal, onOutput: () => stop.abort() }
    const { exit, stdout, stderr } = await pay(words, how)
    expect(exit).toBe(3)
    expect(stderr).toContain(`kestrel-pay payouts watch ${(JSON.parse(stdout) as { id: string }).id}`)
  })
})

describe('exit 3', () => {
  it('says for programs too that it is not known, and with which key to repeat', async () => {
    service.proxy.plan(Array.from({ length: 4 }, () => 'lost_answer' as const))
    const { exit, stderr, stdout } = await pay(['25.00', '--idempotency-key', 'order-lost-1', '--json'])
    expect({ exit, stdout }).toEqual({ exit: 3, stdout: '' })
    const { error } = JSON.parse(stderr) as { error: object }
    expect(error).toMatchObject({
      code: 'outcome_unknown',
      exit: 3,
      idempotency_key: 'order-lost-1',
      nothing_was_sent: false,
    })
  })

  it('is for a key of your own when nobody hears it: an earlier try may have paid', async () => {
    const env = { KESTREL_URL: `http://127.0.0.1:${await freePort()}` }
    const { exit, stderr } = await pay(['25.00', '--idempotency-key', 'order-lost-2'], { env })
    expect(exit).toBe(3)
    expect(stderr).toContain('An earlier try with this key may have paid')
    expect(stderr).toContain('--idempotency-key order-lost-2')
    expect(stderr).not.toContain('Nothing was sent')
  })

  it('is for the repeat of a payment in doubt, and not for its first try, when nobody hears it', async () => {
    const env = { KESTREL_URL: `http://127.0.0.1:${await freePort()}` }
    const first = await pay(['37.00'], { typed: [], env })
    expect(first.exit).toBe(1)
    expect(first.stderr).toContain('Nothing was sent')
    const second = await pay(['37.00'], { typed: [], env })
    expect(second.exit).toBe(3)
    expect(second.stderr).not.toContain('Nothing was sent')
  })

  it.each(['null', '{}', '[]', '{"id":1}', '<html>'])('is for the answer %s', async (text) => {
    const odd: typeof fetch = async () => new Response(text, { status: 201 })
    const { exit, stderr } = await pay(['25.00', '--idempotency-key', 'order-odd-1', '--json'], { fetch: odd })
    expect(exit).toBe(3)
    expect(JSON.parse(stderr)).toMatchObject({ error: { idempotency_key: 'order-odd-1', nothing_was_sent: false } })
  })

  it('is for a payout that cannot be shown', async () => {
    const odd: typeof fetch = async () => new Response('{"id":"a-payout","status":"processing"}', { status: 201 })
    const how = { fetch: odd, isTerminal: true }
    const { exit, stderr } = await pay(['25.00', '--idempotency-key', 'order-odd-2'], how)
    expect(exit).toBe(3)
    expect(stderr).toContain('Payout a-payout was made, with the idempotency key order-odd-2')
  })
})

describe('the recipient', () => {
  it('comes from a file or from stdin, and is shown with four digits', async () => {
    const path = join(home, 'who.json')
    const recipient = {
      ...RECIPIENT,
      first_name: 'Noor',
      bank: { ...RECIPIENT.bank, account_number: '87654321' },
    }
    writeFileSync(path, JSON.stringify(recipient))
    const fromFile = await pay(['25.00', '--recipient', path, '--idempotency-key', 'order-file-1'], {
      isTerminal: true,
    })
    expect(fromFile.stdout).toMatch(/Recipient +Noor Okafor …4321/)
    const piped = await pay(['25.00', '--recipient', '-', '--idempotency-key', 'order-file-2'], {
      input: JSON.stringify(recipient),
    })
    expect(JSON.parse(piped.stdout)).toMatchObject({ recipient: { account_last4: '4321' } })
    for (const { stdout, stderr } of [fromFile, piped]) expect(stdout + stderr).not.toContain('87654321')
  })

  it('that is none is refused without being shown', async () => {
    for (const input of ['12345678', '{"bank": 12345678', '[]', '']) {
      const { exit, stderr } = await pay(['25.00', '--recipient', '-', '--idempotency-key', 'order-file-3'], { input })
      expect([input, exit, stderr.includes('12345678')]).toEqual([input, 2, false])
    }
  })

  it('cannot write on the terminal: controls are shown as text', async () => {
    const reference = 'Rent \u009b31m\u202egnp'
    const recipient = { ...RECIPIENT, last_name: 'Oka\u202efor' }
    const words = ['25.00', '--reference', reference, '--recipient', '-', '--idempotency-key', 'order-ctrl-1']
    const shown = [
      await pay(words, { isTerminal: true, input: JSON.stringify(recipient) }),
      await pay([...words, '--json'], { isTerminal: true, input: JSON.stringify(recipient) }),
    ]
    for (const { stdout, stderr } of shown) expect(stdout + stderr).not.toMatch(/[^\P{Cc}\n]|\u202e/u)
  })
})

describe('real money', () => {
  // Live takes only accounts that there can be.
  const bank = { ...RECIPIENT.bank, account_number: accountOf('Amara', RECIPIENT.bank) }
  const input = JSON.stringify({ ...RECIPIENT, bank })
  const key = 'order-live-1'
  const words = ['25.00', '--recipient', '-', '--idempotency-key', key]
  const file = join(tmpdir(), `kestrel-pay-recipient-${process.pid}.json`)
  const named = ['25.00', '--recipient', file, '--idempotency-key', key]
  beforeAll(() => {
    writeFileSync(file, input)
    return () => rmSync(file, { force: true })
  })

  it.each([
    ['without --live', words, {}],
    ['without its amount again', [...words, '--live'], {}],
    ['with another amount', [...words, '--live', '--confirm-amount', '250.00'], {}],
    ['with another amount typed', [...named, '--live'], { typed: ['y'], isTerminal: true }],
    ['with a recipient that is typed too', [...words, '--live'], { typed: ['25.00'], isTerminal: true }],
    ['to nobody in particular', ['25.00', '--idempotency-key', key, '--live', '--confirm-amount', '25.00'], {}],
  ] as const)('is not sent %s', async (_what, given, how) => {
    const { exit } = await pay(given, { ...how, input }, service.live.key)
    expect(exit).toBe(2)
    expect(service.proxy.heard.filter(({ route }) => route === 'POST /v1/payouts')).toEqual([])
  })

  it.each([
    ['trigger', 'payout.completed'],
    ['trigger', 'deposit.received'],
    ['simulate', '01a19b8a-d7c6-7269-bef2-a74de452e6b4', 'settle'],
  ])('is not sent by %s', async (...command) => {
    const env = { KESTREL_KEY: service.live.key, KESTREL_URL: service.proxy.url }
    const { exit, stderr } = await call([...command, '--live'], { home, env })
    expect(exit).toBe(2)
    expect(stderr).toContain('is for sandbox')
    expect(service.proxy.heard).toEqual([])
  })

  it('is not meant where the key is for test money', async () => {
    const { exit, stderr } = await pay([...words, '--live', '--confirm-amount', '25.00'], { input })
    expect(exit).toBe(2)
    expect(stderr).toContain('sandbox key')
    expect(service.proxy.heard).toEqual([])
  })

  it.each([
    ['typed', ['--recipient', file, '--live'], { typed: ['25.00'], isTerminal: true }],
    ['given', ['--recipient', '-', '--live', '--confirm-amount', '25.00'], {}],
  ] as const)('is sent once its amount is %s', async (what, more, how: Calling) => {
    const own = ['25.00', '--idempotency-key', `order-live-${what}`]
    const { exit, stdout, stderr } = await pay([...own, ...more], { ...how, input }, service.live.key)
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: expect.stringMatching(/live/) })
    const isTold = /25\.00 GBP to Amara Okafor …5678\.\n.*USDC; the fee is/.test(stderr)
    expect(isTold).toBe(how.typed !== undefined)
    expect(stdout + stderr).not.toContain(bank.account_number)
  })
})
