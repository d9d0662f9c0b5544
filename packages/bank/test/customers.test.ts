// Who may use the bank: nobody before they are approved, for pounds nobody before those are, and an email belongs to one.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Json, type Reply, ask, control } from './support/ask.ts'
import {
  type Party,
  aNewCustomer,
  aParty,
  anApprovedCustomer,
  anEmail,
  anExternalAccountBody,
} from './support/fixtures.ts'
import { disagreements } from './support/real-bank-schemas.ts'
import { type TestBank, aBank } from './support/test-bank.ts'

let bank: TestBank
let party: Party
beforeAll(async () => {
  bank = await aBank()
  party = await aParty(bank)
})
afterAll(() => bank.close())

const customer = async (id: string): Promise<Json> => (await ask(bank, `/v0/customers/${id}`)).json
const approve = (id: string, key?: string): Promise<Reply> =>
  ask(bank, `/v0/customers/${id}/simulate_kyc_approval`, { method: 'POST', ...(key === undefined ? {} : { key }) })
const endorsed = ({ endorsements }: Json): string[] =>
  endorsements.map(({ name, status }: { name: string; status: string }) => `${name} ${status}`)

describe('customers', () => {
  it('made through the API are not approved until the sandbox is told to approve them', async () => {
    const id = await aNewCustomer(bank)
    const fresh = await customer(id)
    expect(disagreements('Customer', fresh)).toEqual([])
    expect(fresh).toMatchObject({ status: 'incomplete', capabilities: { payout_fiat: 'pending' } })
    expect(endorsed(fresh)).toEqual(['base incomplete', 'faster_payments incomplete'])
    expect((await approve(id)).json).toMatchObject({ status: 'active', capabilities: { payout_fiat: 'active' } })
    expect(endorsed(await customer(id))).toEqual(['base approved', 'faster_payments approved'])
    expect(await customer(id)).toMatchObject({ first_name: 'Thistle Market Ltd', last_name: '_' })
  })

  it('that name no endorsements are tried for euros, and never for pounds', async () => {
    const id = await anApprovedCustomer(bank, { endorsements: undefined })
    expect(endorsed(await customer(id))).toEqual(['base approved', 'sepa approved'])
    const refused = await ask(bank, `/v0/customers/${id}/external_accounts`, { body: anExternalAccountBody() })
    expect(refused.json).toMatchObject({ code: 'invalid_parameters', source: { location: 'body', key: 'currency' } })
  })

  it('cannot ask for an endorsement that there is not', async () => {
    const body = { type: 'business', email: anEmail(), endorsements: ['base', 'pounds'] }
    const refused = await ask(bank, '/v0/customers', { body })
    expect([refused.status, refused.json.code]).toEqual([400, 'invalid_parameters'])
  })

  it('have an email of their own: a second one is refused, in words, however it is written', async () => {
    const email = anEmail()
    const body = { type: 'business', business_legal_name: 'A Ltd', email }
    const first = await ask(bank, '/v0/customers', { body })
    const again = await ask(bank, '/v0/customers', { body: { ...body, email: email.toUpperCase() } })
    expect([again.status, again.json]).toEqual([
      400,
      { code: 'bad_customer_request', message: 'A customer with this email already exists', name: 'email' },
    ])
    const found = await ask(bank, `/v0/customers?email=${encodeURIComponent(email)}`)
    expect(found.json).toMatchObject({ count: 1, data: [{ id: first.json.id }] })
  })

  it('of one email who are made eight at once are one', async () => {
    const body = { type: 'business', business_legal_name: 'A Ltd', email: anEmail() }
    const made = await Promise.all(Array.from({ length: 8 }, () => ask(bank, '/v0/customers', { body })))
    expect(made.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(made.filter(({ status }) => status === 400)).toHaveLength(7)
  })

  it('may have no email, any number of them', async () => {
    const [one, other] = [
      await aNewCustomer(bank, { email: undefined }),
      await aNewCustomer(bank, { email: undefined }),
    ]
    expect(one).not.toBe(other)
  })

  it('have links to verification, for an endorsement too, and terms that lead somewhere', async () => {
    const path = `/v0/customers/${party.customerId}`
    const kyc = await ask(bank, `${path}/kyc_link?endorsement=faster_payments&redirect_uri=https%3A%2F%2Fexample.test`)
    const terms = await ask(bank, `${path}/tos_acceptance_link`)
    expect(new URL(kyc.json.url).searchParams.get('endorsement')).toBe('faster_payments')
    expect((await fetch(kyc.json.url)).status).toBe(200)
    expect((await fetch(terms.json.url)).status).toBe(200)
    expect((await ask(bank, `${path}/kyc_link?endorsement=pounds`)).status).toBe(400)
  })

  it('that nobody knows are 404', async () => {
    for (const each of ['', '/wallets', '/kyc_link', '/external_accounts', '/virtual_accounts']) {
      const reply = await ask(bank, `/v0/customers/00000000-0000-4000-8000-000000000000${each}`)
      expect([reply.status, reply.json.message]).toEqual([404, 'Unknown customer id'])
    }
  })
})

describe('before a customer is approved', () => {
  const inPounds = { source: { currency: 'gbp' } }
  const onBase = { payment_rail: 'base', currency: 'usdc' }
  const toBase = { destination_payment_rail: 'base', destination_currency: 'usdc' }
  const walletId = () => party.walletId

  it.each([
    { what: 'wallets', body: () => ({ chain: 'base' }) },
    {
      what: 'virtual_accounts',
      body: () => ({ ...inPounds, destination: { ...onBase, bridge_wallet_id: walletId() } }),
    },
    {
      what: 'liquidation_addresses',
      body: () => ({ chain: 'base', currency: 'usdc', ...toBase, bridge_wallet_id: walletId() }),
    },
    { what: 'external_accounts', body: () => anExternalAccountBody() },
  ])('there are no $what for it, new or under review or paused', async ({ what, body }) => {
    const start = await ask(bank, '/v0/kyc_links', {
      body: { full_name: 'A Ltd', email: anEmail(), type: 'business', endorsements: ['base', 'faster_payments'] },
    })
    const id = customerIn(start.json)
    for (const action of [null, 'review', 'ask', 'reject', 'pause']) {
      if (action !== null) await control(bank, `/kyc_links/${start.json.id}/${action}`, {})
      const refused = await ask(bank, `/v0/customers/${id}/${what}`, { body: body() })
      expect([refused.status, refused.json.code, refused.json.message]).toEqual([
        400,
        'invalid_parameters',
        'Customer has not completed onboarding',
      ])
      expect((await ask(bank, `/v0/customers/${id}/${what}`)).json.count).toBe(0)
    }
  })
})

describe('pounds', () => {
  it('need an endorsement of their own, whatever else the customer may do', async () => {
    const link = (
      await ask(bank, '/v0/kyc_links', {
        body: { full_name: 'A Ltd', email: anEmail(), type: 'business', endorsements: ['base', 'faster_payments'] },
      })
    ).json
    const approved = await control(bank, `/kyc_links/${link.id}/approve`, { endorsements: ['base'] })
    // The link says that all is well: it is about the customer as such.
    expect(approved.json.kyc_status).toBe('approved')
    const id = approved.json.customer_id
    expect(endorsed(await customer(id))).toEqual(['base approved', 'faster_payments incomplete'])
    const wallet = await ask(bank, `/v0/customers/${id}/wallets`, { body: { chain: 'base' } })
    expect(wallet.status).toBe(201)
    const destination = { payment_rail: 'base', currency: 'usdc', bridge_wallet_id: wallet.json.id }
    const account = () =>
      ask(bank, `/v0/customers/${id}/virtual_accounts`, { body: { source: { currency: 'gbp' }, destination } })
    const recipient = () => ask(bank, `/v0/customers/${id}/external_accounts`, { body: anExternalAccountBody() })
    expect((await account()).json.source).toEqual({ location: 'body', key: 'source.currency' })
    expect((await recipient()).json.source).toEqual({ location: 'body', key: 'currency' })
    await control(bank, `/kyc_links/${link.id}/ask`, { endorsement: 'faster_payments', missing: ['proof_of_address'] })
    const asked = await customer(id)
    expect(disagreements('Customer', asked)).toEqual([])
    expect(asked).toMatchObject({
      status: 'active',
      endorsements: [{}, { status: 'incomplete', requirements: { missing: { all_of: ['proof_of_address'] } } }],
    })
    await control(bank, `/kyc_links/${link.id}/approve`, { endorsements: ['faster_payments'] })
    expect([(await account()).status, (await recipient()).status]).toEqual([200, 201])
  })

  it('are not approved, nor given an account, where the bank has not switched them on', async () => {
    await control(bank, '/terms', { not_enabled: ['gbp'] })
    try {
      const id = await anApprovedCustomer(bank)
      expect(endorsed(await customer(id))).toEqual(['base approved', 'faster_payments incomplete'])
      const destination = { payment_rail: 'base', currency: 'usdc', bridge_wallet_id: party.walletId }
      const refused = await ask(bank, `/v0/customers/${party.customerId}/virtual_accounts`, {
        body: { source: { currency: 'gbp' }, destination },
      })
      expect(refused.json.source).toEqual({ location: 'body', key: 'source.currency' })
      await control(bank, '/terms', { not_enabled: [] })
      expect(endorsed((await approve(id)).json)).toEqual(['base approved', 'faster_payments approved'])
    } finally {
      await control(bank, '/terms', { not_enabled: [] })
    }
  })
})

describe('a verification', () => {
  const start = async (email = anEmail()): Promise<Json> => {
    const body = { full_name: 'Thistle Market Ltd', email, type: 'business' }
    const reply = await ask(bank, '/v0/kyc_links', { body: { ...body, endorsements: ['base', 'faster_payments'] } })
    expect(reply.status).toBe(200)
    return reply.json
  }

  it('starts from nothing, with links to go on, and with no customer to speak of', async () => {
    const link = await start()
    expect(disagreements('KycLink', link)).toEqual([])
    expect(link).toMatchObject({ kyc_status: 'not_started', tos_status: 'pending', rejection_reasons: [] })
    expect(link.customer_id).toBeNull()
    expect((await customer(customerIn(link))).status).toBe('not_started')
    expect((await ask(bank, `/v0/kyc_links/${link.id}`)).json).toEqual(link)
    const email = encodeURIComponent(link.email)
    const listed = await ask(bank, `/v0/kyc_links?customer_id=${customerIn(link)}&email=${email}`)
    expect(listed.json).toEqual({ count: 1, data: [link] })
  })

  it('for an email that is known is refused with the link that there is', async () => {
    const link = await start()
    const again = await ask(bank, '/v0/kyc_links', { body: { email: link.email.toUpperCase(), type: 'business' } })
    expect([again.status, again.json]).toEqual([
      400,
      { code: 'duplicate_record', message: expect.any(String), existing_kyc_link: link },
    ])
    // A customer that came by another way has no link to show.
    const { email } = await customer(party.customerId)
    const other = await ask(bank, '/v0/kyc_links', { body: { email, type: 'business' } })
    expect([other.status, other.json.code, other.json.existing_kyc_link]).toEqual([400, 'duplicate_record', undefined])
  })

  it('for one email, eight at once, is one', async () => {
    const body = { email: anEmail(), type: 'business' }
    const made = await Promise.all(Array.from({ length: 8 }, () => ask(bank, '/v0/kyc_links', { body })))
    const ids = made.map(({ json }) => json.id ?? json.existing_kyc_link.id)
    expect(new Set(ids).size).toBe(1)
    expect(made.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('that is approved makes the customer active, terms and all', async () => {
    const link = await start()
    const approved = await control(bank, `/kyc_links/${link.id}/approve`, {})
    expect(approved.json).toMatchObject({
      kyc_status: 'approved',
      tos_status: 'approved',
      customer_id: customerIn(link),
    })
    expect(await customer(customerIn(link))).toMatchObject({ status: 'active', has_accepted_terms_of_service: true })
  })

  it('that is looked at and rejected says why, to each what is theirs', async () => {
    const link = await start()
    await control(bank, `/kyc_links/${link.id}/accept_tos`, {})
    await control(bank, `/kyc_links/${link.id}/review`, {})
    expect((await ask(bank, `/v0/kyc_links/${link.id}`)).json).toMatchObject({
      kyc_status: 'under_review',
      tos_status: 'approved',
    })
    await control(bank, `/kyc_links/${link.id}/reject`, { reason: 'Blurry photo.', developer_reason: 'Internal.' })
    const rejected = (await ask(bank, `/v0/kyc_links/${link.id}`)).json
    expect(disagreements('KycLink', rejected)).toEqual([])
    expect(rejected.rejection_reasons).toMatchObject([{ reason: 'Blurry photo.', developer_reason: 'Internal.' }])
    const seen = await customer(customerIn(link))
    expect(seen).toMatchObject({ status: 'rejected', capabilities: { payout_fiat: 'rejected' } })
    expect(disagreements('Customer', seen)).toEqual([])
  })

  it('may be paused, and that says so everywhere', async () => {
    const link = await start()
    await control(bank, `/kyc_links/${link.id}/approve`, {})
    expect((await control(bank, `/kyc_links/${link.id}/pause`, {})).json.kyc_status).toBe('paused')
    const seen = await customer(customerIn(link))
    expect(seen).toMatchObject({ status: 'paused', capabilities: { payout_fiat: 'inactive' } })
    expect(disagreements('Customer', seen)).toEqual([])
  })

  it('is approved by the real bank’s own sandbox helper, once for one key', async () => {
    const link = await start()
    const once = () => approve(customerIn(link), `ok-${link.id}`)
    expect((await once()).json.status).toBe('active')
    expect((await once()).headers['idempotent-replayed']).toBe('true')
  })

  it('without an email or with another type is refused', async () => {
    const reply = await ask(bank, '/v0/kyc_links', { body: { type: 'club' } })
    expect(reply.json.source.key.split(',').toSorted()).toEqual(['email', 'type'])
  })
})

/** The pages' addresses carry the customer's id before the link does. */
function customerIn(link: Json): string {
  return new URL(link.tos_link).pathname.split('/').at(-1)!
}
