// Whoever hangs up before they are answered is counted by the address that they called from, and stands by it in the log.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, aPayoutBody, anIdempotencyKey, createPayout, sql } from '../support/fixtures.ts'

const PATIENT = { timeout: 30_000 }
/** More than the burst of a network. */
const MANY = 60

let test: TestApp
let partner: TestPartner
/** Of its own, because all who call from here are one network. */
function beginAnew(): void {
  beforeAll(async () => {
    test = await startTestApp({ rateLimitPerSecond: 10_000, networkLimitPerSecond: 1 })
    await test.app.listen({ port: 0, host: '127.0.0.1' })
    partner = await aPartner(test)
  })
  afterAll(() => test.close())
}

const port = () => (test.app.server.address() as AddressInfo).port
const aNewKey = () => `kp_sandbox_${randomBytes(24).toString('hex')}`
const asking = (path: string, headers: readonly string[], body = '') =>
  [`${body === '' ? 'GET' : 'POST'} ${path} HTTP/1.1`, 'Host: x', ...headers, '', body].join('\r\n')
const bearer = (key: string) => `Authorization: Bearer ${key}`

const ask = (key: string) =>
  fetch(`http://127.0.0.1:${port()}/v1/balance`, { headers: { authorization: `Bearer ${key}` } })

type HangUp = 'destroy' | 'resetAndDestroy'

/** Sends a request in one piece, and is gone. */
async function hangUp(how: HangUp, request: string): Promise<void> {
  const arrived = once(test.app.server, 'request')
  const socket = connect(port(), '127.0.0.1')
  socket.on('error', () => undefined)
  await Promise.all([once(socket, 'connect'), once(test.app.server, 'connection')])
  await new Promise((resolve) => socket.write(request, resolve))
  // A reset takes with it what was not read.
  if (how === 'resetAndDestroy') await arrived
  socket[how]()
  await arrived
}

describe.each<HangUp>(['destroy', 'resetAndDestroy'])('who hangs up by %s', (how) => {
  beginAnew()

  it('without being known is counted for the network that they called from', async () => {
    for (let nth = 0; nth < MANY; nth++) await hangUp(how, asking('/v1/balance', [bearer(aNewKey())]))
    // One who is known comes after them all.
    await ask(partner.key)
    expect((await ask(aNewKey())).status).toBe(429)
  })

  it('as a member of a business stands in its log by that address', async () => {
    const before = await count('true')
    for (let nth = 0; nth < 5; nth++) await hangUp(how, asking('/v1/balance', [bearer(partner.key)]))
    await vi.waitFor(async () => expect(await count('true')).toBe(before + 5), PATIENT)
    expect(await count('ip is null')).toBe(0)
  })
})

describe('who resets a connection before it is seen', () => {
  beginAnew()

  it('is nobody: nothing is read, answered or noted for them', async () => {
    await sql(test, `update api_keys set allowed_ips = '{203.0.113.0/24}' where id = $1`, [partner.keyId])
    const other = await aPartner(test)
    const request = asking('/v1/balance', [bearer(partner.key)])
    // This program is busy until all of them are gone.
    execFileSync(process.execPath, ['-e', RESETTING, String(port()), request])
    // They came before.
    await ask(other.key)
    await test.deps.activity.flush()
    const noted = `select status, ip from activity where partner_id = $1 and action = 'balance.read'`
    expect(await sql(test, noted, [partner.id])).toEqual([])
    expect((await ask(partner.key)).status).toBe(403)
  })
})

const RESETTING = `
const [, port, request] = process.argv
let left = 20
const next = () => {
  if (left-- === 0) return
  const socket = require('node:net').connect(Number(port), '127.0.0.1')
  socket.on('error', () => undefined).on('close', next)
  socket.on('connect', () => socket.write(request, () => socket.resetAndDestroy()))
}
next()`

describe('who asks for a payout in one piece and hangs up', () => {
  beginAnew()

  it('has it made without a look-up of the key, and stands in the log by their address', async () => {
    await createPayout(test, partner)
    const lookedUp = vi.spyOn(test.deps.db.lookup, 'query')
    const body = JSON.stringify(aPayoutBody())
    const headers = [
      bearer(partner.key),
      `Idempotency-Key: ${anIdempotencyKey()}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ]
    await hangUp('destroy', asking('/v1/payouts', headers, body))
    await vi.waitFor(async () => expect(await count(`action = 'payout.create' and status = 201`)).toBe(2), PATIENT)
    expect(lookedUp.mock.calls.map(([{ name }]) => name).filter((name) => name.startsWith('key_'))).toEqual([])
    lookedUp.mockRestore()
    expect(await count(`action = 'payout.create' and ip is null`)).toBe(0)
  })
})

async function count(which: string): Promise<number> {
  await test.deps.activity.flush()
  const text = `select count(*)::int as n from activity where partner_id = $1 and action <> 'key.create' and ${which}`
  return (await sql<{ n: number }>(test, text, [partner.id]))[0]!.n
}
