// `listen` passes on every event in order, over restarts of the service, of itself, and of the receiver.
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingHttpHeaders, type Server, createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'

import { type Event, Kestrel } from '@kestrel/sdk'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'

import { freePort } from '../../server/test/process/program.ts'
import { aPartner, sql } from '../../server/test/support/fixtures.ts'
import { type Called, type Calling, aHome, call } from './support/call.ts'
import { type CliService, RECIPIENT, startCliService } from './support/service.ts'

const RESTARTS = 20
const PATIENT = { timeout: 30_000, interval: 20 }

interface Receiver {
  readonly url: string
  readonly port: number
  readonly got: { readonly headers: IncomingHttpHeaders; readonly body: string; readonly event: Event }[]
  /** What the next requests are answered with; then 204. */
  readonly answers: number[]
  close(): Promise<void>
}

async function startReceiver(port = 0): Promise<Receiver> {
  const got: Receiver['got'] = []
  const answers: number[] = []
  const server: Server = createServer((request, response) => {
    void buffer(request).then((bytes) => {
      const body = bytes.toString()
      const status = answers.shift() ?? 204
      // What it refuses it does not have.
      if (status < 300) got.push({ headers: request.headers, body, event: JSON.parse(body) as Event })
      return response.writeHead(status).end()
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const own = (server.address() as AddressInfo).port
  return {
    url: `http://127.0.0.1:${own}/hook`,
    port: own,
    got,
    answers,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

let service: CliService
let home: string
let receiver: Receiver
let partner: { id: string; key: string }
const stops: AbortController[] = []
beforeAll(async () => {
  // Waits before connecting again are by chance.
  vi.spyOn(Math, 'random').mockReturnValue(0)
  service = await startCliService()
})
afterAll(async () => {
  vi.restoreAllMocks()
  await service.close()
})
beforeEach(async () => {
  home = aHome()
  receiver = await startReceiver()
  partner = await aPartner(service.test)
})
afterEach(async () => {
  for (const stop of stops.splice(0)) stop.abort()
  await receiver.close()
  rmSync(home, { recursive: true, force: true })
})

interface Listening {
  /** It has its place, and whatever happens now it passes on. */
  readonly ready: Promise<void>
  readonly ended: Promise<Called>
  stop(): Promise<Called>
}

function listen(words: readonly string[] = [], how: Calling = {}): Listening {
  const stop = new AbortController()
  stops.push(stop)
  const env = { KESTREL_KEY: partner.key, KESTREL_URL: service.url, ...how.env }
  let isReady = () => {}
  const ready = new Promise<void>((resolve) => (isReady = resolve))
  const onNote = (text: string) => {
    if (text.startsWith('Passed on to')) isReady()
  }
  const all = { home, ...how, env, onNote, signal: stop.signal }
  const ended = call(['listen', '--forward-to', receiver.url, ...words], all)
  return { ready, ended, stop: () => (stop.abort(), ended) }
}

let orders = 0
async function pay(url = service.url): Promise<void> {
  const kestrel = new Kestrel({ apiKey: partner.key, baseUrl: url })
  const body = { amount_gbp: '25.00', recipient: RECIPIENT } as const
  await kestrel.payouts.create(body, { idempotencyKey: `heard-order-${(orders += 1)}` })
}

const due = async () =>
  (
    await sql<{ id: string }>(
      service.test,
      "select id from events where partner_id = $1 and type like 'payout.%' order by position",
      [partner.id],
    )
  ).map(({ id }) => id)
const heard = () => receiver.got.map(({ event }) => event.id)

it('loses nothing and repeats nothing over twenty restarts of the service', async () => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  // Another process of the same service on the same database: what a restart is to those who listen.
  const serve = async () => {
    const app = await service.test.service.api({ publicUrl: url, rateLimitPerSecond: 0 })
    await app.listen({ host: '127.0.0.1', port })
    return app
  }
  let api = await serve()
  const listening = listen([], { env: { KESTREL_URL: url } })
  await listening.ready
  await pay(url)
  await vi.waitFor(async () => expect(heard()).toEqual(await due()), PATIENT)
  for (let restart = 0; restart < RESTARTS; restart += 1) {
    // Before, while and after it is away: through another door, too.
    await pay(url)
    api.server.closeAllConnections()
    await api.close()
    await pay()
    api = await serve()
    await pay(url)
  }
  const all = await due()
  expect(all.length).toBe(2 * (1 + 3 * RESTARTS))
  await vi.waitFor(() => expect(heard().length).toBeGreaterThanOrEqual(all.length), PATIENT)
  expect(heard()).toEqual(all)
  const { exit, stderr } = await listening.stop()
  expect(exit).toBe(0)
  expect(stderr).toContain('The service is back.')
  await api.close()
})

it('goes on where it was after restarts of its own, also of one that was cut off in the middle', async () => {
  for (let start = 0; start < 5; start += 1) {
    const listening = listen()
    await listening.ready
    const before = heard().length
    await pay()
    await vi.waitFor(() => expect(heard().length).toBeGreaterThan(before), PATIENT)
    await listening.stop()
    // While nobody listens.
    await pay()
  }
  const last = listen()
  await vi.waitFor(async () => expect(new Set(heard()).size).toBe((await due()).length), PATIENT)
  await last.stop()
  // One that was being passed on when it was stopped may come twice, with the same id; none comes before its turn.
  expect([...new Set(heard())]).toEqual(await due())
})

it('begins with the first event of all, if there was none before', async () => {
  await sql(service.test, 'delete from events where partner_id = $1', [partner.id])
  const first = listen()
  await first.ready
  await first.stop()
  await pay()
  const second = listen()
  await vi.waitFor(async () => expect(heard()).toEqual(await due()), PATIENT)
  await second.stop()
  expect(heard()).toHaveLength(2)
})

it('signs as a Standard Webhook, with a secret that stays the same on this machine', async () => {
  const printed = await call(['listen', '--print-secret'], { home })
  await pay()
  const listening = listen(['--from-now'])
  await listening.ready
  await pay()
  await vi.waitFor(() => expect(receiver.got.length).toBeGreaterThan(0), PATIENT)
  await listening.stop()
  const secret = printed.stdout.trim()
  const { headers, body, event } = receiver.got[0]!
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(event)
  expect(headers['webhook-id']).toBe(event.id)
  // --from-now: not what had happened before.
  expect((await due()).indexOf(event.id)).toBe(2)
})

it('tries again when the receiver does not take it, and gives up without moving on', async () => {
  await pay()
  const [first] = await due()
  receiver.answers.push(500, 302, 204)
  const patient = listen(['--after', first!])
  await vi.waitFor(() => expect(heard().length).toBeGreaterThan(0), PATIENT)
  const { stderr } = await patient.stop()
  expect(stderr).toMatch(/500 \(try 1 of 8, again in 1 s\)\n.*302 \(try 2 of 8, again in 2 s\)/)

  await pay()
  receiver.answers.push(503)
  const failing = await listen(['--tries', '1']).ended
  expect(failing.exit).toBe(1)
  expect(failing.stderr).toContain('Start it again: it goes on with this event.')
  const again = listen()
  // Each at least once: the first was stopped when its receiver had it, perhaps before that was noted.
  await vi.waitFor(async () => expect([...new Set(heard())]).toEqual((await due()).slice(1)), PATIENT)
  await again.stop()
})

it('passes over what cannot be taken only when it is told to, and then says so', async () => {
  await pay()
  const [first] = await due()
  receiver.answers.push(500)
  await pay()
  const listening = listen(['--after', first!, '--tries', '1', '--skip-failed'])
  await vi.waitFor(async () => expect(heard()).toHaveLength((await due()).length - 2), PATIENT)
  const { stdout } = await listening.stop()
  expect(JSON.parse(stdout.split('\n')[0]!)).toMatchObject({ taken: false, answer: '500', tries: 1 })
  expect(heard()).toEqual((await due()).slice(2))
})

it('passes on only the types that are asked for', async () => {
  await pay()
  const [first] = await due()
  await pay()
  const listening = listen(['--after', first!, '--events', 'payout.processing'])
  await vi.waitFor(() => expect(receiver.got).toHaveLength(2), PATIENT)
  await listening.stop()
  expect(new Set(receiver.got.map(({ event }) => event.type))).toEqual(new Set(['payout.processing']))
})

it('says what to do when its place is no longer known', async () => {
  const { exit, stderr } = await listen(['--after', '01a19b8a-d7c6-7269-bef2-a74de452e6b4']).ended
  expect(exit).toBe(1)
  expect(stderr).toContain('--from-now')
})

it('keeps its place when it is told to go on after an event that is not there', async () => {
  const first = listen()
  await first.ready
  await first.stop()
  await pay()
  const { exit } = await listen(['--after', '01a19b8a-d7c6-7269-bef2-a74de452e6b4']).ended
  expect(exit).toBe(1)
  const again = listen()
  await vi.waitFor(async () => expect(heard()).toEqual(await due()), PATIENT)
  await again.stop()
})

it.each(['garbage{', '{}', 'null', '{"last":7}'])('does not guess where it was when its place is %s', async (text) => {
  const first = listen()
  await first.ready
  await first.stop()
  const folder = join(home, '.config/kestrel-pay/listen')
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), text)
  const { exit, stderr } = await listen().ended
  expect(exit).toBe(2)
  expect(stderr).toContain('is not as this program wrote it')
  expect(stderr).toContain('--from-oldest')
  expect(stderr).not.toContain('at ')
  const again = listen(['--from-now'])
  await again.ready
  expect((await again.stop()).exit).toBe(0)
})

it('begins with the oldest event that is kept', async () => {
  await pay()
  const listening = listen(['--from-oldest'])
  const payoutsHeard = () => receiver.got.filter(({ event }) => event.type.startsWith('payout.'))
  await vi.waitFor(async () => expect(payoutsHeard().map(({ event }) => event.id)).toEqual(await due()), PATIENT)
  await listening.stop()
  expect((await listen(['--from-oldest', '--from-now']).ended).exit).toBe(2)
})

it('takes only types that there are, with blanks between them', async () => {
  const wrong = await listen(['--events', 'payout.completed, payout.faild']).ended
  expect(wrong.exit).toBe(2)
  expect(wrong.stderr).toContain('"payout.faild". Did you mean payout.failed?')
  await pay()
  const [first] = await due()
  await pay()
  const listening = listen(['--after', first!, '--events', 'payout.created, payout.processing'])
  await vi.waitFor(async () => expect(heard()).toEqual((await due()).slice(1)), PATIENT)
  await listening.stop()
})

it('shows neither its secret nor a password in an address', async () => {
  const listening = listen()
  await listening.ready
  const { stderr } = await listening.stop()
  expect(stderr).not.toContain('whsec_')
  expect(stderr).toContain('--print-secret')
  for (const url of ['http://shop:hunter2@127.0.0.1:4400/', 'ftp://shop:hunter2@127.0.0.1/']) {
    const env = { KESTREL_KEY: partner.key, KESTREL_URL: service.url }
    const refused = await call(['listen', '--forward-to', url], { home, env })
    expect(refused.exit).toBe(2)
    expect(refused.stderr).not.toContain('hunter2')
  }
})
