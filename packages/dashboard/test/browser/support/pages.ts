// The businesses that every page is looked at with, and the looking.
import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'

import { type TestPartner, aPartner } from '../../../../server/test/support/fixtures.ts'
import { ask, signedIn } from '../../../../server/test/support/sessions.ts'
import { barriers, picture, settle, sideways } from './look.ts'
import { type BilledPartner, aBilledPartner } from './billed.ts'
import { aBusyPartner } from './site.ts'
import type { View } from './views.ts'
import { type VisitorOptions, openHouse } from './visitors.ts'

/** Gives what opens a view and waits until it is all there. */
export function openViews(): (view: View, options?: VisitorOptions) => Promise<Page> {
  const house = openHouse()
  let busy: TestPartner
  let fresh: TestPartner
  let billed: BilledPartner
  let payoutId: string
  beforeAll(async () => {
    billed = await aBilledPartner(house.site)
    busy = await aBusyPartner(house.site)
    fresh = await aPartner(house.site, { slug: 'thistle-market' })
    const admin = await signedIn(house.site, busy, { email: 'finance@thistle.test' })
    const { data } = (await ask(house.site, admin, { url: '/v1/payouts?status=returned' })).json()
    payoutId = data[0].id
  })
  const regulars = new Map<View['of'], BrowserContext>()
  const visit = async ({ of }: View, options: VisitorOptions): Promise<Page> => {
    const given = { ...options, expects: [403, 404, 500, 502] }
    if (of === 'nobody') return (await house.visitor(given)).page
    if (of === 'two-businesses') {
      const email = 'bookkeeper@thistle.test'
      await signedIn(house.site, fresh, { email })
      return (await house.member(busy, { ...given, email, role: 'viewer' })).page
    }
    const regular = regulars.get(of)
    if (regular !== undefined) return regular.newPage()
    const isViewer = of === 'viewer'
    const email = isViewer ? 'auditor@ellis.test' : 'finance@thistle.test'
    const partner = of === 'fresh' ? fresh : of === 'billed' ? billed : busy
    const role = isViewer ? 'viewer' : 'admin'
    const { context, page } = await house.member(partner, { ...given, email, role, comesBack: true })
    regulars.set(of, context)
    return page
  }
  return async (view, options = {}) => {
    const page = await visit(view, options)
    const invoiceId = (view.name.includes('overdue') ? billed.overdue : billed.newest).id
    await page.goto(`/dashboard${view.path.replace(':id', payoutId).replace(':invoice', invoiceId)}`)
    await page.getByRole('heading', { name: view.heading }).first().waitFor()
    await settle(page)
    await view.first?.(page)
    if (view.isUnsettled !== true) await settle(page)
    return page
  }
}

/** Keeps a picture, and holds the page to what every page must be. */
export async function inspect(page: Page, name: string): Promise<void> {
  await picture(page, name)
  expect(await sideways(page)).toBe(0)
  expect(await barriers(page)).toEqual([])
}
