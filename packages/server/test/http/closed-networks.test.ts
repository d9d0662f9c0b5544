// Public addresses that webhooks are not sent to: this machine's own, and the networks that the operator names.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { deliverWebhooks } from '../../src/domain/webhooks/deliver-webhooks.ts'
import { createWebhookSender } from '../../src/outbound/send-webhook.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, createPayout, get, post } from '../support/fixtures.ts'

const [OPEN, CLOSED, OWN] = ['1.1.1.1', '93.184.215.14', '8.8.4.4']
let leadsTo = OPEN
let test: TestApp
let partner: TestPartner
beforeAll(async () => {
  const sender = createWebhookSender({
    resolve: () => Promise.resolve([{ address: leadsTo, family: 4 }]),
    closed: ['93.184.215.0/24', '127.0.0.0/8'],
    ownAddresses: () => [OWN],
  })
  test = await startTestApp({ outbound: { sender } })
})
afterAll(() => test.close())
beforeEach(async () => {
  leadsTo = OPEN
  partner = await aPartner(test)
})

const AT = '/v1/webhook-endpoints'
const HOOK = 'https://hooks.thistle.example/'
const create = (url: string) => post(test, partner, AT, { url, events: ['payout.created'] })

describe('an endpoint', () => {
  it.each([
    [`https://${CLOSED}/`, `${CLOSED} is a closed address.`],
    [`https://${OWN}:8443/`, `${OWN} is this machine’s own address.`],
  ])('at %s is refused, with the reason', async (url, why) => {
    const reply = await create(url)
    expect([reply.statusCode, reply.json().error.code]).toEqual([422, 'endpoint_not_allowed'])
    expect(reply.json().error.message).toContain(why)
    expect((await get(test, partner, AT)).json().data).toEqual([])
  })

  it.each([CLOSED, OWN])('whose name leads to %s is refused, and where it leads is not told', async (address) => {
    leadsTo = address
    const reply = await create(HOOK)
    expect([reply.statusCode, reply.json().error.code]).toEqual([422, 'endpoint_not_allowed'])
    expect(reply.body).not.toContain(address)
  })

  it.each([CLOSED, OWN])('whose name leads to %s later on gets nothing', async (address) => {
    const { id } = (await create(HOOK)).json()
    leadsTo = address
    await createPayout(test, partner)
    await deliverWebhooks(test.deps)
    const [{ id: deliveryId }] = (await get(test, partner, `${AT}/${id}/deliveries`)).json().data
    const { attempt_list: attempts } = (await get(test, partner, `/v1/deliveries/${deliveryId}`)).json()
    expect(attempts).toMatchObject([{ status: null, error: 'refused_address' }])
  })

  it('of a sandbox on this machine is where it was: that is another rule', async () => {
    expect((await create('http://127.0.0.1:4242/')).statusCode).toBe(201)
  })
})
