// Lists, waiting and listening, against the real service.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { ApiError, type Event, type Payout, StillUnderWayError } from '../src/index.ts'
import { aPartner, sql } from '../../server/test/support/fixtures.ts'
import { BODY, type SdkService, startSdkService } from './support/service.ts'

let service: SdkService
let ids: string[] = []
beforeAll(async () => {
  service = await startSdkService()
  for (let order = 0; order < 7; order += 1) {
    const { id } = await service.client().payouts.create(BODY, { idempotencyKey: `list-order-${order}` })
    ids = [id, ...ids]
  }
})
afterAll(() => service.close())

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

describe('a list', () => {
  it('is read page by page, as far as the caller goes', async () => {
    const { proxy } = service
    const list = service.client().payouts.list({ limit: 3 })
    proxy.plan([])
    expect((await all(list)).map(({ id }) => id)).toEqual(ids)
    expect(proxy.heard).toHaveLength(3)
    proxy.plan([])
    for await (const { id } of list) if (id === ids[1]) break
    expect(proxy.heard).toHaveLength(1)
  })

  it('has a first page, the next by its cursor, and the first so many', async () => {
    const list = service.client().payouts.list({ limit: 5 })
    const page = await list.page()
    expect(page).toMatchObject({ object: 'list', has_more: true })
    expect((await list.page({ cursor: page.next_cursor! })).data.map(({ id }) => id)).toEqual(ids.slice(5))
    expect((await list.first(2)).map(({ id }) => id)).toEqual(ids.slice(0, 2))
    expect(await list.first(0)).toEqual([])
  })

  it('takes one status or several', async () => {
    const { payouts } = service.client()
    expect(await payouts.list({ status: 'processing' }).first(20)).toHaveLength(7)
    expect(await payouts.list({ status: ['failed', 'returned'] }).first(20)).toHaveLength(0)
    expect(await payouts.list({ status: ['processing', 'failed'] }).first(20)).toHaveLength(7)
  })

  it('of what has no pages is read once', async () => {
    const kestrel = service.client()
    service.proxy.plan([])
    expect(await all(kestrel.recipients.list())).toHaveLength(1)
    expect(await all(kestrel.keys.list())).toHaveLength(1)
    expect(await all(kestrel.deposits.list())).toEqual([])
    expect(service.proxy.heard).toHaveLength(3)
  })

  it('of activity goes on before its last entry', async () => {
    const entries = await service.client().activity.list({ limit: 4 }).first(11)
    expect(new Set(entries.map(({ id }) => id)).size).toBe(11)
  })
})

describe('waitUntilFinal', () => {
  it('resolves with the payout once it has ended', async () => {
    const kestrel = service.client()
    const waiting = kestrel.payouts.waitUntilFinal(ids[0]!)
    service.test.clock.advance(3_000)
    await service.test.follow()
    expect((await waiting).status).toBe('completed')
  })

  it('says that it is still under way when the time is over, and whose', async () => {
    const body = { ...BODY, reference: 'sandbox:hold' }
    const { id } = await service.client().payouts.create(body, { idempotencyKey: 'held-order-1' })
    const late = service.client().payouts.waitUntilFinal(id, { timeoutMs: 50 })
    await expect(late).rejects.toThrow(StillUnderWayError)
    await expect(late).rejects.toMatchObject({ payoutId: id, nothingWasSent: false })
  })

  it('is over when its time is, also while nobody answers', async () => {
    service.proxy.plan(['silence'])
    const late = service.client().payouts.waitUntilFinal(ids[0]!, { timeoutMs: 1_000 })
    await expect(late).rejects.toThrow(StillUnderWayError)
    expect(service.proxy.heard).toHaveLength(1)
    expect((await service.client().payouts.waitUntilFinal(ids[0]!, { timeoutMs: 0 })).status).toBe('completed')
  })

  it('ends with the signal, and with a payout that is not there', async () => {
    const { payouts } = service.client()
    const reason = new Error('enough')
    await expect(payouts.waitUntilFinal(ids[0]!, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    await expect(payouts.waitUntilFinal('nothing')).rejects.toThrow(ApiError)
  })
})

describe('documents', () => {
  it('come as bytes, and tables as text', async () => {
    const { payouts } = service.client()
    const receipt = await payouts.receipt(ids[0]!)
    expect(new TextDecoder().decode(receipt.subarray(0, 5))).toBe('%PDF-')
    expect((await payouts.exportCsv()).split('\r\n').length).toBeGreaterThan(7)
  })
})

describe('events.listen', () => {
  it('gives each event once and in order, over breaks of the connection', async () => {
    const chance = vi.spyOn(Math, 'random').mockReturnValue(0)
    const cuts: AbortController[] = []
    const kestrel = service.client({
      baseUrl: service.url,
      fetch: (url, init) => {
        const cut = new AbortController()
        cuts.push(cut)
        return fetch(url, { ...init, signal: AbortSignal.any([init!.signal!, cut.signal]) })
      },
    })
    const leave = new AbortController()
    const heard: Event[] = []
    const { data } = await kestrel.events.list({ limit: 1 }).page()
    const listening = (async () => {
      for await (const event of kestrel.events.listen({ after: data[0]!.id, signal: leave.signal })) {
        heard.push(event)
        // As if the connection had broken: every second event.
        if (heard.length % 2 === 0) for (const cut of cuts) cut.abort(new TypeError('terminated'))
      }
    })()
    const made: Payout[] = []
    for (let order = 0; order < 4; order += 1) {
      made.push(await kestrel.payouts.create(BODY, { idempotencyKey: `heard-order-${order}` }))
    }
    const expected = made.flatMap(({ id }) => [`${id} 1`, `${id} 2`])
    await vi.waitFor(() => expect(heard.length).toBeGreaterThanOrEqual(expected.length), { timeout: 30_000 })
    expect(heard.map(({ subject, sequence }) => `${subject.id} ${sequence}`)).toEqual(expected)
    leave.abort()
    await listening
    chance.mockRestore()
  })

  it('gives an event that happened before the stream was open, where there had been none', async () => {
    const partner = await aPartner(service.test)
    const key = { apiKey: partner.key, baseUrl: service.url }
    const other = service.client(key)
    // As after a quiet quarter: what is older than 90 days is not kept.
    await sql(service.test, 'delete from events where partner_id = $1', [partner.id])
    expect(await other.events.list().first(1)).toEqual([])
    let payout: Payout | undefined
    const kestrel = service.client({
      ...key,
      fetch: async (url, init) => {
        if (typeof url === 'string' && url.includes('/v1/stream'))
          payout ??= await other.payouts.create(BODY, { idempotencyKey: 'first-event' })
        return fetch(url, init)
      },
    })
    const heard: string[] = []
    for await (const { subject, sequence } of kestrel.events.listen()) {
      if (heard.push(`${subject.id} ${sequence}`) === 2)
        await other.payouts.create(BODY, { idempotencyKey: 'later-event' })
      if (heard.length === 4) break
    }
    expect(heard.slice(0, 2)).toEqual([`${payout?.id} 1`, `${payout?.id} 2`])
    expect(new Set(heard).size).toBe(4)
  })

  it('ends with an error that waiting would not mend', async () => {
    const stranger = service.client({ apiKey: `kp_sandbox_${'0'.repeat(48)}` })
    await expect(stranger.events.listen().next()).rejects.toThrow(ApiError)
    const gone = service.client().events.listen({ after: '01a19b8a-d7c6-7269-bef2-a74de452e6b4' })
    await expect(gone.next()).rejects.toMatchObject({ status: 404 })
  })
})
