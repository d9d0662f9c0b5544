// The pages that explain the API: no barrier that axe knows, nothing too wide, and a way back to the dashboard.
import { describe, expect, it } from 'vitest'

import { receiptTokenOf } from '../../../server/src/domain/payouts/read/check-receipt.ts'
import { readPayout } from '../../../server/src/domain/payouts/read/read-payout.ts'
import { aPartner, createPayout } from '../../../server/test/support/fixtures.ts'
import { barriers, barriersOfColour, picture } from './support/look.ts'
import { inspect } from './support/pages.ts'
import { NARROW } from './support/contexts.ts'
import { openHouse } from './support/visitors.ts'

const house = openHouse()

const PAGES = [
  '',
  'docs/quickstart',
  'docs/idempotency',
  'docs/statuses',
  'docs/testing',
  'docs/webhooks',
  'docs/command-line',
  'docs/going-live',
  'docs/errors',
]

describe('a page of the documentation', () => {
  it.each(PAGES)('/%s', async (path) => {
    const { page } = await house.visitor()
    const name = `docs-${path.split('/').at(-1) || 'welcome'}`
    await page.goto(`${house.site.url}/${path}`)
    await inspect(page, `light/${name}`)
    await page.emulateMedia({ colorScheme: 'dark' })
    await picture(page, `dark/${name}`)
    expect(await barriersOfColour(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize(NARROW)
    await inspect(page, `phone/${name}`)
    expect(await page.getByRole('link', { name: /^Dashboard/ }).getAttribute('href')).toMatch(/dashboard\/$/)
  })

  it('copies a piece of code, and leads from one to the next', async () => {
    const { page } = await house.visitor()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`${house.site.url}/docs/quickstart`)
    await page.getByRole('button', { name: 'Copy' }).first().click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('KEY=kp_sandbox_…')
    await page.getByRole('navigation', { name: 'Guides' }).getByRole('link', { name: 'Webhooks' }).click()
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor()
    expect(await page.getByRole('link', { name: 'Webhooks', exact: true }).getAttribute('aria-current')).toBe('page')
  })
})

describe('where a receipt is checked', () => {
  it('says whether it is real, without an account, on paper’s width and a telephone’s', async () => {
    const { site } = house
    const partner = await aPartner(site)
    const { id } = (await createPayout(site, partner, { reference: 'Invoice 1042' })).json()
    const payout = await readPayout(site.deps, { partnerId: partner.id, environment: 'sandbox' }, id)
    const { page } = await house.visitor({ expects: [404] })
    for (const [token, title, name] of [
      [receiptTokenOf(site.deps.secrets, payout), 'A test: no money moved', 'receipt'],
      ['typed-in-part', 'Not a receipt of ours', 'receipt-unknown'],
    ] as const) {
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(`${site.url}/receipts/${token}`)
      await page.getByRole('heading', { name: title, level: 1 }).waitFor()
      await inspect(page, `light/${name}`)
      await page.emulateMedia({ colorScheme: 'dark' })
      await picture(page, `dark/${name}`)
      expect(await barriersOfColour(page)).toEqual([])
      await page.setViewportSize(NARROW)
      await inspect(page, `phone/${name}`)
    }
  })
})

it('the reference has no barrier either', async () => {
  const { page } = await house.visitor({ expects: ['eval refused'] })
  await page.goto(`${house.site.url}/docs`)
  const create = page.getByText('Create a payout', { exact: true }).locator('visible=true').first()
  await create.click()
  await page.getByRole('heading', { name: 'Create a payout' }).first().waitFor()
  expect(await barriers(page)).toEqual([])
  await picture(page, 'light/docs-reference')
})
