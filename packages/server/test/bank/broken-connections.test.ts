// "Nothing was sent" rests on where a failure happened, and never on its name: a connection that was used before gives, with
// the request on it, every error that a connection which was never made could give. The payout stays in doubt and is made once.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { followPayouts } from '../../src/domain/payouts/follow/follow-payouts.ts'
import { type BankApp, startBankApp } from '../support/bank-app.ts'
import { type TestPartner, balanceOf, createPayout, get } from '../support/fixtures.ts'

const SENT = 32_070_000n
/** undici tells whoever listens which socket it writes a request to. */
const CHANNEL = 'undici:client:sendHeaders'

interface Departure {
  readonly request: { readonly method: string; readonly path: string }
  readonly socket: Socket
}

let test: BankApp
let partner: TestPartner
const departures: (Departure & { readonly writtenBefore: number })[] = []
const note = (message: unknown) => {
  const departure = message as Departure
  departures.push({ ...departure, writtenBefore: departure.socket.bytesWritten })
}
beforeAll(async () => {
  subscribe(CHANNEL, note)
  test = await startBankApp()
  await test.bank.standStill()
  partner = await test.aConnectedPartner()
})
afterAll(async () => {
  unsubscribe(CHANNEL, note)
  await test.close()
})

const isOrder = ({ request }: Departure) => request.method === 'POST' && request.path === '/v0/transfers'
const made = async (known: number) => (await test.bank.books()).transfers.length - known

/** As the system reports it when a connection could not be made. */
const failure = (code: string, syscall: string) =>
  Object.assign(new Error(`${syscall} ${code} 127.0.0.1`), { code, syscall, errno: -1 })

describe('an order on a connection that was used before', () => {
  it.each([
    ['ECONNREFUSED', 'connect'],
    ['ENOTFOUND', 'getaddrinfo'],
    ['EAI_AGAIN', 'getaddrinfo'],
    ['EHOSTUNREACH', 'connect'],
    ['ETIMEDOUT', 'connect'],
    ['UND_ERR_CONNECT_TIMEOUT', 'connect'],
    ['ECONNRESET', 'read'],
    ['EPIPE', 'write'],
  ])('and that then fails with %s (%s) leaves the payout in doubt, and is made once', async (code, syscall) => {
    const known = (await test.bank.books()).transfers.length
    const before = await balanceOf(test, partner)
    await test.bank.control('POST', '/faults', { route: 'POST /v0/transfers', mode: 'hang_after' })
    departures.length = 0
    const asked = createPayout(test, partner)
    await vi.waitFor(async () => expect(await made(known)).toBe(1), { timeout: 20_000 })
    const order = departures.find(isOrder)!
    // Other requests went over this connection before: it was there, and nothing had to be connected or resolved.
    expect(order.writtenBefore).toBeGreaterThan(0)
    order.socket.destroy(failure(code, syscall))
    const { id, status } = (await asked).json<{ id: string; status: string }>()
    expect(status).toBe('pending')
    expect(await balanceOf(test, partner)).toBe(before - SENT)
    await test.moveClocks(60_000)
    await followPayouts(test.deps)
    expect((await get(test, partner, `/v1/payouts/${id}`)).json()).toMatchObject({ status: 'processing' })
    expect(await made(known)).toBe(1)
    expect(await balanceOf(test, partner)).toBe(before - SENT)
  })
})
