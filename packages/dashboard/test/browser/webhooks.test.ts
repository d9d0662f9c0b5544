// Webhooks: an endpoint is made, tried out, paused, given another secret and deleted; what was sent is looked into and sent again.
import { Webhook } from 'standardwebhooks'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { type TestPartner, aPartner, createPayout, get } from '../../../server/test/support/fixtures.ts'
import { type Receiver, startReceiver, withStatus } from '../../../server/test/support/receiver.ts'
import { picture } from './support/look.ts'
import { openHouse } from './support/visitors.ts'

const house = openHouse()
let partner: TestPartner
let receiver: Receiver
beforeEach(async () => {
  partner = await aPartner(house.site)
  receiver = await startReceiver()
})
// What still waits for it is tried again in vain.
afterEach(() => receiver.close())

const AT = '/v1/webhook-endpoints'
const post = (url: string, payload: object) =>
  house.site.request({ method: 'POST', url, payload, headers: { authorization: `Bearer ${partner.key}` } })
const anEndpoint = async (payload: object = {}): Promise<{ id: string }> =>
  (await post(AT, { url: receiver.url, events: ['payout.created'], ...payload })).json()
const aPayout = async (): Promise<string> =>
  (await createPayout(house.site, partner, { reference: 'sandbox:hold' })).json().id
const endpointsNow = async () => (await get(house.site, partner, AT)).json().data
const host = () => new URL(receiver.url).host

async function choose(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

describe('an endpoint', () => {
  it('is made with a secret that is seen once, tried out, and then gets what happens', async () => {
    const { page, open } = await house.member(partner)
    await open('/')
    await page.getByRole('link', { name: 'Webhooks', exact: true }).first().click()
    await page.getByText('Hear what happens instead of asking').waitFor()
    await page.getByRole('button', { name: 'Add endpoint' }).click()
    const form = page.getByRole('dialog', { name: 'Add a sandbox endpoint' })
    await form.getByLabel('Address').fill(receiver.url)
    await form.getByLabel('Description').fill('The shop')
    await form.getByRole('radio', { name: /Only some/ }).check()
    await form.getByRole('checkbox', { name: /payout\.created/ }).check()
    await form.getByRole('button', { name: 'Add endpoint' }).click()
    const shown = page.getByRole('dialog', { name: 'The endpoint’s secret' })
    const secret = (await shown.getByTestId('secret').textContent()) ?? ''
    await page.keyboard.press('Escape')
    await shown.getByText('You have not copied the secret. It cannot be shown again.').waitFor()
    await shown.getByRole('button', { name: 'Copy', exact: true }).click()
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(secret)
    await shown.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('heading', { name: receiver.url }).waitFor()
    await page.getByText('Nothing was sent yet').waitFor()
    expect(await page.content()).not.toContain(secret)

    await page.getByRole('button', { name: 'Send test event' }).click()
    const test = page.getByRole('dialog', { name: 'Send a test event' })
    await test.getByLabel('Type').selectOption('payout.failed')
    await test.getByRole('button', { name: 'Send test event' }).click()
    await test.getByText(/^Answered 200/).waitFor()
    const [tried] = receiver.received
    expect(tried!.event.type).toBe('payout.failed')
    expect(new Webhook(secret).verify(tried!.body, tried!.headers)).toMatchObject({ type: 'payout.failed' })
    receiver.answer(withStatus(503))
    await test.getByRole('button', { name: 'Send test event' }).click()
    await test.getByText(/^Answered 503/).waitFor()
    await test.getByRole('button', { name: 'Close' }).last().click()

    receiver.answer(withStatus(200))
    await aPayout()
    await page.getByRole('row', { name: /payout\.created.*Delivered/ }).waitFor({ timeout: 20_000 })
    await page.getByText('1 of 1 attempts').waitFor({ timeout: 20_000 })
  })

  it('that is being added is waited for: nobody leaves before the secret was seen', async () => {
    const { page, open } = await house.member(partner)
    await open('/webhooks?create=yes')
    const form = page.getByRole('dialog', { name: 'Add a sandbox endpoint' })
    await form.getByLabel('Address').fill(receiver.url)
    let answer: () => void = () => undefined
    const isAsked = new Promise<void>((asked) => {
      void page.route(
        `**${AT}*`,
        async (route) => {
          await new Promise<void>((resolve) => {
            answer = resolve
            asked()
          })
          await route.continue()
        },
        { times: 1 },
      )
    })
    await form.getByRole('button', { name: 'Add endpoint' }).click()
    await isAsked
    await form.getByRole('button', { name: 'Adding…' }).waitFor()
    await page.keyboard.press('Escape')
    await form.getByRole('button', { name: 'Close' }).click()
    expect(await form.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true)
    await picture(page, 'light/webhook-adding')
    answer()
    const shown = page.getByRole('dialog', { name: 'The endpoint’s secret' })
    expect(await shown.getByTestId('secret').textContent()).toMatch(/^whsec_/)
    expect(await endpointsNow()).toHaveLength(1)
  })

  it('at an address that is not allowed is refused in the server’s words, beside the field', async () => {
    const { page, open } = await house.member(partner, { expects: [422] })
    await open('/webhooks?create=yes')
    const form = page.getByRole('dialog', { name: 'Add a sandbox endpoint' })
    await form.getByRole('radio', { name: /Only some/ }).check()
    await form.getByRole('button', { name: 'Add endpoint' }).click()
    await form.getByText('Enter the address of your receiver.').waitFor()
    await form.getByLabel('Address').fill('https://169.254.169.254/latest')
    await form.getByText('Choose at least one type of event.').waitFor()
    await form.getByRole('radio', { name: /All events/ }).check()
    await form.getByRole('button', { name: 'Add endpoint' }).click()
    const words = form.getByText(/^Webhooks are not sent to https:\/\/169\.254\.169\.254\/latest: /)
    await words.waitFor()
    const described = await form.getByLabel('Address').getAttribute('aria-describedby')
    expect(described?.split(' ')).toContain(await words.getAttribute('id'))
    // What is typed then is another address: the words about the first are gone.
    await form.getByLabel('Address').fill('https://169.254.169.254/other')
    await words.waitFor({ state: 'detached' })
    expect(await endpointsNow()).toEqual([])
  })

  it('that is paused keeps its events, and sends them when it is resumed', async () => {
    const { id } = await anEndpoint()
    const { page, open } = await house.member(partner)
    await open(`/webhooks/${id}`)
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('This endpoint is paused').waitFor()
    const payoutId = await aPayout()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByText('This endpoint is paused').waitFor({ state: 'detached' })
    await expect
      .poll(() => receiver.received.map(({ event }) => event.subject.id), { timeout: 20_000 })
      .toEqual([payoutId])
  })

  it('is edited, and deleted by whoever types its host', async () => {
    const { id } = await anEndpoint()
    const { page, open } = await house.member(partner)
    await open(`/webhooks/${id}`)
    await choose(page, 'Edit')
    const form = page.getByRole('dialog', { name: 'Edit the endpoint' })
    await form.getByLabel('Description').fill('The warehouse')
    await form.getByRole('checkbox', { name: /payout\.refunded/ }).check()
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The warehouse').waitFor()
    expect(await endpointsNow()).toMatchObject([
      { description: 'The warehouse', events: ['payout.created', 'payout.refunded'] },
    ])
    // The audit log leads to it.
    await house.site.deps.activity.flush()
    await open('/audit')
    await page.getByRole('link', { name: id }).first().click()
    await page.getByRole('heading', { name: receiver.url }).waitFor()
    await choose(page, 'Delete')
    const dialog = page.getByRole('dialog', { name: 'Delete this endpoint?' })
    expect(await dialog.getByRole('button', { name: 'Delete endpoint' }).isDisabled()).toBe(true)
    await dialog.getByLabel(`Type ${host()} to confirm`).fill(host())
    await dialog.getByRole('button', { name: 'Delete endpoint' }).click()
    await page.getByText('Hear what happens instead of asking').waitFor()
    expect(await endpointsNow()).toEqual([])
  })

  it('gets another secret, and says how long the old one still signs', async () => {
    const { id } = await anEndpoint()
    const { page, open } = await house.member(partner)
    await open(`/webhooks/${id}`)
    await choose(page, 'Rotate secret')
    await page.getByRole('radio', { name: '1 hour' }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click()
    const shown = page.getByRole('dialog', { name: 'The endpoint’s secret' })
    expect(await shown.getByTestId('secret').textContent()).toMatch(/^whsec_/)
    await shown.getByRole('button', { name: 'Copy', exact: true }).click()
    await shown.getByRole('button', { name: 'Done' }).click()
    const notice = page.getByText(/^The old secret stops in/)
    const first = await notice.textContent()
    expect(first).toMatch(/(?:1 h 0 min 0 s|59 min \d+ s)/)
    await expect.poll(() => notice.textContent()).not.toBe(first)
    await choose(page, 'Rotate secret')
    await page.getByText(/^Two secrets sign already, for another/).waitFor()
    expect(await page.getByRole('radio').count()).toBe(1)
  })

  it('shows its public key, and four ways to verify', async () => {
    const { id } = await anEndpoint()
    const { page, open } = await house.member(partner)
    await open(`/webhooks/${id}`)
    const [{ public_key: key }] = (await house.site.request({ url: `/.well-known/kestrel-webhook-keys/${id}` })).json()
      .data
    await page.getByText(key).waitFor()
    for (const [tab, words] of [
      ['TypeScript', "from 'standardwebhooks'"],
      ['Python', 'from standardwebhooks import Webhook'],
      ['Go', 'libraries/go'],
      ['Ruby', 'StandardWebhooks::Webhook.new'],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click()
      expect(await page.getByRole('tabpanel').textContent()).toContain(words)
    }
  })
})

describe('a delivery', () => {
  it('is one of many on the page of its payout, which come in pages', async () => {
    await anEndpoint()
    const payoutId = await aPayout()
    const about = async () => (await get(house.site, partner, `/v1/deliveries?subject=${payoutId}`)).json().data
    await expect.poll(async () => (await about()).length, { timeout: 20_000 }).toBe(1)
    const [{ event_id: eventId }] = await about()
    for (let count = 0; count < 26; count++) await post(`/v1/events/${eventId}/redeliver`, {})
    const { page, open } = await house.member(partner)
    await open(`/payouts/${payoutId}`)
    const rows = page.getByRole('row', { name: /payout\.created/ })
    await expect.poll(() => rows.count(), { timeout: 20_000 }).toBe(25)
    await page.getByRole('button', { name: 'Load older deliveries' }).click()
    await expect.poll(() => rows.count(), { timeout: 20_000 }).toBe(27)
  })

  it('is found by its state and type, looked into, and sent again', async () => {
    receiver.answer(withStatus(500))
    const { id } = await anEndpoint({ events: ['*'] })
    const payoutId = await aPayout()
    const { page, open } = await house.member(partner)
    await open(`/webhooks/${id}`)
    await page.getByText('Failing').waitFor({ timeout: 20_000 })
    await page.getByText('Nothing has arrived lately').waitFor()
    await page.getByRole('button', { name: 'Delivered' }).click()
    await page.getByText('No deliveries match').waitFor()
    await page.getByRole('button', { name: 'Waiting' }).click()
    await page.getByLabel('Type of event').selectOption('payout.created')
    await page.getByRole('row', { name: /payout\.processing/ }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'payout.created' }).click()
    await page.getByRole('heading', { name: 'payout.created' }).waitFor()
    await page
      .getByText(/^Answered 500/)
      .first()
      .waitFor()
    await page.getByText('http_status').first().waitFor()
    await page.getByText('answered 500').first().waitFor()
    const sent = await page.getByRole('region', { name: 'payload' }).textContent()
    expect(JSON.parse(sent ?? '')).toEqual(receiver.received[0]!.event)
    const headers = await page.getByRole('region', { name: 'headers' }).textContent()
    expect(headers).toContain(`webhook-id: ${receiver.received[0]!.id}`)
    expect(await page.getByRole('link', { name: 'The payout' }).getAttribute('href')).toContain(payoutId)
    receiver.answer(withStatus(200))
    await page.getByRole('button', { name: 'Resend' }).click()
    await page.getByText(/, sent again$/).waitFor()
    await page.getByText(/^Answered 200/).waitFor({ timeout: 20_000 })
    expect(receiver.received.filter(({ event }) => event.type === 'payout.created').length).toBeGreaterThan(1)
  })

  it('of a time is replayed', async () => {
    await aPayout()
    const { id } = await anEndpoint()
    const { page, open } = await house.member(partner)
    await open(`/webhooks/${id}`)
    await choose(page, 'Replay events')
    const dialog = page.getByRole('dialog', { name: 'Replay events' })
    await dialog.getByRole('radio', { name: /Everything/ }).check()
    await dialog.getByRole('radio', { name: '1 hour ago' }).check()
    await dialog.getByRole('button', { name: 'Replay' }).click()
    await page.getByText('1 event is sent again.').first().waitFor()
    await page.getByRole('row', { name: /payout\.created replayed.*Delivered/ }).waitFor({ timeout: 20_000 })
    expect(receiver.received).toHaveLength(1)
  })

  it('of a longer time is replayed in parts, each from exactly where the last one ended', async () => {
    await aPayout()
    const { id } = await anEndpoint()
    const { page, open } = await house.member(partner)
    await open(`/webhooks/${id}`)
    const asked: { from: string; only: string }[] = []
    const until = '2026-11-02T09:15:32.204Z'
    await page.route(`**${AT}/${id}/replay*`, async (route) => {
      asked.push(route.request().postDataJSON())
      const answer = await (await route.fetch()).json()
      await route.fulfill({ json: asked.length === 1 ? { ...answer, has_more: true, until } : answer })
    })
    await choose(page, 'Replay events')
    const dialog = page.getByRole('dialog', { name: 'Replay events' })
    await dialog.getByRole('radio', { name: /Everything/ }).check()
    await dialog.getByRole('button', { name: 'Replay' }).click()
    await dialog.getByText('1 event is sent again. There are more, from 2 November 2026 at 09:15:32 on.').waitFor()
    await picture(page, 'light/webhook-replay-more')
    await dialog.getByRole('button', { name: 'Replay more' }).click()
    await page.getByText('2 events are sent again.').first().waitFor()
    expect(asked[1]).toEqual({ from: until, only: 'all' })
  })

  it('says that its endpoint was deleted only if it was', async () => {
    const { id } = await anEndpoint()
    const payoutId = await aPayout()
    const about = async () => (await get(house.site, partner, `/v1/deliveries?subject=${payoutId}`)).json().data
    await expect.poll(async () => (await about()).length, { timeout: 20_000 }).toBe(1)
    const [delivery] = await about()
    const { page, open } = await house.member(partner, { expects: [500, 404] })
    const error = { code: 'internal_error', message: 'Something went wrong.', request_id: 'r' }
    const failing = (url: URL) => url.pathname.endsWith(`${AT}/${id}`)
    await page.route(failing, (route) => route.fulfill({ status: 500, json: { error } }))
    await open(`/webhooks/deliveries/${delivery.id}`)
    await page.getByRole('link', { name: 'The endpoint' }).waitFor()
    await picture(page, 'light/delivery-endpoint-unread')
    expect(await page.getByText('Deleted').count()).toBe(0)
    await page.unroute(failing)
    await house.site.request({
      method: 'DELETE',
      url: `${AT}/${id}`,
      headers: { authorization: `Bearer ${partner.key}` },
    })
    await page.reload()
    await page.getByText('Deleted').waitFor()
    expect(await page.getByRole('link', { name: 'The endpoint' }).count()).toBe(0)
  })

  it('stands on the page of its payout, and is sent again from there', async () => {
    await anEndpoint()
    const payoutId = await aPayout()
    const { page, open } = await house.member(partner)
    await open(`/payouts/${payoutId}`)
    await page.getByRole('row', { name: /payout\.created.*Delivered/ }).waitFor({ timeout: 20_000 })
    // Whose address it is comes with another answer than the row.
    const receivers = page.getByRole('link', { name: `${host()}/hook` })
    await receivers.first().waitFor()
    expect(await receivers.count()).toBe(1)
    await page.getByRole('button', { name: 'Resend payout.created' }).click()
    await page.getByRole('row', { name: /sent again.*Delivered/ }).waitFor({ timeout: 20_000 })
    expect(receiver.received.map(({ event }) => event.subject.id)).toEqual([payoutId, payoutId])
    expect(receiver.received[0]!.id).toBe(receiver.received[1]!.id)
  })
})

it('a viewer sees endpoints and deliveries, changes nothing, and is told who can', async () => {
  const { id } = await anEndpoint()
  const payoutId = await aPayout()
  const { page, open } = await house.member(partner, { role: 'viewer' })
  await open('/webhooks?create=yes')
  await page.getByRole('row', { name: new RegExp(receiver.url) }).waitFor()
  await page.getByText(/^Only admins change endpoints\. Ask an admin of /).waitFor()
  expect(await page.getByRole('button', { name: 'Add endpoint' }).count()).toBe(0)
  expect(await page.getByRole('dialog').count()).toBe(0)
  await open(`/webhooks/${id}`)
  await page.getByText(/^Only admins change endpoints and send again/).waitFor()
  await page.getByRole('link', { name: 'payout.created' }).waitFor({ timeout: 20_000 })
  expect(await page.getByRole('button', { name: /Resend|Pause|Send test|More/ }).count()).toBe(0)
  await open(`/payouts/${payoutId}`)
  await page.getByText(/^Only admins of .* send again/).waitFor()
  expect(await page.getByRole('button', { name: /Resend/ }).count()).toBe(0)
})

it('a pause shows in the tabs of everybody else, and goes when payouts go out again', async () => {
  const [one, other] = [await house.member(partner), await house.member(partner, { role: 'viewer' })]
  await other.open('/')
  await other.page.getByRole('heading', { name: 'Overview' }).waitFor()
  await one.open('/payouts')
  await one.page.getByRole('button', { name: 'Pause payouts' }).click()
  await one.page.getByRole('dialog').getByRole('button', { name: 'Pause all payouts' }).click()
  const bar = other.page.getByText(/^All sandbox payouts have been paused since/)
  await bar.waitFor({ timeout: 20_000 })
  await one.page.getByRole('button', { name: 'Resume payouts' }).click()
  await bar.waitFor({ state: 'detached', timeout: 20_000 })
  expect(await bar.count()).toBe(0)
})
