import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'
import { CANARY } from '../support/canaries.ts'
import {
  type TestPartner,
  aPartner,
  aRecipient,
  anObligingRail,
  createPayout,
  get,
  inLive,
  post,
} from '../support/fixtures.ts'

interface Entry {
  at: string
  environment: string | null
  action: string
  status: number | null
  by: string
  detail: string | null
}

let test: TestApp
beforeAll(async () => {
  test = await startTestApp({ liveRail: anObligingRail() })
})
afterAll(() => test.close())

const activity = async (partner: Pick<TestPartner, 'key'>): Promise<Entry[]> =>
  (await get(test, partner, '/v1/activity')).json().data

const shownKey = (partner: TestPartner) => partner.key.slice(0, `kp_${partner.environment}_`.length + 6)

describe('GET /v1/activity, 200', () => {
  it('is empty for a partner that has asked for nothing yet', async () => {
    const reply = await get(test, await aPartner(test), '/v1/activity')
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual({ object: 'list', data: [] })
  })

  it('shows when, where, what, how it ended and by which key', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const partner = await aPartner(test)
    await get(test, partner, '/v1/balance')
    const at = test.clock.now().toISOString()
    vi.useRealTimers()
    const by = shownKey(partner)
    expect(await activity(partner)).toEqual([
      { at, environment: 'sandbox', action: 'balance.read', status: 200, by, detail: null },
    ])
  })

  it.each([
    ['/v1/account', 'account.read'],
    ['/v1/balance', 'balance.read'],
    ['/v1/compliance', 'compliance.read'],
    ['/v1/activity', 'activity.list'],
    ['/v1/recipients', 'recipients.list'],
    ['/v1/payouts', 'payouts.list'],
    ['/v1/usage', 'usage.read'],
    ['/v1/invoices', 'invoices.list'],
    ['/v1/keys', 'keys.list'],
  ])('records GET %s as %s', async (url, action) => {
    const partner = await aPartner(test)
    await get(test, partner, url)
    expect(await activity(partner)).toMatchObject([{ action, status: 200, detail: null }])
  })

  it('records a quote, a payout and its reading, the payout by its id', async () => {
    const partner = await aPartner(test)
    await post(test, partner, '/v1/quotes', { amount_gbp: '25.00' })
    const { id } = (await createPayout(test, partner)).json()
    await get(test, partner, `/v1/payouts/${id}`)
    expect(await activity(partner)).toMatchObject([
      { action: 'payout.read', status: 200, detail: id },
      { action: 'payout.create', status: 201, detail: id },
      { action: 'quote.create', status: 200, detail: null },
    ])
  })

  it.each<{ why: string; status: number; detail: string; action: string; ask: (partner: TestPartner) => unknown }>([
    {
      why: 'a payout without a key header',
      status: 400,
      detail: 'idempotency_key_required',
      action: 'payout.create',
      ask: (partner) => post(test, partner, '/v1/payouts', {}),
    },
    {
      why: 'a body that is no JSON',
      status: 400,
      detail: 'invalid_json',
      action: 'quote.create',
      ask: (partner) => post(test, partner, '/v1/quotes', '{'),
    },
    {
      why: 'a payout that the wallet cannot cover',
      status: 402,
      detail: 'insufficient_funds',
      action: 'payout.create',
      ask: (partner) => createPayout(test, partner, { amount_gbp: '20000.00' }),
    },
    {
      why: 'a payout that is not there',
      status: 404,
      detail: 'not_found',
      action: 'payout.read',
      ask: (partner) => get(test, partner, '/v1/payouts/none'),
    },
    {
      why: 'a body that is too large',
      status: 413,
      detail: 'body_too_large',
      action: 'quote.create',
      ask: (partner) => post(test, partner, '/v1/quotes', ' '.repeat(40_000)),
    },
    {
      why: 'a body of another kind',
      status: 415,
      detail: 'unsupported_media_type',
      action: 'quote.create',
      ask: (partner) => post(test, partner, '/v1/quotes', 'x', { 'content-type': 'text/plain' }),
    },
    {
      why: 'a parameter that does not exist',
      status: 422,
      detail: 'invalid_request',
      action: 'account.read',
      ask: (partner) => get(test, partner, '/v1/account?x=1'),
    },
    {
      why: 'a bank that is down',
      status: 502,
      detail: 'payout_not_created',
      action: 'payout.create',
      ask: (partner) => createPayout(test, partner, { reference: 'sandbox:down' }),
    },
  ])('records what was refused too, with the code: $why', async ({ ask, status, detail, action }) => {
    const partner = await aPartner(test)
    await ask(partner)
    expect(await activity(partner)).toMatchObject([{ action, status, detail }])
  })

  it('shows the newest first, and a caller finds its own last request at once', async () => {
    const partner = await aPartner(test)
    for (const url of ['/v1/account', '/v1/usage', '/v1/keys']) await get(test, partner, url)
    const seen = await activity(partner)
    expect(seen.map((entry) => entry.action)).toEqual(['keys.list', 'usage.read', 'account.read'])
    expect(seen.map((entry) => entry.at)).toEqual(
      seen
        .map((entry) => entry.at)
        .toSorted()
        .toReversed(),
    )
  })

  it('shows the latest 200 requests and no more', async () => {
    const partner = await aPartner(test)
    for (const url of ['/v1/invoices', '/v1/keys']) await get(test, partner, url)
    for (let count = 0; count < 199; count++) await get(test, partner, '/v1/balance')
    const actions = (await activity(partner)).map((entry) => entry.action)
    expect(actions.length).toBe(200)
    expect(actions.filter((action) => action === 'balance.read').length).toBe(199)
    expect(actions.at(-1)).toBe('keys.list')
  })

  it('shows both environments to a key of either', async () => {
    const partner = await aPartner(test)
    const live = await inLive(test, partner, '100.00')
    await get(test, partner, '/v1/balance')
    await createPayout(test, live)
    const [newest, older] = await activity(partner)
    expect(newest).toMatchObject({ environment: 'live', action: 'payout.create', by: shownKey(live) })
    expect(older).toMatchObject({ environment: 'sandbox', action: 'balance.read', by: shownKey(partner) })
    const [, ...asSeenFromLive] = await activity(live)
    expect(asSeenFromLive).toEqual([newest, older])
  })

  it("never shows another partner's requests", async () => {
    const [one, other] = [await aPartner(test), await aPartner(test)]
    await get(test, other, '/v1/keys')
    await get(test, one, '/v1/usage')
    expect((await activity(one)).map((entry) => entry.action)).toEqual(['usage.read'])
  })

  it('leaves out requests that nobody made: without a key, or with one that is not known', async () => {
    const partner = await aPartner(test)
    await test.request({ url: '/v1/balance' })
    await get(test, { key: `kp_sandbox_${'0'.repeat(48)}` }, '/v1/balance')
    await get(test, partner, '/v1')
    expect(await activity(partner)).toEqual([])
  })

  it('never shows a secret, a name or bank details, whatever was sent', async () => {
    const partner = await aPartner(test)
    await createPayout(test, partner)
    await createPayout(test, partner, { recipient: aRecipient({ account_number: '98760000' }) })
    await createPayout(test, partner, { recipient: { ...aRecipient(), [CANARY.firstName]: CANARY.accountNumber } })
    await createPayout(test, partner, { reference: 'sandbox:reject' })
    await get(test, partner, `/v1/payouts/${CANARY.accountNumber}`)
    await get(test, partner, `/v1/payouts?reference=${CANARY.lastName}`)
    const { body } = await get(test, partner, '/v1/activity')
    expect(JSON.parse(body).data.length).toBe(6)
    const unwanted = [...Object.values(CANARY), partner.key, 'Invoice 1042', '98760000']
    expect(unwanted.filter((text) => body.includes(text))).toEqual([])
  })
})

describe('GET /v1/activity, 422', () => {
  it('refuses a parameter that does not exist', async () => {
    const reply = await get(test, await aPartner(test), '/v1/activity?limit=10')
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error.details).toEqual({ fields: ['limit (not a known field)'] })
  })
})

describe('activity', () => {
  it('survives a clean shutdown: what was gathered is written before the service ends', async () => {
    const own = await startTestApp()
    const partner = await aPartner(own)
    for (const url of ['/v1/account', '/v1/payouts/none', '/v1/balance']) await get(own, partner, url)
    await own.app.close()
    await own.service.close()
    const client = new pg.Client({ connectionString: own.database.url })
    await client.connect()
    const { rows } = await client.query('select action, status from activity where partner_id = $1 order by at, id', [
      partner.id,
    ])
    await client.end()
    await own.database.drop()
    expect(rows).toEqual([
      { action: 'account.read', status: 200 },
      { action: 'payout.read', status: 404 },
      { action: 'balance.read', status: 200 },
    ])
  })

  it('cannot be changed or taken away afterwards, by anybody', async () => {
    const partner = await aPartner(test)
    await get(test, partner, '/v1/balance')
    await test.deps.activity.flush()
    const change = (text: string) => test.deps.db.query({ name: '', text }, [partner.id])
    await expect(change('update activity set status = 500 where partner_id = $1')).rejects.toThrow('append-only')
    await expect(change('delete from activity where partner_id = $1')).rejects.toThrow('append-only')
  })
})
