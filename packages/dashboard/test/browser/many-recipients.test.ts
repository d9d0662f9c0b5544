// More people were paid than the list of recipients holds: the page says so, and where the others are found.
import { expect, it } from 'vitest'

import { aPartner, createPayout } from '../../../server/test/support/fixtures.ts'
import { inspect } from './support/pages.ts'
import { aPayee } from './support/site.ts'
import { openHouse } from './support/visitors.ts'

const house = openHouse()

it('somebody who is not among the 200 paid last is looked for among all payouts', async () => {
  const partner = await aPartner(house.site)
  const recipient = aPayee({ first_name: 'Amara', last_name: 'Okafor' })
  expect((await createPayout(house.site, partner, { recipient })).statusCode).toBe(201)
  const { page, open } = await house.member(partner)
  await open('/recipients?q=Nobody')
  await page.getByText('Nobody matches “Nobody”').waitFor()
  await page.getByText('Built from your payouts of the last 90 days.').waitFor()
  expect(await page.getByRole('link', { name: 'Search all payouts' }).count()).toBe(0)
  const others = Array.from({ length: 200 }, (_, index) => ({
    name: `Person ${index}`,
    account_last4: String(1_000 + index),
    payouts: 1,
    paid_gbp: '1.00',
    last_paid_at: '2026-11-02T09:15:30.118Z',
  }))
  await page.route('**/v1/recipients*', (route) => route.fulfill({ json: { object: 'list', data: others } }))
  await open('/recipients?q=Okafor')
  await page.getByText('Nobody among the 200 paid last matches “Okafor”').waitFor()
  await page.getByText('The 200 paid last, in the last 90 days.').waitFor()
  await inspect(page, 'light/recipients-many')
  await page.getByRole('link', { name: 'Search all payouts' }).click()
  await page.getByRole('heading', { name: 'Payouts' }).waitFor()
  await page.getByRole('link', { name: /Amara Okafor/ }).waitFor()
})
