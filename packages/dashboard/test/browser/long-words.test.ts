// Names, references, labels and addresses as long as they may be, without a space to break at: every list still shows all
// of its columns, and says of nothing that there is less than there is.
import { beforeAll, describe, expect, it } from 'vitest'

import { facts, layOut, link, text } from '../../../server/src/mail/templates/layout.ts'
import { type TestPartner, createPayout } from '../../../server/test/support/fixtures.ts'
import { ask, signedIn } from '../../../server/test/support/sessions.ts'
import { cutOff, settle, sideways } from './support/look.ts'
import { aBusyPartner, aPayee } from './support/site.ts'
import { openHouse } from './support/visitors.ts'

const house = openHouse()
let partner: TestPartner
let longest: string

const EMAIL = `${'a'.repeat(60)}@${'very-long-name-of-a-company.'.repeat(4)}example`

beforeAll(async () => {
  partner = await aBusyPartner(house.site)
  const recipient = aPayee({ first_name: 'W'.repeat(80), last_name: 'm'.repeat(80) })
  const made = await createPayout(house.site, partner, { amount_gbp: '25.00', reference: 'R'.repeat(120), recipient })
  longest = made.json<{ id: string }>().id
  const admin = await signedIn(house.site, partner, { email: EMAIL })
  const headers = { origin: house.site.url }
  for (const [url, payload] of [
    ['/v1/keys', { environment: 'sandbox', label: 'L'.repeat(60) }],
    ['/v1/members', { email: `b${EMAIL}`, role: 'viewer', name: 'N'.repeat(80) }],
    ['/v1/webhook-endpoints', { url: `http://localhost:4409/${'p'.repeat(300)}`, events: ['*'] }],
  ] as const) {
    const { statusCode } = await ask(house.site, admin, { method: 'POST', url, payload, headers })
    if (statusCode !== 201) throw new Error(`${url} was refused with ${statusCode}`)
  }
})

const PAGES = [
  '/',
  '/payouts',
  '/payouts?open=:id',
  '/recipients',
  '/statement',
  '/keys',
  '/webhooks',
  '/logs',
  '/team',
  '/audit',
  '/settings',
]

describe('the longest words that are taken', () => {
  it.each(PAGES)('push nothing out of sight on %s', async (path) => {
    const { page, open } = await house.member(partner, { email: EMAIL })
    await open(path.replace(':id', longest))
    await page.getByRole('heading', { level: 1 }).waitFor()
    await settle(page)
    for (const width of [390, 768, 1024, 1200, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      await settle(page)
      await expect.poll(() => sideways(page), { message: `sideways at ${width}` }).toBe(0)
      await expect.poll(() => cutOff(page), { message: `cut off at ${width}` }).toEqual([])
    }
  })
})

describe('a mail', () => {
  it('shows all of the longest words, also on a telephone', async () => {
    const { page } = await house.visitor()
    const word = 'W'.repeat(80)
    const blocks = [text(word), facts(['Business', word], ['By', EMAIL]), link(word, 'https://kestrel.test/')]
    await page.setContent(layOut({ subject: word, title: word, blocks }).html)
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      expect([await sideways(page), await cutOff(page)]).toEqual([0, []])
    }
  })
})

describe('a name that is written from right to left', () => {
  it('keeps the end of its account behind it', async () => {
    const recipient = aPayee({ first_name: 'שרה', last_name: 'כהן' })
    const made = await createPayout(house.site, partner, { amount_gbp: '26.00', recipient })
    expect(made.statusCode).toBe(201)
    const { page, open } = await house.member(partner)
    await open('/recipients?q=כהן')
    const sarah = page.getByRole('link', { name: /^שרה/ })
    const name = await sarah.locator('bdi').boundingBox()
    const digits = await sarah.locator('.num').boundingBox()
    expect(digits!.x).toBeGreaterThanOrEqual(name!.x + name!.width)
  })
})
