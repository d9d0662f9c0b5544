// How a business looks to its people, and how the page is worked by keyboard.
import { beforeAll, describe, expect, it } from 'vitest'

import { type TestPartner, aPartner, createPayout, get } from '../../../server/test/support/fixtures.ts'
import { codeIn, latestMail } from '../../../server/test/support/sessions.ts'
import { PNG } from '../../../server/test/support/images.ts'
import { enterDoorCode } from './support/door.ts'
import { focusIsIn, goByLetter, openCommands } from './support/keyboard.ts'
import { inspect } from './support/pages.ts'
import { openHouse } from './support/visitors.ts'

const house = openHouse()
let partner: TestPartner
beforeAll(async () => {
  partner = await aPartner(house.site, { slug: 'heather-and-co' })
})

const pathOf = (address: string) => new URL(address).pathname

describe('a sandbox', () => {
  it('is reset by an admin who says so twice, and not from live', async () => {
    const own = await aPartner(house.site)
    const id = (await createPayout(house.site, own, { reference: 'sandbox:hold' })).json().id as string
    const { page, open } = await house.member(own)
    await open('/settings?environment=live')
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    await page.getByLabel('Business name').waitFor()
    expect(await page.getByRole('button', { name: 'Reset the sandbox' }).count()).toBe(0)
    await open('/settings')
    await page.getByRole('button', { name: 'Reset the sandbox' }).click()
    const dialog = page.getByRole('dialog', { name: 'Reset the sandbox?' })
    await inspect(page, 'light/settings-reset')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await inspect(page, 'narrow/settings-reset')
    await dialog.getByRole('button', { name: 'Reset', exact: true }).click()
    await page.getByText('The sandbox is reset. The wallet holds 10,000.00 USDC. 1 payout cancelled.').waitFor()
    expect((await get(house.site, own, `/v1/payouts/${id}`)).json().status).toBe('cancelled')
  })
})

describe('settings', () => {
  it('dress the sign-in page with name, logo and colour', async () => {
    const { page, open } = await house.member(partner)
    await open('/settings')
    await page.getByLabel('Business name').fill('Heather & Co')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: /Heather & Co.*Switch business/ }).waitFor()
    await page.getByLabel('Logo file').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: PNG })
    await page.getByText('The logo was changed.').waitFor()
    await page.getByLabel('Brand colour', { exact: true }).fill('#ffee00')
    await page.getByText('On white this is').waitFor()
    await page.getByRole('button', { name: 'Save colour' }).click()
    await page.getByText('Saved.').last().waitFor()
    await page.getByLabel('Registered address').fill('1 High Street\n\n Leeds \nLS1 1AA')
    await page.getByLabel('Made out to').fill('Heather Trading Ltd')
    await page.getByRole('button', { name: 'Save invoice details' }).click()
    await page.getByText('Invoices from the next one on have it.').waitFor()
    await page.reload()
    await expect.poll(() => page.getByLabel('Registered address').inputValue()).toBe('1 High Street\nLeeds\nLS1 1AA')
    const guest = await house.visitor()
    await guest.open('/heather-and-co')
    await guest.page.getByRole('heading', { name: 'Sign in to Heather & Co' }).waitFor()
    await expect.poll(() => guest.page.evaluate(`document.querySelector('main img')?.naturalWidth`)).toBe(1)
    expect(await guest.page.title()).toContain('Heather & Co')
  })

  it('take another address only with the code that was mailed for it', async () => {
    const own = await aPartner(house.site)
    const { page, open, member } = await house.member(own, { expects: [422] })
    await open('/settings')
    await page.getByLabel('Billing email').fill('bills@thistle.test')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Enter the code we emailed to you' })
    await dialog.getByText('Change the addresses of the business').waitFor()
    const code = codeIn(await latestMail(house.site, member.email))
    await dialog.getByLabel('6-digit code').fill(String((Number(code) + 1) % 1_000_000).padStart(6, '0'))
    await dialog.getByText('That code is not right. 4 tries left.').waitFor()
    await dialog.getByLabel('6-digit code').fill(code)
    await page.getByText('Saved.').waitFor()
    await page.reload()
    await expect.poll(() => page.getByLabel('Billing email').inputValue()).toBe('bills@thistle.test')
  })

  it('refuse a picture that is too large, and say why', async () => {
    const { page, open } = await house.member(partner)
    await open('/settings')
    const buffer = Buffer.concat([PNG, Buffer.alloc(210 * 1024)])
    await page.getByLabel('Logo file').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer })
    await page.getByText('That picture is larger than 200 KB.').waitFor()
    expect(await page.getByText('The logo was changed.').count()).toBe(0)
  })

  it('keep the chosen appearance in this browser', async () => {
    const { page, open } = await house.member(partner)
    await open('/settings')
    await page
      .getByRole('radio', { name: 'Dark' })
      .or(page.getByRole('button', { name: 'Dark' }))
      .first()
      .click()
    await page.reload()
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    expect(await page.evaluate(`document.documentElement.classList.contains('dark')`)).toBe(true)
  })
})

describe('whoever is signed in', () => {
  it('has lost the actions as soon as they made themselves a viewer', async () => {
    const team = await aPartner(house.site)
    await house.member(team)
    const { page, open, member } = await house.member(team)
    await open('/team')
    await page.getByRole('button', { name: `Actions for ${member.email}` }).click()
    await page.getByRole('menuitem', { name: 'Make a viewer' }).click()
    await enterDoorCode(house.site, page, member.email, 'Make an admin a viewer')
    await page.getByText('Only admins can invite people.').waitFor()
    await expect.poll(() => page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0)
  })

  it('is told of a new version on coming back to the page, not while typing', async () => {
    const { page, open } = await house.member(partner)
    await page.clock.install()
    await open('/settings')
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    const newer = '<!doctype html><script type="module" src="/dashboard/assets/index-newer.js"></script>'
    let asked = 0
    await page.route('**/dashboard/', (route) => {
      asked++
      return route.fulfill({ contentType: 'text/html', body: newer })
    })
    const comeBack = () => page.evaluate(`dispatchEvent(new Event('focus'))`)
    await comeBack()
    await page.clock.fastForward('06:00')
    expect(asked).toBe(0)
    await comeBack()
    await page.getByText('There is a new version of this page.').waitFor()
    expect(asked).toBe(1)
  })
})

describe('the keyboard', () => {
  it('opens the command menu, which leads anywhere', async () => {
    const { page, open } = await house.member(partner)
    await open('/')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await openCommands(page)
    await page.keyboard.type('audit')
    await page.getByRole('option', { name: 'Audit log' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Audit log' }).waitFor()
    expect(pathOf(page.url())).toBe('/dashboard/audit')
    await openCommands(page)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('has letters for pages and for a new payout, which mean nothing while somebody types', async () => {
    const { page, open } = await house.member(partner)
    await open('/')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await goByLetter(page, 'p', 'Payouts')
    await page.getByRole('searchbox').waitFor()
    await page.keyboard.press('/')
    await focusIsIn(page, 'input[type=search]')
    await page.keyboard.type('nn')
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('nn')
    expect(pathOf(page.url())).toBe('/dashboard/payouts')
    await page.getByRole('searchbox').blur()
    await page.keyboard.press('n')
    await page.getByRole('heading', { name: 'New payout' }).waitFor()
  })

  it('can have its letters switched off', async () => {
    const { page, open } = await house.member(partner)
    await open('/settings')
    await page.getByRole('checkbox', { name: /Keyboard shortcuts/ }).uncheck()
    await page.getByRole('heading', { name: 'Settings' }).click()
    await page.keyboard.press('n')
    await openCommands(page)
    expect(pathOf(page.url())).toBe('/dashboard/settings')
  })

  it('goes into a dialog at its first field, stays there, and comes back to where it was', async () => {
    const { page, open } = await house.member(partner)
    await open('/keys')
    await page.getByRole('button', { name: 'Create sandbox key' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await focusIsIn(page, '[role=dialog] input')
    await page.keyboard.type('typed at once')
    await expect.poll(() => page.getByRole('dialog').getByLabel('Label').inputValue()).toBe('typed at once')
    for (let press = 0; press < 6; press++) await page.keyboard.press('Tab')
    expect(await page.evaluate(`document.activeElement.closest('[role=dialog]') !== null`)).toBe(true)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    // The page itself has every word on it: only the button has these alone.
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Create sandbox key')
  })
})
