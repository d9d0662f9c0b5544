// Whether a receipt is real, asked by somebody who has nothing but the receipt.
import { randomBytes } from 'node:crypto'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { ed25519From } from '../../src/core/ed25519.ts'
import { receiptToken } from '../../src/core/receipt-token.ts'
import { readPayout } from '../../src/domain/payouts/read/read-payout.ts'
import { type ShownReceipt, receiptPage } from '../../src/http/docs/receipt-page.ts'
import { keepSigningKey } from '../../src/storage/audit-heads.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import {
  type TestPartner,
  aPartner,
  aRecipient,
  anObligingRail,
  createPayout,
  get,
  inLive,
} from '../support/fixtures.ts'
import { pdfWords } from '../support/pdf-words.ts'

let test: TestApp
let partner: TestPartner
beforeAll(async () => {
  test = await startTestApp({ liveRail: anObligingRail() })
  partner = await aPartner(test)
})
afterAll(() => test.close())

async function aPayout(reference: string, recipient = aRecipient()): Promise<string> {
  const { id } = (await createPayout(test, partner, { reference, recipient, amount_gbp: '125.00' })).json()
  for (let round = 0; round < 4; round++) {
    test.clock.advance(5_000)
    await test.follow()
  }
  return id
}

/** The last part of the link on its receipt, as one reads it off the PDF. */
async function tokenOf(id: string, who = partner): Promise<string> {
  const { rawPayload } = await get(test, who, `/v1/payouts/${id}/receipt.pdf`)
  return /\/receipts\/([\w-]{158})/.exec(pdfWords(rawPayload).replaceAll('\n', ''))![1]!
}

const SHOWN = { headline: '', outcome: '', status: 'pending', isTest: false, rows: [] } as const
const pageOf = (shown: Partial<ShownReceipt>) =>
  receiptPage({ root: '../', versions: { bar: '', style: '', script: '' }, shown: { ...SHOWN, ...shown } })

const asked = (url: string) => test.request({ method: 'GET', url })
const check = (token: string) => asked(`/v1/receipts/${token}`)
const page = (token: string) => asked(`/receipts/${token}`)

describe('a receipt’s link', () => {
  it('is on the receipt for people, for a click and as a code, and stays the same', async () => {
    const id = await aPayout('Invoice 1042')
    const { rawPayload } = await get(test, partner, `/v1/payouts/${id}/receipt.pdf`)
    const words = pdfWords(rawPayload)
    expect(words).toContain('Check this receipt')
    const token = await tokenOf(id)
    expect(rawPayload.toString('latin1')).toContain(`/receipts/${token})`)
    expect(rawPayload.toString('latin1')).toMatch(/\/Count 1\b/)
    expect(await tokenOf(id)).toBe(token)
  })

  it('gives the payout as it is now to whoever has it, and nothing that is not on the receipt', async () => {
    const id = await aPayout('Invoice 1043')
    const reply = await check(await tokenOf(id))
    expect(reply.statusCode).toBe(200)
    const payout = (await get(test, partner, `/v1/payouts/${id}`)).json()
    expect(reply.json()).toEqual({
      object: 'receipt',
      payout_id: id,
      environment: 'sandbox',
      business_name: expect.any(String),
      recipient_name: payout.recipient.name,
      account_last4: payout.recipient.account_last4,
      amount_gbp: '125.00',
      reference: 'Invoice 1043',
      status: 'completed',
      failure_reason: null,
      created_at: payout.created_at,
      completed_at: payout.completed_at,
      ended_at: null,
    })
    expect(reply.headers['cache-control']).toBe('no-store')
  })

  it('says what has become of it since', async () => {
    const id = await aPayout('sandbox:hold')
    const token = await tokenOf(id)
    expect((await check(token)).json()).toMatchObject({ status: 'processing', completed_at: null })
    const failed = await check(await tokenOf(await aPayout('sandbox:fail')))
    expect(failed.json()).toMatchObject({
      status: 'failed',
      failure_reason: expect.any(String),
      ended_at: expect.any(String),
    })
  })

  it('is verified with a key of earlier times too, and not with one that was never ours', async () => {
    const id = await aPayout('Old key')
    const old = ed25519From(randomBytes(32))
    const row = await readPayout(test.deps, { partnerId: partner.id, environment: 'sandbox' }, id)
    const token = receiptToken(old, {
      environment: 'sandbox',
      partnerId: partner.id,
      payoutId: id,
      amount: row.amount,
      createdAt: row.createdAt,
    })
    expect((await check(token)).statusCode).toBe(404)
    await test.deps.db.inTransaction(async (tx) => keepSigningKey(tx, old, test.clock.now()))
    expect((await check(token)).json()).toMatchObject({ payout_id: id })
  })
})

describe('the page behind it', () => {
  it('says who paid whom, how much and with what outcome, needs no script of its own and is in no search', async () => {
    const id = await aPayout('Invoice 1044')
    const reply = await page(await tokenOf(id))
    expect(reply.statusCode).toBe(200)
    expect(reply.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-robots-tag': 'noindex, nofollow',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
    const { recipient } = (await get(test, partner, `/v1/payouts/${id}`)).json()
    for (const said of [
      'A test: no money moved',
      `£125.00 to ${recipient.name}`,
      'Completed on',
      'Nobody was paid',
      id,
    ]) {
      expect(reply.body).toContain(said)
    }
    for (const kept of ['USDC', 'Fee']) expect(reply.body).not.toContain(kept)
  })

  it('of real money says in its first line what became of it', async () => {
    const live = await inLive(test, await aPartner(test), '500.00')
    const { id } = (await createPayout(test, live)).json()
    const { body, statusCode } = await page(await tokenOf(id, live))
    expect(statusCode).toBe(200)
    expect(body).toContain('<h1>Not confirmed yet</h1>')
    for (const [status, said] of [
      ['completed', 'We made this payment'],
      ['returned', 'This payment came back'],
      ['failed', 'This payment failed'],
      ['cancelled', 'This payment was cancelled'],
    ] as const) {
      expect(pageOf({ status })).toContain(`<h1>${said}</h1>`)
      expect(pageOf({ status }).includes('outcome good')).toBe(status === 'completed')
    }
    expect(pageOf({ status: 'completed', isTest: true })).toContain('<h1>A test: no money moved</h1>')
    expect(pageOf({ status: 'completed', isTest: true })).not.toContain('outcome good')
    expect(body).not.toContain('sandbox')
  })

  it('shows a name as text, whatever it looks like', async () => {
    const name = '<img src=x onerror=alert(1)>'
    const reply = await page(await tokenOf(await aPayout('Hostile', aRecipient({ first_name: name }))))
    expect(reply.body).not.toContain('<img')
    expect(reply.body).toContain('&lt;img src=x onerror=alert(1)&gt;')
  })

  it('tells somebody with a wrong link what to do, as a 404', async () => {
    for (const url of ['/receipts', '/receipts/']) expect((await asked(url)).body).toContain('Not a receipt of ours')
    const reply = await page('nothing-of-ours')
    expect(reply.statusCode).toBe(404)
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(reply.body).toContain('Not a receipt of ours')
    expect(reply.body).not.toContain('nothing-of-ours')
  })
})

describe('what is not a receipt of ours', () => {
  let kept: string | undefined
  const aToken = async () => (kept ??= await tokenOf(await aPayout('Kinds')))

  it('is every link with one bit changed', async () => {
    const token = await aToken()
    const bytes = Buffer.from(token, 'base64url')
    expect((await check(token)).statusCode).toBe(200)
    for (let at = 0; at < bytes.length * 8; at += 5) {
      const changed = Buffer.from(bytes)
      changed[at >> 3]! ^= 1 << (at & 7)
      expect((await check(changed.toString('base64url'))).statusCode, `bit ${at}`).toBe(404)
    }
  })

  it('is the same bytes in another spelling', async () => {
    const token = await aToken()
    const others = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'].map((last) => token.slice(0, -1) + last)
    const same = others.filter((each) => Buffer.from(each, 'base64url').equals(Buffer.from(token, 'base64url')))
    expect(same.length).toBeGreaterThan(1)
    for (const each of same.filter((other) => other !== token)) expect((await check(each)).statusCode).toBe(404)
  })

  it.each([
    ['shorter', (token: string) => token.slice(1)],
    ['longer', (token: string) => `${token}A`],
    ['in the other alphabet', (token: string) => `${token.slice(0, -1)}+`],
    ['a payout’s id', () => '01a19b8a-d7c6-7269-bef2-a74de452e6b4'],
    ['letters of no alphabet', () => '%00%F0%9F%92%B8'],
    ['far too long', (token: string) => token.repeat(5)],
    ['as long as one', () => 'A'.repeat(158)],
  ])('is one that is %s', async (_what, make) => {
    const reply = await check(make(await aToken()))
    expect(reply.statusCode).toBe(404)
    expect(reply.json().error.code).toBe('not_found')
    expect((await page(make(await aToken()))).body).toContain('Not a receipt of ours')
  })

  it('is one of a payout that this service no longer has', async () => {
    const token = await aToken()
    const other = await startTestApp({ secrets: test.deps.secrets })
    try {
      expect((await other.request({ method: 'GET', url: `/v1/receipts/${token}` })).statusCode).toBe(404)
      expect((await other.request({ method: 'GET', url: `/receipts/${token}` })).statusCode).toBe(404)
    } finally {
      await other.close()
    }
  })
})
