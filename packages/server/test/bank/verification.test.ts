// Business verification: started here, done at the bank, moved by the bank's word alone. Approval opens live.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { createKey } from '../../src/domain/api-keys/create-key.ts'
import { handleBankEvents } from '../../src/domain/banking/feeds/bank-events.ts'
import { connectWallets } from '../../src/domain/banking/sandbox/connect-wallets.ts'
import { reconcileIfDue } from '../../src/domain/banking/reconcile/reconcile.ts'
import { listNotOpen, readLiveStanding } from '../../src/domain/banking/verification/live-standing.ts'
import { moveByOperator } from '../../src/domain/banking/operator/move-by-operator.ts'
import {
  followHolder,
  followVerification,
  followVerifications,
  recheckVerifications,
} from '../../src/domain/banking/verification/verification.ts'
import { vouchForPartner } from '../../src/domain/banking/verification/vouch-for-partner.ts'
import { sweepDeposits } from '../../src/domain/banking/feeds/credit-deposits.ts'
import { closePartner } from '../../src/domain/partners/change-partner.ts'
import { tellOfClosedWallets } from '../../src/domain/watch/tell-of-closed-wallets.ts'
import { readMailbox } from '../../src/domain/mail/read-mailbox.ts'
import type { MicroUsdc } from '../../src/core/money.ts'
import { findPartnerBySlug } from '../../src/storage/partners.ts'
import { readWalletAccounts } from '../../src/storage/ledger.ts'
import { signedIn } from '../support/sessions.ts'
import { type BankApp, accountAtBank, balanceAtBank, startBankApp } from '../support/bank-app.ts'
import {
  type TestPartner,
  aRecipient,
  anIdempotencyKey,
  balanceOf,
  createPayout,
  get,
  inLive,
  sql,
} from '../support/fixtures.ts'

const FLOAT = 10_000_000_000n
const SENT = 32_070_000n
const HOUR_MS = 60 * 60 * 1_000

const CREDIT = { kind: 'credit', reference: 'x', amount: 500_000_000n as MicroUsdc, reason: 'x' } as const

let test: BankApp
beforeAll(async () => {
  test = await startBankApp({ isLive: true })
})
afterAll(() => test.close())

interface BusinessVerification {
  readonly status: string
  readonly provider_status: string | null
  readonly continue_url: string | null
  readonly terms_url: string | null
  readonly missing: readonly string[]
}

type Compliance = { readonly business_verification: BusinessVerification }

async function start(partner: TestPartner): Promise<BusinessVerification> {
  const reply = await test.request({
    method: 'POST',
    url: '/v1/compliance/verification',
    headers: { authorization: `Bearer ${partner.key}` },
  })
  expect(reply.statusCode).toBe(200)
  return reply.json<Compliance>().business_verification
}

async function shown(partner: TestPartner): Promise<BusinessVerification> {
  return (await get(test, partner, '/v1/compliance')).json<Compliance>().business_verification
}

const partnerRow = async (partner: TestPartner) => (await findPartnerBySlug(test.deps.db, partner.slug))!

const POUNDS = { endorsements: ['faster_payments'] }

type Decision = 'approve' | 'revoke' | 'ask' | 'reject' | 'review' | 'pause' | 'accept_tos'

/** The bank decides about a partner's verification. */
async function decide(partner: TestPartner, action: Decision, how?: object): Promise<void> {
  const { verificationRef } = await partnerRow(partner)
  await test.bank.control('POST', `/kyc_links/${verificationRef}/${action}`, how)
}

async function liveKey(partner: TestPartner): Promise<TestPartner> {
  const row = await partnerRow(partner)
  const key = await createKey(test.deps, { partner: row, environment: 'live', label: null })
  return { ...partner, key: key.secret, keyId: key.id, environment: 'live' }
}

/** A partner whose live wallet is connected, seen through a live key. */
async function aLivePartner(): Promise<TestPartner> {
  const partner = await test.aConnectedPartner()
  await start(partner)
  await decide(partner, 'approve')
  await followVerifications(test.deps)
  await connectWallets(test.deps, 'live')
  return liveKey(partner)
}

async function sandboxKey(partner: TestPartner): Promise<string> {
  const row = await partnerRow(partner)
  return (await createKey(test.deps, { partner: row, environment: 'sandbox', label: null })).secret
}

async function liveWalletRef(partner: TestPartner): Promise<string | null> {
  const [row] = await sql<{ ref: string | null }>(
    test,
    `select wallet_ref as ref from wallets where partner_id = $1 and environment = 'live'`,
    [partner.id],
  )
  return row!.ref
}

const payableTo = (account_number: string) => ({
  ...aRecipient(),
  bank: { bank_name: 'Monzo', sort_code: '040004', account_number },
})
const POSSIBLE = payableTo('12345670')
const IMPOSSIBLE = payableTo('12345678')

describe('a business that was closed', () => {
  it('opens and owes nothing when the bank approves it later', async () => {
    const partner = await test.aConnectedPartner()
    await start(partner)
    const { verificationRef } = await partnerRow(partner)
    await closePartner(test.deps, partner.slug)
    await decide(partner, 'approve')
    await followVerification(test.deps, verificationRef!)
    await followVerifications(test.deps)
    await recheckVerifications(test.deps)
    await connectWallets(test.deps, 'live')
    expect(await partnerRow(partner)).toMatchObject({ status: 'closed', verifiedAt: null })
    expect(await liveWalletRef(partner)).toBeNull()
    expect(await sql(test, 'select 1 from charges where partner_id = $1', [partner.id])).toEqual([])
    await expect(vouchForPartner(test.deps, partner.slug, null)).rejects.toThrow('closed for good')
  })

  it('gets the deposit that comes later, and the operator is told', async () => {
    const live = await aLivePartner()
    await emptyLive(live)
    await closePartner(test.deps, live.slug)
    const { walletRef } = await accountAtBank(test, live)
    await test.bank.control('POST', `/wallets/${walletRef}/credit`, { source: 'onchain', amount: '7.50' })
    await sweepDeposits(test.deps, 'live')
    expect(await balanceOf(test, live)).toBe(7_500_000n)
    await tellOfClosedWallets(test.deps)
    expect(test.alarms.at(-1)).toMatchObject({
      what: 'a closed business has money in its live wallet',
      about: { partnerId: live.id, usdc: '7.50' },
    })
  })
})

/** As the operator does before closing: paid back at the bank, and taken out of the books. */
async function emptyLive(live: TestPartner): Promise<void> {
  const amount = await balanceOf(test, live)
  const { walletRef } = await accountAtBank(test, live)
  await test.bank.control('POST', `/wallets/${walletRef}/adjust`, {
    amount_micro: String(0n - amount),
    reason: 'paid back',
  })
  const scope = { partnerId: live.id, environment: 'live' } as const
  if (amount > 0n) await moveByOperator(test.deps, scope, { ...CREDIT, kind: 'debit', amount, reference: 'paid-back' })
}

describe('starting verification', () => {
  it('gives the pages to go on with, and nothing more yet', async () => {
    const partner = await test.aConnectedPartner()
    expect(await shown(partner)).toEqual({
      status: 'not_started',
      provider_status: null,
      continue_url: null,
      terms_url: null,
      can_start: true,
      live_open: false,
      missing: [],
    })
    const started = await start(partner)
    expect(started).toEqual({
      status: 'in_progress',
      provider_status: 'not_started',
      continue_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/verify\/[0-9a-f-]{36}\?redirect-uri=/),
      terms_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/accept-terms-of-service\/[0-9a-f-]{36}$/),
      can_start: true,
      live_open: false,
      missing: [],
    })
    expect(new URL(started.continue_url!).searchParams.get('redirect-uri')).toMatch(/\/dashboard\/compliance$/)
    expect(await shown(partner)).toEqual(started)
  })

  it('twice, or twice at once, starts one', async () => {
    const partner = await test.aConnectedPartner()
    const [first, again] = await Promise.all([start(partner), start(partner)])
    expect(again).toEqual(first)
    expect(await start(partner)).toEqual(first)
    const links = await test.bank.query('select id from kyc_links where customer_id = $1', [customerIn(first)])
    expect(links).toHaveLength(1)
    const { verificationRef } = await partnerRow(partner)
    expect(links).toEqual([{ id: verificationRef }])
  })

  it('after a day goes on with the one that was started', async () => {
    const partner = await test.aConnectedPartner()
    const first = await start(partner)
    await test.moveClocks(25 * HOUR_MS)
    expect(await start(partner)).toEqual(first)
  })

  it('goes on although the account has another name or address for letters now', async () => {
    const partner = await test.aConnectedPartner()
    const first = await start(partner)
    await sql(test, `update partners set name = 'Thistle Group', contact_email = 'x@thistle.test' where id = $1`, [
      partner.id,
    ])
    expect(await start(partner)).toEqual(first)
  })

  it('needs an email address to write to', async () => {
    const partner = await test.aConnectedPartner()
    await sql(test, 'update partners set contact_email = null where id = $1', [partner.id])
    const reply = await test.request({
      method: 'POST',
      url: '/v1/compliance/verification',
      headers: { authorization: `Bearer ${partner.key}` },
    })
    expect(reply.statusCode).toBe(422)
    expect(reply.json()).toMatchObject({ error: { code: 'invalid_request' } })
    expect(await shown(partner)).toMatchObject({ status: 'not_started' })
  })

  it.each(['500_before', 'reset_before', '429', 'malformed_2xx'])(
    'answers 502 after %s, and starts nothing',
    async (mode) => {
      const partner = await test.aConnectedPartner()
      await test.bank.control('POST', '/faults', { route: 'POST /v0/kyc_links', mode })
      const reply = await test.request({
        method: 'POST',
        url: '/v1/compliance/verification',
        headers: { authorization: `Bearer ${partner.key}` },
      })
      expect(reply.statusCode).toBe(502)
      expect(reply.json()).toMatchObject({ error: { code: 'bank_unavailable' } })
      expect(await shown(partner)).toMatchObject({ status: 'not_started', continue_url: null })
      expect(await start(partner)).toMatchObject({ status: 'in_progress' })
    },
  )

  function customerIn({ terms_url }: BusinessVerification): string {
    return terms_url!.split('/').at(-1)!
  }
})

describe('the bank’s word', () => {
  it.each([
    { action: 'review', status: 'in_review', provider_status: 'under_review', isOpen: true, hasTerms: true },
    { action: 'reject', status: 'rejected', provider_status: 'rejected', isOpen: true, hasTerms: true },
    { action: 'approve', status: 'approved', provider_status: 'approved', isOpen: false, hasTerms: false },
    { action: 'ask', status: 'in_progress', provider_status: 'incomplete', isOpen: true, hasTerms: true },
    { action: 'pause', status: 'suspended', provider_status: 'paused', isOpen: true, hasTerms: true },
    { action: 'accept_tos', status: 'in_progress', provider_status: 'not_started', isOpen: true, hasTerms: false },
  ] as const)('$action makes it $status', async ({ action, status, provider_status, isOpen, hasTerms }) => {
    const partner = await test.aConnectedPartner()
    const started = await start(partner)
    await decide(partner, action)
    expect(await shown(partner)).toEqual(started)
    await followVerifications(test.deps)
    expect(await shown(partner)).toEqual({
      status,
      provider_status,
      continue_url: isOpen ? started.continue_url : null,
      terms_url: hasTerms ? started.terms_url : null,
      can_start: true,
      live_open: false,
      missing: [],
    })
  })

  it.each([
    { action: 'review', status: 'in_review' },
    { action: 'approve', status: 'approved' },
  ] as const)('$action is not forgotten when the partner starts again', async ({ action, status }) => {
    const partner = await test.aConnectedPartner()
    await start(partner)
    await decide(partner, action)
    await followVerifications(test.deps)
    expect(await start(partner)).toMatchObject({ status })
    expect(await shown(partner)).toMatchObject({ status })
  })

  it('may go from review to approval, and the day of approval is kept', async () => {
    const partner = await test.aConnectedPartner()
    await start(partner)
    await decide(partner, 'review')
    await followVerifications(test.deps)
    expect((await partnerRow(partner)).verifiedAt).toBeNull()
    await decide(partner, 'approve')
    await followVerifications(test.deps)
    const { verifiedAt } = await partnerRow(partner)
    expect(verifiedAt).toBeInstanceOf(Date)
    await test.moveClocks(HOUR_MS)
    await followVerifications(test.deps)
    expect((await partnerRow(partner)).verifiedAt).toEqual(verifiedAt)
  })

  it('may be taken back, and is heard within a day although no message came', async () => {
    const partner = await aLivePartner()
    await decide(partner, 'reject')
    await followVerifications(test.deps)
    expect(await shown(partner)).toMatchObject({ status: 'approved' })
    await test.moveClocks(25 * HOUR_MS)
    await reconcileIfDue(test.deps)
    expect(await partnerRow(partner)).toMatchObject({ verificationStatus: 'rejected' })
    // The live key that asks is refused from then on.
    expect((await get(test, partner, '/v1/balance')).statusCode).toBe(403)
  })

  it('is about one partner and no other', async () => {
    const [one, other] = [await test.aConnectedPartner(), await test.aConnectedPartner()]
    const others = await start(other)
    await start(one)
    await decide(one, 'approve')
    await followVerifications(test.deps)
    expect(await shown(one)).toMatchObject({ status: 'approved' })
    expect(await shown(other)).toEqual(others)
  })

  it('comes with its message, without anybody asking', async () => {
    const heard = await startBankApp({ isLive: true })
    try {
      await heard.listen(['live'])
      const partner = await heard.aConnectedPartner()
      const reply = await heard.request({
        method: 'POST',
        url: '/v1/compliance/verification',
        headers: { authorization: `Bearer ${partner.key}` },
      })
      expect(reply.json<Compliance>().business_verification.status).toBe('in_progress')
      const { verificationRef } = (await findPartnerBySlug(heard.deps.db, partner.slug))!
      await heard.bank.control('POST', `/kyc_links/${verificationRef}/approve`)
      await vi.waitFor(async () => {
        await handleBankEvents(heard.deps)
        const { business_verification } = (await get(heard, partner, '/v1/compliance')).json<Compliance>()
        expect(business_verification.status).toBe('approved')
      }, 20_000)
    } finally {
      await heard.close()
    }
  })
})

describe('verifications that the bank cannot show', () => {
  it('hold up nobody else’s, however many there are', async () => {
    const [open, decided] = [await test.aConnectedPartner(), await aLivePartner()]
    await start(open)
    await decide(open, 'approve')
    await decide(decided, 'revoke', POUNDS)
    // The oldest businesses here, which the bank does not know.
    await sql(
      test,
      `insert into partners (id, slug, name, verification_status, verification_ref, created_at)
       select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'forgotten-' || n, 'Forgotten',
              case when n % 2 = 0 then 'in_progress' else 'rejected' end, 'forgotten-' || n, now()
         from generate_series(1, 210) n`,
    )
    try {
      await expect(followVerifications(test.deps)).rejects.toThrow('The bank answered 404')
      expect(await shown(open)).toMatchObject({ status: 'approved' })
      await expect(recheckVerifications(test.deps)).rejects.toThrow('The bank answered 404')
      expect(await partnerRow(decided)).toMatchObject({ verificationStatus: 'suspended' })
    } finally {
      await sql(test, `delete from partners where slug like 'forgotten-%'`)
    }
  })
})

describe('a business that the bank rejected', () => {
  it('goes on at the link that it has, twice at once as well, and can be approved then', async () => {
    const partner = await test.aConnectedPartner()
    const first = await start(partner)
    await decide(partner, 'reject')
    await followVerifications(test.deps)
    const { verificationRef } = await partnerRow(partner)
    const [again, atOnce] = await Promise.all([start(partner), start(partner)])
    expect(again).toEqual(atOnce)
    expect(again).toEqual({ ...first, status: 'rejected', provider_status: 'rejected' })
    await decide(partner, 'approve')
    await followVerification(test.deps, verificationRef!)
    await connectWallets(test.deps, 'live')
    expect(await shown(partner)).toMatchObject({ status: 'approved' })
    expect(await liveWalletRef(partner)).not.toBeNull()
  })

  it('starts anew under another email, with new links', async () => {
    const partner = await test.aConnectedPartner()
    const first = await start(partner)
    await decide(partner, 'reject')
    await followVerifications(test.deps)
    const rejected = await partnerRow(partner)
    await sql(test, `update partners set contact_email = slug || '@thistle.test' where id = $1`, [partner.id])
    const [again, atOnce] = await Promise.all([start(partner), start(partner)])
    expect(again).toEqual(atOnce)
    expect(again).toMatchObject({ status: 'in_progress', provider_status: 'not_started' })
    expect([again.continue_url, again.terms_url]).not.toEqual([first.continue_url, first.terms_url])
    // What the bank still says of the first one changes nothing any more.
    await followVerification(test.deps, rejected.verificationRef!)
    expect(await shown(partner)).toEqual(again)
  })

  it('whose wallet was open already is not made another customer', async () => {
    const partner = await aLivePartner()
    await decide(partner, 'reject')
    await recheckVerifications(test.deps)
    const before = await partnerRow(partner)
    const sandbox = { ...partner, key: await sandboxKey(partner), environment: 'sandbox' as const }
    expect(await start(sandbox)).toMatchObject({ status: 'rejected' })
    expect((await partnerRow(partner)).verificationRef).toBe(before.verificationRef)
  })
})

describe('a business that the bank knows, and has not endorsed for pounds', () => {
  it('asked for them when it started', async () => {
    const partner = await test.aConnectedPartner()
    const { terms_url } = await start(partner)
    const asked = await test.bank.query('select name, status from endorsements where customer_id = $1', [
      terms_url!.split('/').at(-1),
    ])
    expect(asked).toEqual([
      { name: 'base', status: 'incomplete' },
      { name: 'faster_payments', status: 'incomplete' },
    ])
  })

  it('stays shut, is told what is missing, and goes on at a link for just that; live opens with the endorsement', async () => {
    const partner = await test.aConnectedPartner()
    await start(partner)
    await decide(partner, 'approve', { endorsements: ['base'] })
    await decide(partner, 'ask', { endorsement: 'faster_payments', missing: ['proof_of_address', 'tax_id'] })
    await followVerifications(test.deps)
    expect(await shown(partner)).toEqual({
      status: 'in_progress',
      provider_status: 'base approved, faster_payments incomplete',
      continue_url: expect.stringMatching(/\/verify\/[0-9a-f-]{36}\?endorsement=faster_payments$/),
      terms_url: null,
      can_start: true,
      live_open: false,
      missing: ['Pounds by Faster Payments: the bank still needs proof of address, tax id.'],
    })
    // Asking again reads the same, and nothing is opened, charged or mailed meanwhile.
    expect(await start(partner)).toEqual(await shown(partner))
    await connectWallets(test.deps, 'live')
    expect(await liveWalletRef(partner)).toBeNull()
    expect((await partnerRow(partner)).verifiedAt).toBeNull()
    expect(await sql(test, 'select 1 from charges where partner_id = $1', [partner.id])).toEqual([])
    await expect(liveKey(partner)).rejects.toMatchObject({ code: 'api_key_required' })
    const standing = await readLiveStanding(test.deps, await partnerRow(partner))
    expect(standing.detail).toMatch(/still needs proof of address.*goes on at http/)

    await decide(partner, 'approve', POUNDS)
    await followVerifications(test.deps)
    expect(await shown(partner)).toMatchObject({ status: 'approved', continue_url: null, missing: [] })
    await connectWallets(test.deps, 'live')
    expect(await shown(partner)).toMatchObject({ live_open: true })
  })

  it('waits for the bank while the bank looks at it', async () => {
    const partner = await test.aConnectedPartner()
    await start(partner)
    await decide(partner, 'approve', { endorsements: ['base'] })
    await followVerifications(test.deps)
    expect(await shown(partner)).toMatchObject({
      status: 'in_progress',
      missing: ['Pounds by Faster Payments: not approved by the bank yet.'],
    })
  })

  it('that may not use them any more is shut again', async () => {
    const partner = await aLivePartner()
    await decide(partner, 'revoke', POUNDS)
    await recheckVerifications(test.deps)
    expect(await partnerRow(partner)).toMatchObject({
      verificationStatus: 'suspended',
      verificationMissing: ['Pounds by Faster Payments: the bank has taken back its approval.'],
    })
    expect((await get(test, partner, '/v1/balance')).statusCode).toBe(403)
  })

  it('is heard of by the message about the customer', async () => {
    const partner = await test.aConnectedPartner()
    await start(partner)
    await decide(partner, 'approve', { endorsements: ['base'] })
    await followVerifications(test.deps)
    await decide(partner, 'approve', POUNDS)
    const [row] = await sql<{ ref: string }>(test, 'select live_customer_ref as ref from partners where id = $1', [
      partner.id,
    ])
    await followHolder(test.deps, row!.ref)
    expect(await shown(partner)).toMatchObject({ status: 'approved' })
    await followHolder(test.deps, 'nobody')
  })
})

describe('an email that the bank knows', () => {
  const startReply = (partner: TestPartner) =>
    test.request({
      method: 'POST',
      url: '/v1/compliance/verification',
      headers: { authorization: `Bearer ${partner.key}` },
    })

  /** An admin signs in with a code that was mailed to the contact email. */
  async function readsItsMail(partner: TestPartner): Promise<void> {
    await sql(test, `update members set last_login_at = now() where partner_id = $1`, [partner.id])
  }

  /** A link that somebody made at the bank, without us. */
  async function byHand(body: object): Promise<string> {
    const { baseUrl, apiKey } = test.bank.provider
    const reply = await fetch(`${baseUrl}/kyc_links`, {
      method: 'POST',
      headers: { 'api-key': apiKey, 'idempotency-key': JSON.stringify(body), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(reply.status).toBe(200)
    return ((await reply.json()) as { id: string }).id
  }

  it('because the first answer was lost is gone on with, also when the bank has forgotten the key', async () => {
    const partner = await test.aConnectedPartner()
    await test.bank.control('POST', '/faults', { route: 'POST /v0/kyc_links', mode: 'reset_after' })
    expect((await startReply(partner)).statusCode).toBe(502)
    await test.moveClocks(25 * HOUR_MS)
    await readsItsMail(partner)
    const started = await start(partner)
    expect(started).toMatchObject({ status: 'in_progress', continue_url: expect.stringMatching(/\/verify\//) })
    const { contactEmail, verificationRef } = await partnerRow(partner)
    const links = await test.bank.query('select id from kyc_links where email = $1', [contactEmail])
    expect(links).toEqual([{ id: verificationRef }])
  })

  it('because the operator made its link by hand is gone on with', async () => {
    const partner = await test.aConnectedPartner()
    const { contactEmail: email } = await partnerRow(partner)
    const link = await byHand({ email, full_name: ' thistle  MARKET', type: 'business' })
    expect(await vouchForPartner(test.deps, partner.slug, null)).toMatchObject({ verificationStatus: 'in_progress' })
    expect((await partnerRow(partner)).verificationRef).toBe(link)
  })

  it('is given to nobody who only wrote it into the settings, whatever the business calls itself', async () => {
    const partner = await test.aConnectedPartner()
    const { contactEmail: email } = await partnerRow(partner)
    const link = await byHand({ email, full_name: 'Thistle Market', type: 'business' })
    await test.bank.control('POST', `/kyc_links/${link}/approve`, { endorsements: ['base', 'faster_payments'] })
    expect((await startReply(partner)).statusCode).toBe(422)
    expect(await shown(partner)).toMatchObject({ status: 'not_started', continue_url: null })
    await readsItsMail(partner)
    expect(await start(partner)).toMatchObject({ status: 'approved' })
  })

  it.each([
    { whose: 'another business’s', body: { full_name: 'Nettle Ltd', type: 'business' } },
    { whose: 'a person’s', body: { full_name: 'Thistle Market', type: 'individual' } },
    { whose: 'nobody says whose', body: { type: 'business' } },
  ])('as $whose is refused in plain words, and nobody is verified by it', async ({ body }) => {
    const partner = await test.aConnectedPartner()
    const { contactEmail: email } = await partnerRow(partner)
    await readsItsMail(partner)
    const link = await byHand({ email, ...body })
    await test.bank.control('POST', `/kyc_links/${link}/approve`)
    const reply = await startReply(partner)
    expect([reply.statusCode, reply.json<{ error: object }>().error]).toMatchObject([
      422,
      { code: 'invalid_request', message: expect.stringContaining('contact email of its own') },
    ])
    expect(await shown(partner)).toMatchObject({ status: 'not_started', continue_url: null })
  })

  it('as that of another partner here, of the same name too, is refused; two at once give it to one of them', async () => {
    const [one, other, third] = [
      await test.aConnectedPartner(),
      await test.aConnectedPartner(),
      await test.aConnectedPartner(),
    ]
    const all = [one, other, third]
    await sql(test, `update partners set contact_email = 'owner@two.test' where id = any($1)`, [
      all.map(({ id }) => id),
    ])
    await sql(test, `update members set email = 'owner@two.test', last_login_at = now() where partner_id = any($1)`, [
      all.map(({ id }) => id),
    ])
    const replies = await Promise.all(all.map(startReply))
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect(replies.filter(({ statusCode }) => statusCode === 422)).toHaveLength(2)
    const rows = await Promise.all(all.map(partnerRow))
    expect(rows.filter(({ verificationRef }) => verificationRef !== null)).toHaveLength(1)
  })
})

describe('every admin', () => {
  const mailsTo = async (address: string) =>
    (await readMailbox(test.deps)).filter(({ to, kind }) => to === address && kind.startsWith('verification_'))

  it.each([
    { action: 'approve', subject: /is verified: live payouts are open$/, says: /Live|live/ },
    { action: 'reject', subject: /was not verified by the bank$/, says: /The bank says: Cannot validate the business/ },
  ] as const)('is told once, by mail, of what the bank decided: $action', async ({ action, subject, says }) => {
    const partner = await test.aConnectedPartner()
    await signedIn(test, partner, { email: `${action}@thistle.test` })
    await start(partner)
    await decide(partner, action)
    await Promise.all([followVerifications(test.deps), followVerifications(test.deps)])
    await followVerifications(test.deps)
    const mails = await mailsTo(`${action}@thistle.test`)
    expect(mails.map((mail) => mail.subject)).toEqual([expect.stringMatching(subject)])
    expect(mails[0]!.text).toMatch(says)
    // The bank's message to the operator is not shown to the business.
    expect(mails[0]!.text).not.toContain('control plane')
  })
})

describe('a business that the operator vouches for', () => {
  it('is opened at the bank like any other: it gets its links, and live opens when the bank approves', async () => {
    const partner = await test.aConnectedPartner()
    const vouched = await vouchForPartner(test.deps, partner.slug, null)
    expect(vouched).toMatchObject({ verificationStatus: 'in_progress', verifiedAt: null })
    expect(vouched.continueUrl).toMatch(/\/verify\//)
    expect((await readLiveStanding(test.deps, vouched)).detail).toContain(vouched.continueUrl)
    await decide(partner, 'approve')
    await followVerifications(test.deps)
    expect((await readLiveStanding(test.deps, await partnerRow(partner))).isOpen).toBe(false)
    await connectWallets(test.deps, 'live')
    expect(await readLiveStanding(test.deps, await partnerRow(partner))).toEqual({
      isOpen: true,
      hasBank: true,
      detail: 'its wallet is open at the bank',
      missing: [],
    })
  })

  it('before there was a live bank is not known there, and starts when somebody asks', async () => {
    const partner = await test.aConnectedPartner()
    await sql(test, `update partners set verification_status = 'approved' where id = $1`, [partner.id])
    expect(await start(partner)).toMatchObject({ status: 'in_progress', continue_url: expect.any(String) })
  })

  it('is shown no money that no bank holds', async () => {
    const partner = await test.aConnectedPartner()
    await vouchForPartner(test.deps, partner.slug, null)
    const scope = { partnerId: partner.id, environment: 'live' } as const
    const credit = moveByOperator(test.deps, scope, CREDIT)
    await expect(credit).rejects.toThrow('not open at any bank')
    expect(await readWalletAccounts(test.deps.db, scope)).toMatchObject({ available: 0n, held: 0n, inTransit: 0n })
  })
})

describe('before approval', () => {
  it.each(['not started', 'started', 'in review', 'rejected'])('there is no live key: %s', async (state) => {
    const partner = await test.aConnectedPartner()
    if (state !== 'not started') await start(partner)
    if (state === 'in review') await decide(partner, 'review')
    if (state === 'rejected') await decide(partner, 'reject')
    await followVerifications(test.deps)
    await expect(liveKey(partner)).rejects.toMatchObject({ code: 'api_key_required' })
    expect(
      await sql(test, `select 1 from api_keys where partner_id = $1 and environment = 'live'`, [partner.id]),
    ).toEqual([])
  })

  it('no live wallet is connected', async () => {
    const partner = await test.aConnectedPartner()
    await start(partner)
    await connectWallets(test.deps, 'live')
    expect(
      await sql(
        test,
        `select 1 from wallets where partner_id = $1 and environment = 'live' and wallet_ref is not null`,
        [partner.id],
      ),
    ).toEqual([])
  })
})

describe('approval opens live', () => {
  it('with a wallet at the bank that is the partner’s own', async () => {
    const live = await aLivePartner()
    expect((await get(test, live, '/v1/account')).json()).toMatchObject({
      environment: 'live',
      rail: 'provider_production',
      funding_wallet: { currency: 'USDC', chain: 'base', address: expect.stringMatching(/^0x/) },
    })
    const wallets = await sql<{ environment: string; customer_ref: string; wallet_ref: string; address: string }>(
      test,
      'select environment, customer_ref, wallet_ref, address from wallets where partner_id = $1',
      [live.id],
    )
    expect(wallets).toHaveLength(2)
    for (const column of ['customer_ref', 'wallet_ref', 'address'] as const) {
      expect(new Set(wallets.map((wallet) => wallet[column])).size).toBe(2)
    }
    expect((await get(test, live, '/v1/funding')).json()).toMatchObject({
      bank_transfer: { sort_code: '999999' },
      onchain: { chain: 'base' },
    })
  })

  it('for payouts that go through, apart from the sandbox', async () => {
    const live = await aLivePartner()
    const sandbox = { ...live, environment: 'sandbox' as const }
    const created = await createPayout(test, live, { recipient: POSSIBLE })
    expect(created.statusCode).toBe(201)
    expect(created.json()).toMatchObject({ status: 'processing', environment: 'live', wallet_sent_usdc: '32.07' })
    expect(await balanceOf(test, live)).toBe(FLOAT - SENT)
    expect(await balanceOf(test, sandbox)).toBe(FLOAT)
    await test.pass(2_500)
    expect((await get(test, live, `/v1/payouts/${created.json<{ id: string }>().id}`)).json()).toMatchObject({
      status: 'completed',
    })
    expect(await balanceAtBank(test, live)).toBe(FLOAT - SENT)
    expect(await balanceAtBank(test, sandbox)).toBe(FLOAT)
  })

  it('and is charged once, on the invoice of its month', async () => {
    const live = await aLivePartner()
    const usage = async () =>
      (await get(test, live, '/v1/usage')).json<{ invoice_so_far: { lines: object[]; total_gbp: string } }>()
    const charged = {
      lines: [
        { kind: 'payout_fees', amount_gbp: '0.00' },
        { kind: 'monthly_account', amount_gbp: '15.00' },
        { kind: 'business_verification', amount_gbp: '39.00' },
      ],
      total_gbp: '54.00',
    }
    expect((await usage()).invoice_so_far).toMatchObject(charged)
    await followVerifications(test.deps)
    expect((await usage()).invoice_so_far).toMatchObject(charged)
  })
})

describe('an account that cannot exist', () => {
  it('is refused in live before anything is asked or held', async () => {
    const live = await aLivePartner()
    // The rate is known already, so that not even that has to be asked for.
    expect((await createPayout(test, live, { recipient: POSSIBLE })).statusCode).toBe(201)
    const before = { balance: await balanceOf(test, live), requests: await test.bank.requests() }
    const idempotencyKey = anIdempotencyKey()
    const refused = await createPayout(test, live, { recipient: IMPOSSIBLE }, { 'idempotency-key': idempotencyKey })
    expect(refused.statusCode).toBe(422)
    expect(refused.json()).toMatchObject({
      error: {
        code: 'recipient_account_rejected',
        details: { fields: ['recipient.bank.sort_code', 'recipient.bank.account_number'] },
      },
    })
    expect(await test.bank.requests()).toEqual(before.requests)
    expect(await balanceOf(test, live)).toBe(before.balance)
    expect(await readWalletAccounts(test.deps.db, { partnerId: live.id, environment: 'live' })).toMatchObject({
      held: 0n,
    })
    // The key is free: with the account put right the same one pays.
    const paid = await createPayout(test, live, { recipient: POSSIBLE }, { 'idempotency-key': idempotencyKey })
    expect(paid.statusCode).toBe(201)
  })

  it('is taken in sandbox, which takes any that looks like one', async () => {
    const partner = await test.aConnectedPartner()
    expect((await createPayout(test, partner, { recipient: IMPOSSIBLE })).statusCode).toBe(201)
  })
})

describe('live without a bank', () => {
  let alone: BankApp
  let live: TestPartner
  beforeAll(async () => {
    alone = await startBankApp()
    live = await inLive(alone, await alone.aConnectedPartner(), '1000.00')
  })
  afterAll(() => alone.close())

  it('creates no payout, says that nothing was sent, and holds nothing', async () => {
    const idempotencyKey = anIdempotencyKey()
    for (let time = 0; time < 2; time++) {
      const reply = await createPayout(alone, live, { recipient: POSSIBLE }, { 'idempotency-key': idempotencyKey })
      expect(reply.statusCode).toBe(502)
      expect(reply.json()).toMatchObject({
        error: { code: 'payout_not_created', message: expect.stringContaining('Nothing was sent.') },
      })
      expect(await balanceOf(alone, live)).toBe(1_000_000_000n)
      expect(await readWalletAccounts(alone.deps.db, { partnerId: live.id, environment: 'live' })).toMatchObject({
        held: 0n,
        inTransit: 0n,
      })
    }
    expect((await alone.bank.books()).transfers).toEqual([])
  })

  it('lets the operator vouch: live keys can be made; no money, no billing, and it is said why', async () => {
    const partner = await alone.aConnectedPartner()
    const vouched = await vouchForPartner(alone.deps, partner.slug, null)
    expect(vouched).toMatchObject({ verificationStatus: 'approved', verifiedAt: null })
    expect((await readLiveStanding(alone.deps, vouched)).detail).toMatch(/no live bank.*BANK_LIVE_URL/)
    expect(await createKey(alone.deps, { partner: vouched, environment: 'live', label: null })).toMatchObject({
      environment: 'live',
    })
    expect(await sql(alone, 'select 1 from charges where partner_id = $1', [partner.id])).toEqual([])
    const scope = { partnerId: partner.id, environment: 'live' } as const
    const credit = moveByOperator(alone.deps, scope, CREDIT)
    await expect(credit).rejects.toThrow('not open at any bank')
    expect(await readWalletAccounts(alone.deps.db, scope)).toMatchObject({ available: 0n, held: 0n, inTransit: 0n })
    expect(await listNotOpen(alone.deps)).toContain(partner.slug)
  })

  it('cannot start verification', async () => {
    const partner = await alone.aConnectedPartner()
    const reply = await alone.request({
      method: 'POST',
      url: '/v1/compliance/verification',
      headers: { authorization: `Bearer ${partner.key}` },
    })
    expect(reply.statusCode).toBe(502)
    expect(reply.json()).toMatchObject({ error: { code: 'bank_unavailable' } })
  })
})
