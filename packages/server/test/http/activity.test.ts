import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { recordOperatorAction } from '../../src/domain/activity/record-operator-action.ts'
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
  sql,
} from '../support/fixtures.ts'
import { type TestMember, ask as askInSession, signedIn } from '../support/sessions.ts'

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
    const asked = await get(test, partner, '/v1/balance?environment=live')
    const at = test.clock.now().toISOString()
    vi.useRealTimers()
    const by = shownKey(partner)
    expect(await activity(partner)).toEqual([
      {
        at,
        environment: 'sandbox',
        action: 'balance.read',
        status: 200,
        by,
        detail: null,
        id: asked.headers['x-request-id'],
        request_id: asked.headers['x-request-id'],
        method: 'GET',
        path: '/v1/balance',
        duration_ms: expect.any(Number) as unknown,
        ip: '127.0.0.1',
        key_id: partner.keyId,
        summary: `The API key ${by} read the balance`,
        by_name: null,
        subject: null,
        changes: [],
      },
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

  it('has an entry for each of three hundred like reads per minute, and one for all others with their number', async () => {
    const partner = await aPartner(test)
    for (let count = 0; count < 300; count++) await get(test, partner, '/v1/balance')
    test.clock.advance(5_000)
    const last = test.clock.now()
    for (let count = 0; count < 70; count++) await get(test, partner, '/v1/balance')
    expect((await get(test, partner, '/v1/usage')).statusCode).toBe(200)
    const [usage, counted, single] = await activity(partner)
    expect(usage).toMatchObject({ action: 'usage.read', status: 200, detail: null })
    expect(counted).toMatchObject({ action: 'balance.read', status: 200, detail: '70 requests within a minute' })
    expect(single).toMatchObject({ action: 'balance.read', status: 200, detail: null })
    const entries = `select count(*)::int as count from activity where partner_id = $1 and action = 'balance.read'`
    expect(await sql(test, entries, [partner.id])).toEqual([{ count: 301 }])
    const used = 'select last_used_at >= $2 as "isRight" from api_keys where partner_id = $1'
    expect(await sql(test, used, [partner.id, last])).toEqual([{ isRight: true }])
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

describe('GET /v1/activity, filtered', () => {
  let partner: TestPartner
  let member: TestMember
  beforeAll(async () => {
    partner = await aPartner(test)
    member = await signedIn(test, partner)
    await get(test, partner, '/v1/balance')
    await get(test, partner, '/v1/payouts/none')
    await createPayout(test, partner, { reference: 'sandbox:down' })
    await askInSession(test, member, { url: '/v1/usage' })
    await get(test, partner, '/v1/keys')
  })

  /** The request that reads the log must not be among the rows that it reads. */
  const actions = async (query: string): Promise<string[]> => {
    const reply = await get(test, partner, `/v1/activity?${query}`)
    expect(reply.statusCode).toBe(200)
    return (reply.json().data as Entry[]).map(({ action }) => action).filter((action) => action !== 'activity.list')
  }

  it('by how it ended', async () => {
    expect(await actions('status_class=2xx')).toEqual(['keys.list', 'usage.read', 'balance.read'])
    expect(await actions('status_class=4xx')).toEqual(['payout.read'])
    expect(await actions('status_class=5xx')).toEqual(['payout.create'])
  })

  it('by what was asked for', async () => {
    expect(await actions('action=payout.create')).toEqual(['payout.create'])
    expect(await actions('action=payout.delete')).toEqual([])
  })

  it('by whom, a key or a member', async () => {
    expect(await actions(`by=${encodeURIComponent(member.email)}`)).toEqual(['usage.read'])
    expect(await actions(`by=${shownKey(partner)}&status_class=2xx`)).toEqual(['keys.list', 'balance.read'])
  })

  it('by the way it came', async () => {
    expect(await actions('via=dashboard')).toEqual(['usage.read'])
    expect(await actions('via=api')).toEqual(['keys.list', 'payout.create', 'payout.read', 'balance.read'])
  })

  it('without what only read', async () => {
    const other = await aPartner(test)
    await get(test, other, '/v1/quotes?amount_gbp=25.00')
    await get(test, other, '/v1/payouts/export.csv')
    await createPayout(test, other)
    await recordOperatorAction(test.deps, { partnerId: other.id, action: 'partner.suspend', detail: null })
    const { data } = (await get(test, other, '/v1/activity?only=changes')).json()
    expect((data as Entry[]).map(({ action }) => action)).toEqual(['partner.suspend', 'payout.create'])
  })

  it('a page at a time, from an entry on', async () => {
    const seen: string[] = []
    let before = ''
    for (;;) {
      const url = `/v1/activity?limit=2&by=${shownKey(partner)}&action=balance.read${before}`
      const data = (await get(test, partner, url)).json().data as (Entry & { id: string })[]
      if (data.length === 0) break
      seen.push(...data.map(({ action }) => action))
      before = `&before=${data.at(-1)!.id}`
    }
    expect(seen).toEqual(['balance.read'])
    const [newest, ...others] = (await get(test, partner, '/v1/activity?limit=5')).json().data
    const older = (await get(test, partner, `/v1/activity?limit=4&before=${newest.id}`)).json().data
    expect(older).toEqual(others)
  })

  it('says nothing of a key where a member asked', async () => {
    const [entry] = (await get(test, partner, '/v1/activity?action=usage.read')).json().data
    expect(entry).toMatchObject({ by: member.email, key_id: null, method: 'GET', path: '/v1/usage' })
  })

  it('has the ids of an address, and nothing else that somebody put there', async () => {
    const { id } = (await createPayout(test, partner)).json()
    await get(test, partner, `/v1/payouts/${id.toUpperCase()}?environment=live`)
    await get(test, partner, `/v1/payouts/${CANARY.accountNumber}`)
    const paths = (
      (await get(test, partner, '/v1/activity?action=payout.read&limit=2')).json().data as { path: string }[]
    ).map(({ path }) => path)
    expect(paths).toEqual(['/v1/payouts/{id}', `/v1/payouts/${id}`])
  })

  it('has no request where there was none', async () => {
    await recordOperatorAction(test.deps, { partnerId: partner.id, action: 'partner.verify', detail: null })
    const [entry] = (await get(test, partner, '/v1/activity?by=operator')).json().data
    expect(entry).toMatchObject({
      request_id: null,
      method: null,
      path: null,
      duration_ms: null,
      ip: null,
      key_id: null,
    })
  })
})

describe('GET /v1/activity, narrowed by where and when', () => {
  let own: TestPartner
  let member: TestMember
  beforeAll(async () => {
    test.clock.set('2026-12-01T23:50:00Z')
    own = await aPartner(test)
    member = await signedIn(test, own)
    await get(test, own, '/v1/balance')
    await askInSession(test, member, { url: '/v1/usage?environment=live' })
    test.clock.set('2026-12-02T00:10:00Z')
    await get(test, own, '/v1/account')
    await get(test, own, '/v1/activity')
    await askInSession(test, member, { url: '/v1/activity' })
  })

  const asked = async (query: string) =>
    ((await get(test, own, `/v1/activity?${query}`)).json().data as Entry[])
      .map(({ action, by }) => (by === member.email ? `${action} by hand` : action))
      .filter((action, index) => index > 0 || action !== 'activity.list')

  it('has what was asked in one environment', async () => {
    expect(await asked('in_environment=live')).toEqual(['usage.read by hand'])
    expect(await asked('in_environment=sandbox&action=usage.read')).toEqual([])
  })

  it('has a time, its first moment included and its last not', async () => {
    expect(await asked('to=2026-12-02T00:00:00Z')).toEqual(['usage.read by hand', 'balance.read'])
    expect(await asked('from=2026-12-01T23:50:00Z&to=2026-12-01T23:50:00Z')).toEqual([])
  })

  it('leaves out that somebody looked at the log, and keeps that a key did', async () => {
    expect(await asked('from=2026-12-02T00:00:00Z&hide=log_reads&action=activity.list')).toContain('activity.list')
    expect(await asked('hide=log_reads')).not.toContain('activity.list by hand')
    expect(await asked('via=dashboard')).toContain('activity.list by hand')
  })

  it('is exported as a table that no spreadsheet takes for formulas', async () => {
    await recordOperatorAction(test.deps, { partnerId: own.id, action: 'plan.set', detail: '=1+1' })
    const reply = await get(test, own, '/v1/activity/export.csv?from=2026-11-30T00:00:00Z&by=operator')
    expect(reply.headers['content-type']).toContain('text/csv')
    expect(reply.headers['content-disposition']).toBe('attachment; filename="activity-2026-11-30_2026-12-02.csv"')
    const [head, line, ...others] = reply.body.trim().split('\r\n')
    expect(head).toContain('"When (UTC)","By","Action","About","Environment"')
    expect(line).toContain(`"operator","plan.set","'=1+1"`)
    expect(others).toEqual([])
    expect((await test.request({ url: '/v1/activity/export.csv' })).statusCode).toBe(401)
  })
})

describe('GET /v1/activity, 422', () => {
  it.each([
    ['offset=10', 'offset (not a known field)'],
    ['limit=0', 'limit (a whole number from 1 to 200)'],
    ['limit=201', 'limit (a whole number from 1 to 200)'],
    ['status_class=3xx', 'status_class (2xx, 4xx or 5xx)'],
    ['via=mail', 'via (api or dashboard)'],
    ['only=reads', 'only (changes)'],
    ['in_environment=both', 'in_environment (sandbox or live)'],
    ['hide=all', 'hide (log_reads)'],
    ['from=today', 'from (a date-time such as 2026-11-01T00:00:00Z)'],
    [`action=${'x'.repeat(61)}`, 'action (an action such as payout.create)'],
    ['by=%00', 'by (the start of a key, or an email)'],
    ['before=yesterday', 'before (the id of an entry)'],
    ['before=019a8a00-0000-7000-8000-000000000000', 'before (the id of an entry)'],
  ])('refuses %s', async (query, field) => {
    const reply = await get(test, await aPartner(test), `/v1/activity?${query}`)
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error.details).toMatchObject({ fields: [field] })
  })

  it("knows nothing of another partner's entries", async () => {
    const [one, other] = [await aPartner(test), await aPartner(test)]
    await get(test, other, '/v1/keys')
    const [{ id }] = (await get(test, other, '/v1/activity')).json().data
    expect((await get(test, one, `/v1/activity?before=${id}`)).statusCode).toBe(422)
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
    const change = (text: string) => test.owner.query({ name: '', text }, [partner.id])
    await expect(change('update activity set status = 500 where partner_id = $1')).rejects.toThrow('append-only')
    await expect(change('delete from activity where partner_id = $1')).rejects.toThrow('append-only')
  })
})
