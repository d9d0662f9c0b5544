// Every command as it is used rightly and wrongly, without a service, with a key that is refused, in a pipe and on a terminal.
// What each says is in test/said, one file per command.
import { rmSync } from 'node:fs'
import { join } from 'node:path'

import { Kestrel } from '@kestrel/sdk'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import type { Fault } from '../../sdk/test/support/faulty-proxy.ts'
import { freePort } from '../../server/test/process/program.ts'
import { COMMANDS } from '../src/commands.ts'
import { type Called, type Calling, aHome, call } from './support/call.ts'
import { type CliService, RECIPIENT, startCliService } from './support/service.ts'

let service: CliService
let kestrel: Kestrel
let home: string
let nobody: string
beforeAll(async () => {
  // Waits between tries are by chance.
  vi.spyOn(Math, 'random').mockReturnValue(0)
  service = await startCliService()
  kestrel = new Kestrel({ apiKey: service.partner.key, baseUrl: service.url })
  home = aHome()
  await kestrel.webhookEndpoints.create({ url: 'https://hooks.thistle.test/', events: ['payout.created'] })
  nobody = `http://127.0.0.1:${await freePort()}`
})
afterAll(async () => {
  vi.restoreAllMocks()
  await service.close()
  rmSync(home, { recursive: true, force: true })
})

let made = 0
/** One that stays under way until somebody says how it ends. */
async function aPayout(): Promise<string> {
  const body = { amount_gbp: '25.00', reference: 'sandbox:hold', recipient: RECIPIENT } as const
  return (await kestrel.payouts.create(body, { idempotencyKey: `prepared-${(made += 1)}` })).id
}

async function anEnded(): Promise<string> {
  const id = await aPayout()
  await kestrel.sandbox.simulate(id, { outcome: 'fail', reason: 'account_closed' })
  return id
}

async function anEvent(): Promise<string> {
  const events = await kestrel.events.list({ subject: await aPayout() }).first(2)
  return events.at(-1)!.id
}

interface Use {
  /** Called for each case, so that each has a payout of its own. */
  readonly right: () => readonly string[] | Promise<readonly string[]>
  readonly wrong: () => readonly string[] | Promise<readonly string[]>
  readonly how?: Calling
  /** The program brought along what it says: neither service nor key. */
  readonly isAlone?: boolean
  /** It goes on until somebody stops it: after so many lines. */
  readonly lines?: number
}

const NO_ID = '01a19b8a-d7c6-7269-bef2-a74de452e6b4'

const USES: Readonly<Record<string, Use>> = {
  login: { right: () => ['login'], wrong: () => ['login', '--key', 'sk_test_1'] },
  logout: { right: () => ['logout'], wrong: () => ['logout', 'now'], isAlone: true },
  whoami: { right: () => ['whoami'], wrong: () => ['whoami', '--live'] },
  balance: { right: () => ['balance'], wrong: () => ['balance', '--currency', 'gbp'] },
  quote: { right: () => ['quote', '25.00'], wrong: () => ['quote', '0.50'] },
  pay: {
    right: () => ['pay', '25.00', '--idempotency-key', `invoice-${(made += 1)}`, '--reference', 'Invoice 1042'],
    wrong: () => ['pay', '19999.00', '--idempotency-key', 'order-too-large'],
  },
  'payouts list': {
    right: async () => {
      await aPayout()
      return ['payouts', 'list', '--idempotency-key', `prepared-${made}`]
    },
    wrong: () => ['payouts', 'list', '--status', 'lost'],
  },
  'payouts get': { right: async () => ['payouts', 'get', await aPayout()], wrong: () => ['payouts', 'get', NO_ID] },
  'payouts cancel': {
    // Over the simulated rail nothing waits to be stopped: one that has been stopped answers as it is.
    right: async () => {
      const id = await aPayout()
      await kestrel.sandbox.simulate(id, { outcome: 'cancel' })
      return ['payouts', 'cancel', id]
    },
    wrong: async () => ['payouts', 'cancel', await anEnded()],
  },
  'payouts watch': {
    right: async () => ['payouts', 'watch', await anEnded()],
    wrong: () => ['payouts', 'watch', NO_ID, '--timeout', 'soon'],
  },
  simulate: {
    right: async () => ['simulate', await aPayout(), 'return', '--reason', 'account_closed'],
    wrong: () => ['simulate', NO_ID, 'retrun'],
  },
  trigger: { right: () => ['trigger', 'payout.refunded'], wrong: () => ['trigger', 'payout.refundd'] },
  listen: {
    right: async () => ['listen', '--after', await anEvent()],
    wrong: () => ['listen', '--forward-to', 'ftp://localhost/'],
    lines: 1,
  },
  'events list': {
    right: async () => ['events', 'list', '--subject', await anEnded()],
    wrong: () => ['events', 'list', '--limit', '0'],
  },
  'events resend': {
    right: async () => ['events', 'resend', await anEvent()],
    wrong: () => ['events', 'resend', NO_ID],
  },
  'logs tail': {
    right: async () => (await aPayout(), ['logs', 'tail', '--once', '--limit', '1', '--changes']),
    wrong: () => ['logs', 'tial'],
  },
  docs: { right: () => ['docs', 'insufficient_funds'], wrong: () => ['docs', 'insuficient_funds'], isAlone: true },
  completion: { right: () => ['completion', 'bash'], wrong: () => ['completion', 'csh'], isAlone: true },
  doctor: { right: () => ['doctor'], wrong: () => ['doctor', '--url', 'http://127.0.0.1:1'] },
}

/** The same at every run. */
function steady(text: string): string {
  return text
    .replaceAll(service.url, '<address>')
    .replaceAll(nobody, '<nobody>')
    .replaceAll(nobody.replace('http://', ''), '<nobody>')
    .replaceAll(home, '<home>')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/\b\d{1,2} [A-Z][a-z]+ \d{4}\b/g, '<date>')
    .replaceAll(/kp_(sandbox|live)_\w+/g, 'kp_$1_<start>')
    .replaceAll(/\b(invoice|prepared)-\d+/g, '$1-<n>')
    .replaceAll(/\b\d+ ms/g, '<n> ms')
    .replaceAll(/"duration_ms":\d+/g, '"duration_ms":<n>')
    .replaceAll(/\d+\.\d\d USDC|"usdc":"[\d.]+"/g, '<usdc>')
    .replaceAll(/\d+\.\d\d GBP at|"approx_gbp":"[\d.]+"/g, '<gbp>')
    .replaceAll(/\d+\.\d\d are available|(available|required)_usdc":"[\d.]+"/g, '<usdc>')
}

const STRANGER = `kp_sandbox_${'0'.repeat(48)}`

async function use(
  words: readonly string[],
  how: Calling & { key?: string; lines?: number | undefined },
): Promise<Called> {
  const stop = new AbortController()
  let lines = 0
  const env = { KESTREL_KEY: how.key ?? service.partner.key, KESTREL_URL: service.url, ...how.env }
  const onOutput = () => {
    if ((lines += 1) >= (how.lines ?? Number.POSITIVE_INFINITY)) stop.abort()
  }
  return call(words, { home, ...how, env, signal: stop.signal, onOutput })
}

describe.each(Object.entries(USES))('%s', (name, { right, wrong, isAlone = false, lines, how = {} }) => {
  it('says what it always says', async () => {
    const asked = {
      terminal: await use(await right(), { ...how, isTerminal: true, lines }),
      piped: await use(await right(), { ...how, lines }),
      wrong: await use(await wrong(), { ...how, isTerminal: true }),
      'wrong, as JSON': await use([...(await wrong()), '--json'], { ...how, isTerminal: true }),
      'nobody answers': await use(await right(), { ...how, isTerminal: true, env: { KESTREL_URL: nobody }, lines }),
      'refused key': await use(await right(), { ...how, isTerminal: true, key: STRANGER, lines }),
    }
    const ofKey = isAlone ? 0 : 4
    // An earlier try with the same key may have been heard.
    const ofNobody = isAlone ? 0 : name === 'pay' ? 3 : 1
    expect(asked['refused key'].exit).toBe(ofKey)
    expect(asked['nobody answers'].exit).toBe(ofNobody)
    expect([1, 2, 4]).toContain(asked.wrong.exit)
    expect(asked['wrong, as JSON'].exit).toBe(asked.wrong.exit)
    // For programs each line is JSON, of what is said and of what is refused.
    const isText = name === 'completion'
    const forPrograms = [...(isText ? [] : [asked.piped.stdout]), asked['wrong, as JSON'].stderr]
    for (const line of forPrograms.join('').trim().split('\n')) expect(JSON.parse(line)).toBeTypeOf('object')
    const texts = Object.entries(asked).map(
      ([title, { exit, stdout, stderr }]) =>
        `== ${title}: exit ${exit}\n${stdout}${stderr === '' ? '' : `-- stderr\n${stderr}`}`,
    )
    const said = steady(texts.join('\n'))
    expect(said).not.toContain(service.partner.key)
    await expect(said).toMatchFileSnapshot(join('said', `${name.replace(' ', '-')}.txt`))
  })

  it('explains itself, with its options', async () => {
    const { exit, stdout, stderr } = await use([...name.split(' '), '--help'], { isTerminal: true })
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
    expect(stdout).toContain(`Usage: kestrel-pay ${name}`)
    const command = COMMANDS.find((each) => each.name === name)
    for (const option of command?.options ?? []) expect(stdout).toContain(`--${option.name}`)
  })
})

it('has a use for every command here', () => {
  expect(Object.keys(USES).toSorted()).toEqual(COMMANDS.map(({ name }) => name).toSorted())
})

it.each([
  [[], 0],
  [['--help'], 0],
  [['help', 'pay'], 0],
  [['payouts'], 0],
  [['--version'], 0],
  [['payots'], 2],
  [['payouts', 'lst'], 2],
  [['balance', '--key'], 2],
  [['balance', '--json', '--json'], 2],
  [['balance', '--json=yes'], 2],
  [['quote'], 2],
  [['quote', '25.5'], 2],
  [['quote', '1e3'], 2],
  [['quote', '25.00', '30.00'], 2],
] as const)('%j exits with %i', async (words, exit) => {
  const called = await use(words, { isTerminal: true })
  expect(called.exit).toBe(exit)
  expect(called[exit === 0 ? 'stdout' : 'stderr']).not.toBe('')
})

it('a payout that is waited for says each status, and ends as the recipient has it', async () => {
  const over = new AbortController()
  const news = (async () => {
    while (!over.signal.aborted) {
      service.test.clock.advance(1_000)
      await service.test.follow()
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })()
  const arrived = await use(['pay', '25.00', '--idempotency-key', 'order-watched-1', '--watch'], { isTerminal: true })
  expect(arrived.exit).toBe(0)
  expect(arrived.stdout).toMatch(/completed\n/)
  const failed = await use(
    ['pay', '25.00', '--idempotency-key', 'order-watched-2', '--watch', '--reference', 'sandbox:fail'],
    {},
  )
  expect(failed.exit).toBe(1)
  const statuses = failed.stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { status: string }).status)
  expect(statuses.at(-1)).toBe('failed')
  over.abort()
  await news
})

describe('what may have happened is not denied', () => {
  const uses: [string, () => Promise<readonly string[]>][] = [
    ['payouts cancel', async () => ['payouts', 'cancel', await aPayout()]],
    ['events resend', async () => ['events', 'resend', await anEvent()]],
    ['simulate', async () => ['simulate', await aPayout(), 'settle']],
    ['trigger', async () => ['trigger', 'deposit.received']],
  ]
  const asked = async (words: readonly string[], fault: Fault, how: Calling = {}) => {
    // Reads go through: trigger looks where it is first.
    const throughFault: typeof fetch = (address, init) => {
      service.proxy.plan(init?.method === 'POST' ? [fault] : [])
      return fetch(address, init)
    }
    const env = { KESTREL_KEY: service.partner.key, KESTREL_URL: service.proxy.url }
    return call([...words, '--json'], { home, env, fetch: throughFault, ...how })
  }

  it.each(uses)('%s, whose answer is lost', async (_name, words) => {
    const { exit, stderr } = await asked(await words(), 'lost_answer')
    expect(exit).toBe(3)
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'outcome_unknown', nothing_was_sent: false } })
    expect(stderr).not.toContain('Nothing was sent')
  })

  it.each(uses)('%s, when a proxy answers', async (_name, words) => {
    const { exit } = await asked(await words(), { page: 502 })
    expect(exit).toBe(3)
  })

  it.each(uses)('%s, stopped with Ctrl-C', async (_name, words) => {
    const given = await words()
    const stop = new AbortController()
    service.proxy.plan([])
    const ended = asked(given, 'silence', { signal: stop.signal })
    await vi.waitFor(() => expect(service.proxy.heard[0]?.route).toMatch(/^POST/), 10_000)
    stop.abort()
    expect((await ended).exit).toBe(3)
  })
})

it.each([{ page: 404 }, { page: 200 }])(
  'an answer of something else, %j, leads to what looks for the reason',
  async (fault) => {
    service.proxy.plan(Array.from({ length: 4 }, () => fault))
    const { exit, stderr } = await use(['balance'], { env: { KESTREL_URL: service.proxy.url } })
    service.proxy.plan([])
    expect(exit).toBe(1)
    expect(stderr).toMatch(/none of the service's: check its address[^]*kestrel-pay doctor looks for the reason/)
  },
)

it('a payout that takes longer than one waits for is not known yet', async () => {
  const { exit, stderr } = await use(['payouts', 'watch', await aPayout(), '--timeout', '1'], { isTerminal: true })
  expect(exit).toBe(3)
  expect(stderr).toContain('still processing')
})

it.each([
  'payout.created',
  'payout.pending',
  'payout.processing',
  'payout.completed',
  'payout.failed',
  'payout.cancelled',
  'payout.returned',
])('%s is made to happen, and is a true event', async (type) => {
  const { exit, stdout, stderr } = await use(['trigger', type], {})
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
  const event = JSON.parse(stdout) as { id: string; type: string }
  expect(event.type).toBe(type)
  expect(await kestrel.events.retrieve(event.id)).toEqual(event)
})
