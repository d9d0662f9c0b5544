// The way from sandbox to live, and back from being offline: nobody is left without a next step.
import { expect, it } from 'vitest'

import { wordsForBusiness } from '../../../server/src/domain/banking/verification/missing-at-bank.ts'
import { vouchForPartner } from '../../../server/src/domain/banking/verification/vouch-for-partner.ts'
import { aPartner, inLive } from '../../../server/test/support/fixtures.ts'
import { inspect } from './support/pages.ts'
import { openHouse } from './support/visitors.ts'

const house = openHouse()

it('without a live bank the pages say so and whom to ask, and offer nothing that cannot work', async () => {
  const { page, open } = await house.member(await aPartner(house.site))
  await open('/compliance?environment=live')
  await page.getByText('This installation has no live bank yet').waitFor()
  await page.getByRole('link', { name: 'help@kestrel.test' }).waitFor()
  expect(await page.getByRole('button', { name: 'Start verification' }).count()).toBe(0)
  await inspect(page, 'light/compliance-no-live-bank')
  await open('/?environment=live')
  await page.getByText('This installation has no live bank yet', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Whom to ask' }).click()
  await page.getByRole('heading', { name: 'Compliance' }).waitFor()
})

it('a business that was vouched for reads on every live page that payouts wait for a bank', async () => {
  const partner = await aPartner(house.site)
  await vouchForPartner(house.site.deps, partner.slug, null)
  const { page, open } = await house.member(partner)
  for (const path of ['/', '/payouts', '/payouts/new', '/funding', '/compliance']) {
    await open(`${path}?environment=live`)
    await page.getByText('Live payouts wait for a bank').waitFor()
    await page.getByText('nothing can be topped up or paid').waitFor()
    await page.getByRole('link', { name: 'help@kestrel.test' }).first().waitFor()
    expect(await page.getByRole('link', { name: 'New payout' }).count()).toBe(0)
  }
  await page.getByText('Waiting for the bank').waitFor()
  expect(await page.getByText('Live is open.').count()).toBe(0)
  await page.getByText('No live wallet yet').waitFor()
  expect(await page.getByText('Bank connected').count()).toBe(0)
  await open('/payouts/new?environment=live')
  await page.getByText('Live payouts wait for a bank').waitFor()
  expect(await page.getByLabel('First name').count()).toBe(0)
  await open('/')
  await page.getByRole('heading', { name: 'Going live, 0 of 7 done' }).waitFor()
})

it('nothing is said before it is known: no other address, no bank, no count of steps', async () => {
  const partner = await aPartner(house.site)
  await vouchForPartner(house.site.deps, partner.slug, null)
  const { page, open } = await house.member(partner)
  let release = () => {}
  const isReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  const held = new Set<string>()
  await page.route(/\/v1\/(auth\/options|compliance)/, async (route) => {
    held.add(new URL(route.request().url()).pathname)
    await isReleased
    await route.continue()
  })
  const unsaid = page.getByText(/Ask whoever runs|Bank connected|done$|Live opens when your business/)
  await open('/?environment=live')
  await page.getByText('Available to pay out').waitFor()
  await expect.poll(() => held.has('/v1/compliance')).toBe(true)
  expect(await unsaid.count()).toBe(0)
  release()
  await page.getByRole('link', { name: 'help@kestrel.test' }).waitFor()
  await page.getByText('No live wallet yet').waitFor()
  await page.getByRole('heading', { name: 'Going live, 0 of 7 done' }).waitFor()
})

it('an address that is not there yet is not said to be missing', async () => {
  const { page, open } = await house.member(await aPartner(house.site))
  let release = () => {}
  const isReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/v1/auth/options', (route) => isReleased.then(() => route.continue()))
  await open('/compliance')
  await page.getByText('This installation has no live bank yet').waitFor()
  expect(await page.getByText('Ask whoever runs').count()).toBe(0)
  release()
  await page.getByRole('link', { name: 'help@kestrel.test' }).waitFor()
})

it('a business whose wallet the bank is opening is told so, and one that the bank does not know can start', async () => {
  const { page, open } = await house.member(await aPartner(house.site))
  let said: object = {}
  await page.route('**/v1/compliance*', async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { business_verification: object }
    const business_verification = { ...body.business_verification, status: 'approved', can_start: true, ...said }
    await route.fulfill({ response, json: { ...body, business_verification } })
  })
  said = { provider_status: 'approved' }
  await open('/compliance')
  await page.getByText('The bank is opening your live wallet').waitFor()
  expect(await page.getByRole('button', { name: 'Start verification' }).count()).toBe(0)
  said = { provider_status: null }
  await open('/compliance')
  await page.getByText('Live payouts wait for the bank').waitFor()
  await page.getByRole('button', { name: 'Start verification' }).waitFor()
})

it('a business that the bank wants more of reads what, and where to go on; a wallet that is not opened says so', async () => {
  const { page, open } = await house.member(await aPartner(house.site))
  let said: object = {}
  await page.route('**/v1/compliance*', async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { business_verification: object }
    const business_verification = { ...body.business_verification, can_start: true, ...said }
    await route.fulfill({ response, json: { ...body, business_verification } })
  })
  said = {
    status: 'in_progress',
    provider_status: 'base approved, faster_payments incomplete',
    continue_url: 'https://bank.test/verify/1?endorsement=faster_payments',
    missing: ['Pounds by Faster Payments: the bank still needs proof of address, tax id.'],
  }
  await open('/compliance?environment=live')
  await page.getByText('the bank still needs proof of address, tax id.').waitFor()
  const way = page.getByRole('link', { name: 'Continue with the bank' })
  expect(await way.getAttribute('href')).toBe('https://bank.test/verify/1?endorsement=faster_payments')
  await inspect(page, 'light/compliance-missing')
  await page.emulateMedia({ colorScheme: 'dark' })
  await inspect(page, 'dark/compliance-missing')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 390, height: 844 })
  await inspect(page, 'narrow/compliance-missing')
  said = {
    status: 'approved',
    provider_status: 'approved',
    missing: ['The wallet: the bank has not opened it yet. We keep asking.'],
  }
  await open('/compliance?environment=live')
  await page.getByText('The bank has not opened your live wallet yet').waitFor()
  await inspect(page, 'narrow/compliance-not-opened')
})

it('a wallet without an account in pounds offers USDC, and says that bank transfers come later', async () => {
  const { page, open } = await house.member(await aPartner(house.site))
  await page.route('**/v1/funding*', async (route) => {
    const response = await route.fetch()
    const onchain = { currency: 'USDC', chain: 'base', address: `0x${'4d'.repeat(20)}` }
    await route.fulfill({ response, json: { ...(await response.json()), bank_transfer: null, onchain } })
  })
  await open('/funding')
  await page.getByText('Bank transfers are not possible yet').waitFor()
  await page.getByText('USDC address of your wallet').waitFor()
  expect(await page.getByRole('tab', { name: 'Bank transfer' }).count()).toBe(0)
  await inspect(page, 'light/funding-no-pounds')
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 390, height: 844 })
  await inspect(page, 'narrow/funding-no-pounds')
})

it('a sandbox that the bank does not open says what is missing, and what works meanwhile', async () => {
  const { page, open } = await house.member(await aPartner(house.site))
  const missing = wordsForBusiness({ environment: 'sandbox', isHalf: false, tries: 5 })
  await page.route('**/v1/funding*', async (route) => {
    const response = await route.fetch()
    await route.fulfill({
      response,
      json: { ...(await response.json()), bank_transfer: null, onchain: null, missing },
    })
  })
  await open('/funding')
  await page.getByText('The wallet: the bank has not opened it yet. We keep asking.').waitFor()
  expect(await page.getByText('payouts here are simulated').count()).toBe(1)
  await inspect(page, 'light/funding-not-opened')
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 390, height: 844 })
  await inspect(page, 'narrow/funding-not-opened')
})

it('a business that was not approved can start again', async () => {
  const { page, open } = await house.member(await aPartner(house.site))
  await page.route('**/v1/compliance*', async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { business_verification: object }
    const business_verification = { ...body.business_verification, status: 'rejected', can_start: true }
    await route.fulfill({ response, json: { ...body, business_verification } })
  })
  await open('/compliance')
  await page.getByText('The bank did not approve the business. You can start again').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Start again' }).isEnabled()).toBe(true)
})

it('the way to live is the same seven steps from sandbox and from live, ticked by what is so', async () => {
  const partner = await aPartner(house.site)
  const { page, open } = await house.member(partner)
  await open('/')
  await page.getByRole('heading', { name: 'Getting started, 1 of 6 done' }).waitFor()
  await page.getByRole('heading', { name: 'Going live, 0 of 7 done' }).waitFor()
  await inspect(page, 'light/overview-steps')
  await inLive(house.site, partner, '25.00')
  for (const environment of ['sandbox', 'live']) {
    await open(`/?environment=${environment}`)
    // Verified, a key, and money in the wallet.
    await page.getByRole('heading', { name: 'Going live, 3 of 7 done' }).waitFor()
  }
  await expect.poll(() => page.getByRole('heading', { name: /^Getting started/ }).count()).toBe(0)
})

it('a page that was opened offline comes by itself with the connection', async () => {
  const { page, open, context } = await house.member(await aPartner(house.site), { expects: ['silence'] })
  await open('/')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Statement' }).click()
  await page.getByText('This page has not been opened before.').waitFor()
  await inspect(page, 'light/offline-page')
  await context.setOffline(false)
  await page.getByRole('heading', { name: 'Statement' }).waitFor()
  await expect.poll(() => page.getByText('You are offline').count()).toBe(0)
})
