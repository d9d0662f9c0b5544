// The businesses with which every page is opened and checked.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { vouchForPartner } from '../../../../server/src/domain/banking/verification/vouch-for-partner.ts'
import { type TestPartner, aPartner, createPayout } from '../../../../server/test/support/fixtures.ts'
import { ask, signedIn } from '../../../../server/test/support/sessions.ts'
import { barriers, barriersOfColour, cutOff, picture, rest, settle, sideways } from './look.ts'
import { type BilledPartner, aBilledPartner } from './billed.ts'
import { type HookedPartner, aHookedPartner } from './hooked.ts'
import { type VisitorOptions, NARROW, WIDE } from './contexts.ts'
import { type Site, aBusyPartner, aPayee } from './site.ts'
import type { View } from './views.ts'
import { openHouse } from './visitors.ts'

/** Returns a function that opens a view and waits until everything is loaded. */
type OpenView = (view: View, options?: VisitorOptions) => Promise<Page>

export function openViews(): OpenView {
  const house = openHouse()
  let busy: TestPartner
  let fresh: TestPartner
  let billed: BilledPartner
  let vouched: TestPartner
  let hooked: HookedPartner
  let payoutId: string
  beforeAll(async () => {
    billed = await aBilledPartner(house.site)
    busy = await aBusyPartner(house.site)
    fresh = await aPartner(house.site, { slug: 'thistle-market' })
    const admin = await signedIn(house.site, busy, { email: 'finance@thistle.test' })
    const { data } = (await ask(house.site, admin, { url: '/v1/payouts?status=returned' })).json()
    payoutId = data[0].id
    vouched = await aPartner(house.site)
    await vouchForPartner(house.site.deps, vouched.slug, null)
    hooked = await aHookedPartner(house.site)
    await payTwice(house.site, busy)
    await changeKey(house.site, busy)
    await inviteBookkeeper(house.site, await aPartner(house.site))
  })
  afterAll(() => hooked?.close())
  const regulars = new Map<View['of'], Page>()
  const visit = async ({ of, inWhole = false }: View, options: VisitorOptions): Promise<Page> => {
    const given = { ...options, inWhole, expects: [403, 404, 500, 502] }
    if (of === 'nobody') return (await house.visitor(given)).page
    if (of === 'two-businesses') {
      await signedIn(house.site, fresh, { email: BOOKKEEPER })
      return (await house.member(busy, { ...given, email: BOOKKEEPER, role: 'viewer' })).page
    }
    const regular = inWhole ? undefined : regulars.get(of)
    if (regular !== undefined && !regular.isClosed()) return asFound(regular)
    const isViewer = of === 'viewer'
    const email = isViewer ? 'auditor@ellis.test' : 'finance@thistle.test'
    const partner = { fresh, billed, vouched, hooked, viewer: busy }[of ?? 'viewer']
    const role = isViewer ? 'viewer' : 'admin'
    const { page } = await house.member(partner, { ...given, email, role, comesBack: !inWhole })
    if (!inWhole) regulars.set(of, page)
    return page
  }
  return async (view, options = {}) => {
    const page = await visit(view, options)
    const invoiceId = (view.name.includes('overdue') ? billed.overdue : billed.newest).id
    const named = { ...hooked, id: payoutId, invoice: invoiceId }
    const path = view.path.replace(/:(\w+)/, (_whole, name: keyof typeof named) => String(named[name]))
    await page.goto(`/dashboard${path}`)
    await page.getByRole('heading', { name: view.heading }).first().waitFor()
    await settle(page)
    await view.first?.(page)
    if (view.isUnsettled !== true) await settle(page)
    return page
  }
}

/** Takes back what the view before has done to the page: opening another in its place costs half of opening a new one. */
async function asFound(page: Page): Promise<Page> {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.setViewportSize(WIDE)
  await page.evaluate('sessionStorage.clear()')
  return page
}

const BOOKKEEPER = 'bookkeeper@thistle.test'

/** Somebody with two businesses is invited to a third. */
async function inviteBookkeeper(site: Site, partner: TestPartner): Promise<void> {
  const inviter = await signedIn(site, partner, { email: 'owner@other.test' })
  const payload = { email: BOOKKEEPER, role: 'viewer' }
  const headers = { origin: site.url }
  expect((await ask(site, inviter, { method: 'POST', url: '/v1/members', payload, headers })).statusCode).toBe(201)
}

/** A key that is limited, limited otherwise, and revoked: for the audit log. */
async function changeKey(site: Site, partner: TestPartner): Promise<void> {
  const admin = await signedIn(site, partner, { email: 'finance@thistle.test' })
  const headers = { origin: site.url }
  const made = { environment: 'sandbox', label: 'Nightly settlement of marketplace orders', daily_gbp: '100.00' }
  const { id } = (await ask(site, admin, { method: 'POST', url: '/v1/keys', payload: made, headers })).json()
  const limits = { daily_gbp: '500.00', scopes: ['read', 'pay'], allowed_ips: ['203.0.113.0/24', '2001:db8::/48'] }
  await ask(site, admin, { method: 'PATCH', url: `/v1/keys/${id}`, payload: limits, headers })
  expect((await ask(site, admin, { method: 'DELETE', url: `/v1/keys/${id}`, headers })).statusCode).toBe(200)
}

/** Two payouts, of which the second has a warning. */
async function payTwice(site: Site, partner: TestPartner): Promise<void> {
  const recipient = aPayee({ first_name: 'Paid', last_name: 'Twice' })
  for (const reference of ['sandbox:hold', 'sandbox:hold']) {
    await createPayout(site, partner, { amount_gbp: '12.00', reference, recipient })
  }
  // And one that is refused, for the log of requests.
  const { bank, ...person } = recipient
  await createPayout(site, partner, { recipient: { ...person, bank: { ...bank, sort_code: '1234' } } })
}

/** Each view in light, in dark and at the width of a phone: no barrier that axe knows, nothing too wide. */
export function lookAtEvery(views: readonly View[], openView: OpenView): void {
  it.each(views)('$name', async (view) => {
    const page = await openView(view)
    await inspect(page, `light/${view.name}`)
    await page.emulateMedia({ colorScheme: 'dark' })
    // The mailbox is no page of the application, and follows the browser by its style alone.
    const shown = view.name.startsWith('mailbox') ? '"dark"' : 'document.documentElement.className'
    await expect.poll(() => page.evaluate(shown)).toContain('dark')
    await rest(page)
    await picture(page, `dark/${view.name}`)
    expect(await barriersOfColour(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize(NARROW)
    if (view.isUnsettled !== true) await settle(page)
    await inspect(page, `phone/${view.name}`)
  })
}

/** Holds the page to what every page must be. */
export async function inspect(page: Page, name: string): Promise<void> {
  await rest(page)
  await picture(page, name)
  // A chart measures itself anew one frame after the window has changed.
  await expect.poll(() => sideways(page)).toBe(0)
  // So do lists, which are rows of another kind in a narrow window.
  await expect.poll(() => cutOff(page)).toEqual([])
  expect(await barriers(page)).toEqual([])
}
