import { writeFileSync } from 'node:fs'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, aRecipient, createPayout, get, sql } from '../support/fixtures.ts'
import { pdfWords } from '../support/pdf-words.ts'

let test: TestApp
let partner: TestPartner
beforeAll(async () => {
  test = await startTestApp()
  partner = await aPartner(test)
})
afterAll(() => test.close())

async function paid(reference: string): Promise<string> {
  const { id } = (await createPayout(test, partner, { reference, amount_gbp: '1250.00' })).json()
  for (let round = 0; round < 4; round++) {
    test.clock.advance(5_000)
    await test.follow()
  }
  return id
}

const receipt = (id: string, who = partner) => get(test, who, `/v1/payouts/${id}/receipt.pdf`)

describe('GET /v1/payouts/{id}/receipt.pdf, 200', () => {
  it('says what became of it, to whom it went and what it cost, and that sandbox is a test', async () => {
    const id = await paid('Invoice 1042')
    const reply = await receipt(id.toUpperCase())
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['content-type']).toBe('application/pdf')
    expect(reply.headers['content-disposition']).toBe(`attachment; filename="payout-sandbox-${id}.pdf"`)
    expect(reply.rawPayload.toString('latin1')).toMatch(/\/Count 1\b/)
    if (process.env['KEEP_PDF'] !== undefined) writeFileSync(process.env['KEEP_PDF'], reply.rawPayload)
    const words = pdfWords(reply.rawPayload)
    const { recipient } = (await get(test, partner, `/v1/payouts/${id}`)).json()
    for (const said of [
      `£1,250.00 to ${recipient.name}`,
      'Completed on',
      'Sandbox: this is a test, and no money moved.',
      `account ending ${recipient.account_last4}`,
      'Faster Payments',
      'Invoice 1042',
      id,
      '£13.49',
      'USDC',
    ]) {
      expect(words).toContain(said)
    }
    expect(JSON.parse((await get(test, partner, '/v1/activity?limit=20')).body).data).toContainEqual(
      expect.objectContaining({ action: 'payout.receipt', detail: id }),
    )
  })

  it.each([
    ['sandbox:fail', 'Failed on'],
    ['sandbox:hold', 'On its way'],
  ])('of one with %s says: %s', async (reference, said) => {
    const words = pdfWords((await receipt(await paid(reference))).rawPayload)
    expect(words).toContain(said)
    expect(words.includes('None: it did not arrive')).toBe(reference === 'sandbox:fail')
  })
})

describe('what a receipt says of itself to programs', () => {
  it('has a name as data, whatever the name looks like', async () => {
    const name = '</rdf:li><evil:x a="1">&amp;'
    const body = { recipient: { ...aRecipient({ first_name: name }), last_name: "O'Hara & Sons" } }
    const { id } = (await createPayout(test, partner, body)).json()
    const { rawPayload } = await receipt(id)
    const raw = rawPayload.toString('utf8')
    const xml = raw.slice(raw.indexOf('<?xpacket begin'), raw.indexOf('<?xpacket end'))
    expect(xml).toContain('to &lt;/rdf:li&gt;&lt;evil:x a=&quot;1&quot;&gt;&amp;amp; O&apos;Hara &amp; Sons</rdf:li>')
    expect(xml).not.toContain('<evil')
    // What people read is the name itself.
    expect(pdfWords(rawPayload)).toContain('to </rdf:li><evil:x a="1">&amp; O')
  })
})

describe('a receipt that is asked for again', () => {
  it('is the same until something about the payout or the business changes', async () => {
    const id = await paid('Again')
    const [first, second] = await Promise.all([receipt(id), receipt(id)])
    expect(second.rawPayload.equals(first.rawPayload)).toBe(true)
    await sql(test, `update partners set name = 'Thistle and Daughters' where id = $1`, [partner.id])
    expect(pdfWords((await receipt(id)).rawPayload)).toContain('Thistle and Daughters')
  })
})

describe('GET /v1/payouts/{id}/receipt.pdf, 404', () => {
  it('is for ids that are unknown, foreign or malformed', async () => {
    const id = await paid('Mine')
    const stranger = await aPartner(test)
    expect((await receipt(id, stranger)).statusCode).toBe(404)
    expect((await receipt('x')).statusCode).toBe(404)
  })
})
