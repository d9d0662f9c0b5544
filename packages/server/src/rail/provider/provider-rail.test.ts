// What the bank is asked besides paying: looking, listing, stopping, the rate.
import { describe, expect, it } from 'vitest'

import { microUsdc, pence } from '../../core/money.ts'
import { type Reply, railTo, refusal } from '../../../test/support/answering-bank.ts'
import { RailUnavailable } from '../port.ts'
import type { TransferRequest } from '../transfer.ts'

function aTransfer(overrides: object = {}): Record<string, unknown> {
  return {
    id: 'tr_1',
    client_reference_id: '0199a8a0-0000-7000-8000-000000000001',
    on_behalf_of: 'cust_1',
    state: 'payment_processed',
    amount: '32.07',
    destination: { amount: '25.00' },
    updated_at: '2026-11-02T10:00:00.100Z',
    ...overrides,
  }
}

describe('stopping a transfer', () => {
  it.each<[string, Reply]>([
    ['cancelled', { status: 200, body: aTransfer({ state: 'canceled' }) }],
    ['cancelled', { status: 204, body: '' }],
    ['too_late', refusal(400, 'invalid_parameters')],
    ['too_late', refusal(409, 'invalid_parameters')],
    ['too_late', refusal(404, 'Invalid')],
    ['too_late', refusal(422, 'invalid_parameters')],
    ['unknown', refusal(500, 'unexpected')],
    ['unknown', refusal(503, 'unavailable')],
    ['unknown', refusal(429, 'rate_limited')],
    ['unknown', 'hang'],
    ['unknown', 'reset'],
    // Our key being refused says nothing about the transfer.
    ['unknown', refusal(401, 'required')],
    ['unknown', refusal(403, 'forbidden')],
    ['unknown', refusal(408, 'timeout')],
  ])('is %s after %j', async (expected, reply) => {
    const { rail, asked } = await railTo(reply)
    expect(await rail.cancelTransfer('tr_1')).toBe(expected)
    expect(asked).toEqual(['DELETE /v0/transfers/tr_1'])
  })
})

describe('reading one transfer', () => {
  it('gives it as it is', async () => {
    const { rail, asked } = await railTo({ status: 200, body: aTransfer() })
    expect(await rail.readListed('tr_1')).toMatchObject({ transferRef: 'tr_1', state: 'settled', send: 32_070_000n })
    expect(asked).toEqual(['GET /v0/transfers/tr_1'])
  })

  it('gives none when the bank has none, and only then', async () => {
    expect(await (await railTo(refusal(404, 'Invalid'))).rail.readListed('tr_1')).toBeNull()
    const { rail } = await railTo({ status: 200, body: aTransfer({ state: 'quantum' }) })
    expect(await rail.readListed('tr_1')).toMatchObject({ state: 'unknown', bankState: 'quantum' })
    const garbled = await railTo({ status: 200, body: aTransfer({ amount: 'much' }) })
    await expect(garbled.rail.readListed('tr_1')).rejects.toThrow('an amount that is no money')
  })

  it.each<[string, Reply]>([
    ['500', refusal(500, 'unexpected')],
    ['401', refusal(401, 'required')],
    ['429', refusal(429, 'rate_limited')],
    ['silence', 'hang'],
    ['a reset connection', 'reset'],
  ])('never takes %s for an answer', async (_, reply) => {
    const { rail } = await railTo(reply)
    await expect(rail.readListed('tr_1')).rejects.toThrow(RailUnavailable)
  })

  it('leaves out of many those that could not be read', async () => {
    const { rail } = await railTo({ status: 200, body: aTransfer() }, 'reset', refusal(404, 'Invalid'))
    const found = await rail.readTransfers(['tr_1'])
    expect([...found.keys()]).toEqual(['tr_1'])
    expect((await rail.readTransfers(['tr_2', 'tr_3'])).size).toBe(0)
  })
})

describe('the list of transfers', () => {
  const SINCE = new Date(1_760_000_000_000)
  const hundred = Array.from({ length: 100 }, (_, index) => aTransfer({ id: `tr_${index}` }))

  it('is read in pages of a hundred, on from the last of each', async () => {
    const { rail, asked } = await railTo({ status: 200, body: { count: 100, data: hundred } })
    const page = await rail.listTransfers(SINCE, null)
    expect(page.transfers).toHaveLength(100)
    expect(page.next).toBe('tr_99')
    await rail.listTransfers(SINCE, page.next)
    expect(asked).toEqual([
      'GET /v0/transfers?limit=100&updated_after_ms=1760000000000',
      'GET /v0/transfers?limit=100&updated_after_ms=1760000000000&starting_after=tr_99',
    ])
  })

  it('ends with a page that is not full', async () => {
    const { rail } = await railTo({ status: 200, body: { count: 2, data: hundred.slice(0, 2) } })
    expect(await rail.listTransfers(SINCE, null)).toMatchObject({ next: null, transfers: { length: 2 } })
  })

  it('goes on after a short page when the bank says that there is more, and does not end with an empty one', async () => {
    const more = (data: object[]): Reply => ({ status: 200, body: { count: data.length, has_more: true, data } })
    const { rail } = await railTo(more([aTransfer({ id: 'tr_1' }), aTransfer({ id: 'tr_2' })]), more([]))
    const { next } = await rail.listTransfers(SINCE, null)
    expect(next).toBe('tr_2')
    // Taking this for the end would skip the rows behind it.
    await expect(rail.listTransfers(SINCE, next)).rejects.toThrow(RailUnavailable)
  })

  it('leaves out what the operator added to a transfer, and nothing that bears a reference', async () => {
    const destination = { payment_rail: 'bridge_transfer', bridge_transfer_id: 'tr_1' }
    const addition = aTransfer({ id: 'tr_2', client_reference_id: null, destination })
    const referring = aTransfer({ id: 'tr_3', destination: { ...destination, amount: '25.00' } })
    const { rail } = await railTo({ status: 200, body: { data: [aTransfer(), addition, referring] } })
    const { transfers, unread } = await rail.listTransfers(SINCE, null)
    expect(transfers.map(({ transferRef }) => transferRef)).toEqual(['tr_1', 'tr_3'])
    expect(unread).toEqual([])
  })

  it('goes on although one row of it cannot be read, and says which', async () => {
    const garbled = aTransfer({ id: 'tr_3', client_reference_id: 'mine', amount: 'much' })
    const data = [aTransfer(), aTransfer({ id: 'tr_2', state: 'quantum' }), garbled]
    const { rail } = await railTo({ status: 200, body: { count: 3, data } })
    const { transfers, unread } = await rail.listTransfers(SINCE, null)
    expect(transfers.map((each) => [each.transferRef, each.state])).toEqual([
      ['tr_1', 'settled'],
      ['tr_2', 'unknown'],
    ])
    expect(unread).toEqual([
      { transferRef: 'tr_3', clientReference: 'mine', why: expect.stringContaining('no money') as string },
    ])
    // A search that meets it must not say that the transfer is missing.
    const request = { clientReference: 'mine', requestedAt: SINCE } as TransferRequest
    await expect(rail.findTransfers(request)).rejects.toThrow(RailUnavailable)
  })

  it.each<[string, Reply]>([
    ['500', refusal(500, 'unexpected')],
    ['silence', 'hang'],
  ])('is never empty because of %s', async (_, reply) => {
    const { rail } = await railTo(reply)
    await expect(rail.listTransfers(SINCE, null)).rejects.toThrow(RailUnavailable)
  })

  it('is searched page by page for a payout’s reference, from an hour before the payout: clocks differ', async () => {
    const clientReference = 'the one'
    const mine = aTransfer({ id: 'tr_mine', client_reference_id: clientReference })
    const account = { holderRef: 'cust_1', walletRef: 'wal_1' }
    const request = { account, clientReference, requestedAt: SINCE, receive: pence(1n), walletSends: microUsdc(1n) }
    const pages = [
      { status: 200, body: { data: hundred } },
      {
        status: 200,
        body: { data: [mine, mine, { ...mine, id: 'tr_twice' }, { ...mine, id: 'tr_foreign', on_behalf_of: 'x' }] },
      },
    ] as const
    const { rail, asked } = await railTo(...pages)
    expect(await rail.findTransfers(request as TransferRequest)).toMatchObject({
      own: [{ transferRef: 'tr_mine' }, { transferRef: 'tr_twice' }],
      others: ['tr_foreign'],
    })
    const since = `GET /v0/transfers?limit=100&updated_after_ms=${SINCE.getTime() - 3_600_000}`
    expect(asked).toEqual([since, `${since}&starting_after=tr_99`])
    const { rail: without } = await railTo({ status: 200, body: { data: [] } })
    expect(await without.findTransfers(request as TransferRequest)).toEqual({
      own: [],
      others: [],
      earlier: [],
      nameless: [],
    })
  })

  it.each([null, 'a\u0000b', { is: 'an object' }, undefined])(
    'does not say that a payout is not there while an unreadable row has the reference %j',
    async (client_reference_id) => {
      const row = { ...aTransfer({ id: 'tr_whose' }), state: null, client_reference_id }
      const { rail } = await railTo({ status: 200, body: { data: [row] } })
      const request = { clientReference: 'the one', requestedAt: SINCE } as TransferRequest
      await expect(rail.findTransfers(request)).rejects.toThrow(RailUnavailable)
    },
  )

  it('is searched past an unreadable row that is another payout’s', async () => {
    const row = { ...aTransfer({ id: 'tr_other' }), state: null }
    const { rail } = await railTo({ status: 200, body: { data: [row] } })
    const request = { clientReference: 'the one', requestedAt: SINCE } as TransferRequest
    expect(await rail.findTransfers(request)).toEqual({ own: [], others: [], earlier: [], nameless: [] })
  })
})

describe('the exchange rate', () => {
  it('is the one at which the bank sells, for thirty seconds', async () => {
    const { rail, asked } = await railTo({
      status: 200,
      body: { midmarket_rate: '0.93425', buy_rate: '0.9389', sell_rate: '0.9296' },
    })
    expect(await rail.readRate()).toEqual({
      rate: { text: '0.9296', numerator: 9296n, denominator: 10_000n },
      validForMs: 30_000,
    })
    expect(asked).toEqual(['GET /v0/exchange_rates?from=usd&to=gbp'])
  })

  it.each<[string, Reply]>([
    ['500', refusal(500, 'unexpected')],
    ['429', refusal(429, 'rate_limited')],
    ['no rate', { status: 200, body: {} }],
    ['a rate of nothing', { status: 200, body: { sell_rate: '0.0' } }],
    ['a rate below zero', { status: 200, body: { sell_rate: '-0.79' } }],
    ['a rate that is a number', { status: 200, body: { sell_rate: 0.79 } }],
    ['a hundredth of the rate', { status: 200, body: { sell_rate: '0.0079' } }],
    ['a hundred times the rate', { status: 200, body: { sell_rate: '79' } }],
    ['a rate in words', { status: 200, body: { sell_rate: 'parity' } }],
    ['an answer that is not JSON', { status: 200, body: '<html>' }],
    ['silence', 'hang'],
  ])('is not to be had after %s', async (_, reply) => {
    const { rail } = await railTo(reply)
    await expect(rail.readRate()).rejects.toThrow(RailUnavailable)
  })
})
