// The request log and the audit log: one environment, followed live, by keyboard, and as a file.
import { readFile } from 'node:fs/promises'

import { beforeAll, describe, expect, it } from 'vitest'

import { type TestPartner, aPartner, createPayout, get, inLive } from '../../../server/test/support/fixtures.ts'
import { ask, signedIn } from '../../../server/test/support/sessions.ts'
import { aPayee } from './support/site.ts'
import { openHouse } from './support/visitors.ts'

const house = openHouse()
let partner: TestPartner
let payoutId: string
beforeAll(async () => {
  partner = await aPartner(house.site)
  const live = await inLive(house.site, partner)
  await get(house.site, live, '/v1/funding')
  await get(house.site, partner, '/v1/payouts/none')
  const recipient = aPayee({ first_name: 'Amara', last_name: 'Okafor' })
  payoutId = (await createPayout(house.site, partner, { amount_gbp: '12.00', recipient })).json<{ id: string }>().id
  await house.site.deps.activity.flush()
  await house.site.owner.query(
    {
      name: '',
      text: `insert into activity (partner_id, at, id, environment, action, status, by, key_id, method, path)
             select $1, now() - interval '1 day' - n * interval '1 second', gen_random_uuid(), 'sandbox', 'usage.read',
                    200, 'kp_sandbox_000000', $2, 'GET', '/v1/usage'
               from generate_series(1, 150) n`,
    },
    [partner.id, partner.keyId],
  )
})

describe('the log of requests', () => {
  it('is of one environment, is followed on top, and is read by keyboard', async () => {
    const { page, open } = await house.member(partner)
    await open('/logs')
    const rows = page.getByRole('table', { name: 'Requests' }).getByRole('row')
    await expect.poll(() => rows.count()).toBe(101)
    await page.getByRole('button', { name: 'Load older requests' }).click()
    await expect.poll(() => rows.count()).toBe(153)
    expect(await page.getByText('/v1/funding').count()).toBe(0)
    const asked: string[] = []
    page.on('request', (request) => void (request.url().includes('/v1/activity') ? asked.push(request.url()) : null))
    await page.getByRole('button', { name: 'Live', exact: true }).click()
    await get(house.site, partner, '/v1/compliance')
    await page.getByRole('row', { name: /\/v1\/compliance/ }).waitFor()
    await expect.poll(() => rows.count()).toBe(154)
    expect(asked.filter((url) => url.includes('before='))).toEqual([])
    await page.getByRole('button', { name: 'Live, press to stop' }).click()
    const chart = page.getByRole('group', { name: /^153 requests/ })
    await chart.focus()
    await page.keyboard.press('End')
    await page.getByText(/^From .*with 2xx or 3xx/).waitFor()
    await page.getByRole('button', { name: 'View as table' }).click()
    await page.getByRole('table', { name: 'Answers over time' }).waitFor()
    await page.getByRole('row', { name: /\/v1\/payouts\/\{id\}/ }).click()
    const panel = page.getByRole('complementary', { name: 'Request' })
    await panel.getByText('Sandbox', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Live', exact: true }).click()
    await page.getByRole('row', { name: /\/v1\/funding/ }).waitFor()
    await expect.poll(() => rows.count()).toBe(2)
  })

  it('does not show that it is looked at', async () => {
    const { page, open } = await house.member(partner)
    await open('/logs')
    await page.getByRole('table', { name: 'Requests' }).waitFor()
    await page.getByRole('button', { name: 'Dashboard too' }).click()
    await page.getByText('/v1/auth/session').first().waitFor()
    expect(await page.getByText('/v1/activity').count()).toBe(0)
  })
})

describe('a request of the log', () => {
  it('is found by a code, is titled as refused, and shows what was sent without its secrets', async () => {
    const { page, open } = await house.member(partner)
    const recipient = aPayee({ first_name: 'Amara', last_name: 'Okafor' })
    const bank = { ...recipient.bank, sort_code: '12345' }
    await createPayout(house.site, partner, { recipient: { ...recipient, bank } }, { 'idempotency-key': 'order-4711' })
    await open('/logs')
    await page.getByRole('searchbox', { name: 'Search requests' }).fill('invalid_recipient')
    await page.keyboard.press('Enter')
    const rows = page.getByRole('table', { name: 'Requests' }).getByRole('row')
    await expect.poll(() => rows.count()).toBe(2)
    await page.getByRole('button', { name: /POST \/v1\/payouts/ }).click()
    const panel = page.getByRole('complementary', { name: 'Request' })
    await panel.getByRole('heading', { name: 'Refused: create a payout' }).waitFor()
    const sent = panel.getByRole('region', { name: 'request body' })
    await sent.getByText('"sort_code": "*****"').waitFor()
    expect(await sent.textContent()).not.toMatch(/Amara|Okafor|12345/)
    await panel
      .getByRole('region', { name: 'answer' })
      .getByText('recipient.bank.sort_code (6 digits)')
      .first()
      .waitFor()
    await panel.getByText('order-4711').first().waitFor()
    const curl = await panel.getByRole('region', { name: 'curl command' }).textContent()
    expect(curl).toContain(`-H 'Idempotency-Key: order-4711'`)
    expect(curl).toContain('Bearer $KESTREL_API_KEY')
  })

  it('leads to its payout, and the payout back to its requests', async () => {
    const { page, open } = await house.member(partner)
    await open(`/payouts/${payoutId}`)
    await page.getByRole('link', { name: 'Requests about this payout' }).click()
    await page.getByRole('button', { name: /POST \/v1\/payouts/ }).click()
    const panel = page.getByRole('complementary', { name: 'Request' })
    await panel.getByRole('heading', { name: 'Created a payout' }).waitFor()
    await panel.getByRole('link', { name: payoutId }).click()
    expect(await page.getByRole('heading', { name: '£12.00 to Amara Okafor' }).textContent()).toContain('£12.00')
  })
})

describe('the audit log', () => {
  it('says in words who changed what, with before and after', async () => {
    const { page, open } = await house.member(partner, { email: 'ada@thistle.test' })
    const ada = await signedIn(house.site, partner, { email: 'ada@thistle.test' })
    const change = (method: 'POST' | 'PATCH', url: string, payload: object) =>
      ask(house.site, ada, { method, url, payload, headers: { origin: house.site.url } })
    const made = await change('POST', '/v1/keys', { environment: 'sandbox', label: 'Production', daily_gbp: '100.00' })
    await change('PATCH', `/v1/keys/${made.json<{ id: string }>().id}`, { daily_gbp: '500.00' })
    await open('/audit?by=ada@thistle.test')
    const row = page.getByRole('row', {
      name: /changed the daily limit of the API key “Production” from £100.00 to £500.00/,
    })
    await row.getByText('Before and after').click()
    await row.getByRole('row', { name: 'daily limit £100.00 £500.00' }).waitFor()
    expect(await page.getByRole('row', { name: /created the API key “Production”/ }).count()).toBe(1)
  })

  it('is narrowed by day and person, leads to payouts, and is taken along', async () => {
    const { page, open } = await house.member(partner)
    await open('/audit')
    await page.getByRole('link', { name: payoutId }).waitFor()
    await page.getByLabel('By exactly').fill('somebody@else.test')
    await page.keyboard.press('Enter')
    await page.getByText('No entries match these filters').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Clear filters' }).last().click()
    await page.getByRole('link', { name: payoutId }).waitFor()
    await page.getByLabel('To', { exact: true }).fill('2020-01-01')
    await page.getByText('No entries match these filters').waitFor()
    await page.getByLabel('To', { exact: true }).fill('')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^activity-.*\.csv$/)
    const text = await readFile(await download.path(), 'utf8')
    expect(text).toContain('payout.create')
    expect(text).not.toContain('usage.read')
    await page.getByRole('link', { name: payoutId }).click()
    await page.getByRole('heading', { name: '£12.00 to Amara Okafor' }).waitFor()
  })
})
