// The shop as a newcomer starts it, against the program as a newcomer starts it: it pays, hears, and survives.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { Kestrel, type Payout } from '../../../packages/sdk/src/index.ts'
import { type FaultyProxy, startFaultyProxy } from '../../../packages/sdk/test/support/faulty-proxy.ts'
import { type Served, endEverythingStarted, freePort, serveOn } from '../../../packages/server/test/process/program.ts'

const ADDRESS = { line1: '1 High Street', city: 'Leeds', postal_code: 'LS1 4AP' }
const BANK = { bank_name: 'Monzo', sort_code: '040004', account_number: '12345678' }
const SHOP = join(import.meta.dirname, '..')

let folder: string
let served: Served
let proxy: FaultyProxy
let kestrel: Kestrel
let settings: Record<string, string>
let shop: Shop
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kestrel-shop-'))
  served = await serveOn('serve', { DATA_DIR: join(folder, 'data'), RATE_LIMIT_PER_SECOND: '0' }, await freePort())
  const apiKey = /kp_sandbox_\w+/.exec(served.output.stdout)?.[0] ?? ''
  kestrel = new Kestrel({ apiKey, baseUrl: served.url })
  // A moment after the first start the sandbox bank has opened the wallet.
  while ((await kestrel.account.retrieve()).rail !== 'provider_sandbox') await sleep(100)
  proxy = await startFaultyProxy(served.url)
  settings = {
    KESTREL_KEY: apiKey,
    KESTREL_URL: proxy.url,
    PORT: String(await freePort()),
    SHOP_FILE: join(folder, 'shop.json'),
  }
  shop = await startShop()
}, 120_000)
afterAll(async () => {
  await shop?.kill()
  await served?.kill('SIGTERM')
  endEverythingStarted()
  await proxy?.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Shop {
  readonly url: string
  kill(): Promise<void>
}

function command(more: Record<string, string | undefined> = {}): ChildProcess {
  const env = { PATH: process.env['PATH'], HOME: folder, ...settings, ...more }
  // A group of its own, so that what npm started ends with it.
  return spawn('npm', ['start'], { cwd: SHOP, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
}

async function startShop(): Promise<Shop> {
  const child = command()
  let said = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.setEncoding('utf8').on('data', (text) => (said += text))
  const ended = once(child, 'close')
  while (!said.includes('Kestrel knows where to send events.')) {
    if (child.exitCode !== null) throw new Error(`It ended instead of serving: ${said}`)
    await sleep(50)
  }
  const kill = async () => {
    process.kill(-child.pid!, 'SIGKILL')
    await ended
  }
  return { url: /The shop is at (\S+)/.exec(said)![1]!, kill }
}

const pay = (order: number, headers: Record<string, string> = {}) =>
  fetch(`${shop.url}/orders/${order}/pay`, { method: 'POST', headers, redirect: 'manual' })
const page = async () => (await fetch(shop.url)).text()
/** What the page says of an order, without its markup. */
async function shown(order: number): Promise<string> {
  const item = new RegExp(`<li data-order="${order}">([^]*?)</li>`).exec(await page())?.[1] ?? ''
  return item
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

interface Kept {
  readonly endpoint: { id: string; secret: string }
  readonly orders: { id: number; payments: { key: string; status: string; sequence: number }[] }[]
}
const kept = () => JSON.parse(readFileSync(settings['SHOP_FILE']!, 'utf8')) as Kept
const paymentsOf = (order: number) => kept().orders.find(({ id }) => id === order)!.payments

async function payoutsOf(order: number): Promise<Payout[]> {
  const all = await kestrel.payouts.list().first(100)
  return all.filter(({ idempotency_key: key }) => key?.startsWith(`shop-order:${order}`))
}

function signed(event: object, { secret = kept().endpoint.secret, at = new Date() } = {}) {
  const body = JSON.stringify(event)
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', at, body),
  }
  return { headers, body }
}

const send = (message: { headers: Record<string, string>; body: string }) =>
  fetch(`${shop.url}/webhooks`, { method: 'POST', ...message }).then(({ status }) => status)

describe('the shop', () => {
  it('shows its sellers and what they are owed', async () => {
    const text = await page()
    for (const words of ['Amara Okafor', 'Owed £113.50', 'Tom Ellis', 'Owed £120.00', 'Priya Nair', '£265.75']) {
      expect(text).toContain(words)
    }
    expect(await shown(2001)).toBe('Order 2001 Two hand-thrown bowls £48.00 Owed Pay £48.00')
  })

  it('pays an order once, however often it is asked, and hears that it has arrived', async () => {
    const clicks = await Promise.all([pay(2001), pay(2001), pay(2001)])
    expect(clicks.map(({ status }) => status)).toEqual([303, 303, 303])
    await expect.poll(() => shown(2001)).toBe('Order 2001 Two hand-thrown bowls £48.00 Paid')
    await pay(2001)
    const [payout, ...others] = await payoutsOf(2001)
    expect(others).toEqual([])
    expect(payout).toMatchObject({ idempotency_key: 'shop-order:2001', amount_gbp: '48.00', status: 'completed' })
    // By webhook: the answer to the request alone has the number 0.
    expect(paymentsOf(2001)[0]!.sequence).toBeGreaterThan(0)
  })

  it('owes again what came back, and pays it under a key of its own', async () => {
    await pay(2003)
    await expect.poll(() => shown(2003)).toMatch(/Came back, owed again .*The money is back in the wallet\.$/)
    await pay(2003)
    await expect.poll(() => shown(2003)).toBe('Order 2003 Oak stool £120.00 Paid')
    const payouts = await payoutsOf(2003)
    expect(payouts.map((each) => [each.idempotency_key, each.status])).toEqual([
      ['shop-order:2003:try:2', 'completed'],
      ['shop-order:2003', 'returned'],
    ])
  })

  it('says why one has failed, and still owes it', async () => {
    await pay(2004)
    await expect
      .poll(() => shown(2004))
      .toMatch(/Failed, still owed Pay £32\.25 The account is blocked\. .*money is back in the wallet\.$/)
    expect(await page()).toContain('Owed £32.25')
  })
})

describe('a shop that is killed', () => {
  it('before it has heard an answer asks again with the same key: the seller is paid once', async () => {
    // No webhook tells it either.
    await kestrel.webhookEndpoints.update(kept().endpoint.id, { status: 'paused' })
    proxy.plan(['silence'])
    await pay(2002)
    await expect.poll(() => payoutsOf(2002)).toHaveLength(1)
    expect(await shown(2002)).toContain('Asking')
    await shop.kill()
    expect(paymentsOf(2002)).toMatchObject([{ key: 'shop-order:2002', status: 'sending', sequence: -1 }])
    shop = await startShop()
    await expect.poll(() => shown(2002)).toBe('Order 2002 Teapot £65.50 Paid')
    expect(await payoutsOf(2002)).toHaveLength(1)
    // One of its own that was paused is replaced, and none is left over.
    const endpoints = await kestrel.webhookEndpoints.list().first(10)
    expect(endpoints.map(({ id }) => id)).toEqual([kept().endpoint.id])
  })

  it('while Kestrel does not hear it pays when it does', async () => {
    proxy.onEach(() => 'lost_request')
    await pay(2004)
    await expect.poll(() => proxy.heard.filter(({ key }) => key === 'shop-order:2004:try:2').length).toBeGreaterThan(0)
    expect(await shown(2004)).toContain('Asking')
    await shop.kill()
    proxy.onEach(() => 'none')
    shop = await startShop()
    await expect.poll(() => shown(2004)).toBe('Order 2004 Block-printed cloth £32.25 Paid')
    expect(await payoutsOf(2004)).toHaveLength(2)
  })

  it('after all was said is as it was', async () => {
    const before = await page()
    await shop.kill()
    shop = await startShop()
    expect(await page()).toBe(before)
  })
})

describe('a webhook', () => {
  const returned = async () => {
    const [payout] = await payoutsOf(2001)
    const subject = { object: 'payout', id: payout!.id }
    return { id: 'evt_1', type: 'payout.returned', subject, sequence: 99, data: { ...payout, status: 'returned' } }
  }

  it('that Kestrel did not sign is refused, and believed in nothing', async () => {
    const event = { ...(await returned()), occurred_at: new Date().toISOString() }
    const good = signed(event)
    const before = await page()
    const hostile = [
      { headers: {}, body: good.body },
      signed(event, { secret: `whsec_${Buffer.from('b'.repeat(32)).toString('base64')}` }),
      signed(event, { at: new Date(Date.now() - 3_600_000) }),
      { ...good, body: good.body.replace('returned', 'refunded') },
      { headers: good.headers, body: '' },
    ]
    for (const message of hostile) expect(await send(message)).toBe(400)
    expect(await send({ headers: good.headers, body: 'x'.repeat(1_000_001) })).toBe(413)
    expect(await page()).toBe(before)
  })

  it('that comes late, or again, changes nothing; a later one does', async () => {
    const { sequence } = paymentsOf(2001)[0]!
    const event = { ...(await returned()), occurred_at: '2026-01-01T00:00:00.000Z' }
    for (const old of [1, sequence, sequence]) expect(await send(signed({ ...event, sequence: old }))).toBe(204)
    expect(await shown(2001)).toContain('Paid')
    expect(await send(signed(event))).toBe(204)
    expect(await shown(2001)).toContain('Came back, owed again')
  })

  it('about something that is not the shop’s is taken, and changes nothing', async () => {
    const before = await page()
    const event = await returned()
    const other = { ...event, occurred_at: '', data: { ...event.data, idempotency_key: 'another-program-1' } }
    expect(await send(signed(other))).toBe(204)
    expect(await send(signed({ ...event, occurred_at: '', type: 'ping', subject: null, data: {} }))).toBe(204)
    expect(await page()).toBe(before)
  })
})

describe('a webhook that never came', () => {
  it('is made good at the next start, also when a later one did come', async () => {
    const { id } = kept().endpoint
    await kestrel.webhookEndpoints.update(id, { events: ['invoice.void'] })
    // It came back, as the test before this one said: so it is owed again.
    await pay(2001)
    await expect
      .poll(async () => (await payoutsOf(2001)).map(({ status }) => status))
      .toEqual(['completed', 'completed'])
    expect(await shown(2001)).not.toContain('Paid')
    const body = {
      amount_gbp: '25.00',
      recipient: { first_name: 'Amara', last_name: 'Okafor', address: ADDRESS, bank: BANK },
    } as const
    const later = await kestrel.payouts.create(body, { idempotencyKey: 'another-program-2' })
    const [event] = await kestrel.events.list({ subject: later.id }).first(1)
    expect(await send(signed(event!))).toBe(204)
    await shop.kill()
    shop = await startShop()
    expect(kept().endpoint.id).toBe(id)
    await expect.poll(() => shown(2001)).toContain('Paid')
  })
})

describe('nobody else', () => {
  it('presses its buttons: another site’s page is refused, and an order that there is not pays nobody', async () => {
    const count = (await kestrel.payouts.list().first(100)).length
    expect((await pay(2001, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await pay(9999)).status).toBe(303)
    expect((await fetch(`${shop.url}/orders/2001/pay`)).status).toBe(404)
    expect(await kestrel.payouts.list().first(100)).toHaveLength(count)
  })

  it.each(['', 'kp_live_0123456789abcdef'])('starts it with the key “%s”: it pays test money alone', async (key) => {
    const child = command({ KESTREL_KEY: key })
    let said = ''
    child.stderr!.setEncoding('utf8').on('data', (text) => (said += text))
    const [code] = (await once(child, 'close')) as [number]
    expect(code).not.toBe(0)
    expect(said).toContain('KESTREL_KEY=kp_sandbox_… npm start')
  })
})
