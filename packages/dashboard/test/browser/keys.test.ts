// API keys: a secret is seen once, an old key has its grace, and a key that is revoked is dead.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'

import { createKey as createApiKey } from '../../../server/src/domain/api-keys/create-key.ts'
import { verifyPartner } from '../../../server/test/support/verified.ts'
import { type TestPartner, aPartner, createPayout, get } from '../../../server/test/support/fixtures.ts'
import { enterDoorCode } from './support/door.ts'
import { openCommands } from './support/keyboard.ts'
import { inspect } from './support/pages.ts'
import { openHouse } from './support/visitors.ts'

const house = openHouse()
let partner: TestPartner
beforeAll(async () => {
  partner = await aPartner(house.site)
})

const works = async (key: string) => (await get(house.site, { key }, '/v1/account')).statusCode === 200

/** Those of the actions that the page has a button or a link for; a name may be followed by its shortcut. */
async function offered(page: Page, actions: readonly string[]): Promise<string[]> {
  const controls = await page.locator('main').getByRole('button').or(page.locator('main').getByRole('link')).all()
  const names = await Promise.all(
    controls.map(async (each) => (await each.getAttribute('aria-label')) ?? (await each.innerText()).trim()),
  )
  return actions.filter((action) => names.some((name) => name.startsWith(action)))
}

async function createKey(page: Page, label: string): Promise<string> {
  await page.getByRole('button', { name: 'Create sandbox key' }).click()
  await page.getByRole('dialog').getByLabel('Label').fill(label)
  await page.getByRole('button', { name: 'Create key' }).click()
  return (await page.getByTestId('secret').textContent()) ?? ''
}

describe('a key', () => {
  it('shows its secret once, and asks before it is closed uncopied', async () => {
    const { page, open } = await house.member(partner)
    await open('/keys')
    const secret = await createKey(page, 'orders-service')
    expect(await works(secret)).toBe(true)
    const dialog = page.getByRole('dialog', { name: 'Your new key' })
    // What the button asks is what the samples ask, and however long the answer is, the foot stays in view.
    await dialog.getByRole('button', { name: 'Run a test request' }).click()
    await dialog.getByText('GET /v1/balance').waitFor()
    await page.setViewportSize({ width: 1280, height: 500 })
    await page.keyboard.press('Escape')
    const note = dialog.getByText('You have not copied the secret. It cannot be shown again.')
    await note.waitFor()
    const box = await note.boundingBox()
    expect((box?.y ?? 999) + (box?.height ?? 0)).toBeLessThan(500)
    await dialog.getByRole('button', { name: 'Copy', exact: true }).click()
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(secret)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('row', { name: /orders-service/ }).waitFor()
    expect(await page.content()).not.toContain(secret)
  })

  it('that is rotated works on for the chosen time, and the new one at once', async () => {
    const { page, open } = await house.member(partner)
    await open('/keys')
    const before = await createKey(page, 'rotating')
    await page.getByRole('dialog').getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Rotate rotating' }).click()
    await page.getByRole('radio', { name: '1 hour' }).check()
    await page.getByRole('button', { name: 'Rotate key' }).click()
    await page.getByRole('dialog', { name: 'Your new key' }).waitFor()
    const after = (await page.getByTestId('secret').textContent()) ?? ''
    expect(after).not.toBe(before)
    expect([await works(before), await works(after)]).toEqual([true, true])
    await page.getByRole('dialog').getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText(/^Stops in/).waitFor()
    await house.site.deps.activity.flush()
    await page.reload()
    await page
      .getByRole('row', { name: /rotating/ })
      .getByText('from 127.0.0.1')
      .first()
      .waitFor()
    house.site.clock.advance(3_601_000)
    expect([await works(before), await works(after)]).toEqual([false, true])
  })

  it('that is live is made and rotated with a mailed code', async () => {
    const own = await aPartner(house.site)
    await verifyPartner(house.site.deps, own.slug)
    const { page, open, member } = await house.member(own)
    await open('/keys')
    await page.getByRole('button', { name: 'Create live key' }).click()
    await page.getByRole('dialog').getByLabel('Label').fill('payroll')
    await page.getByRole('button', { name: 'Create key' }).click()
    await enterDoorCode(house.site, page, member.email, 'Create a live API key')
    const secret = page.getByRole('dialog', { name: 'Your new key' }).getByTestId('secret')
    expect(await secret.textContent()).toMatch(/^kp_live_/)
    await page.getByRole('dialog').getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Rotate payroll' }).click()
    await page.getByRole('button', { name: 'Rotate key' }).click()
    await enterDoorCode(house.site, page, member.email, 'Rotate a live API key')
    expect(await secret.textContent()).toMatch(/^kp_live_/)
  })

  it('gets limits when it is made, and others afterwards', async () => {
    const own = await aPartner(house.site)
    const { page, open } = await house.member(own)
    await open('/keys')
    await page.getByRole('button', { name: 'Create sandbox key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Label').fill('payroll')
    await dialog.getByText('Limits').click()
    await dialog.getByLabel('Most per day').fill('60')
    await page.getByRole('button', { name: 'Create key' }).click()
    const key = (await page.getByTestId('secret').textContent()) ?? ''
    await dialog.getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    expect((await createPayout(house.site, { key })).statusCode).toBe(201)
    await page.reload()
    await page.getByText('£25.00 of £60.00 today').first().waitFor()
    await page.getByRole('button', { name: 'Limits of payroll' }).click()
    await dialog.getByText('Used £25.00 today and £25.00 this month.').waitFor()
    await dialog.getByLabel('Most per day').fill('25')
    await dialog.getByRole('checkbox', { name: /^Quote/ }).uncheck()
    await page.getByRole('button', { name: 'Save limits' }).click()
    await page.getByText('£25.00 of £25.00 today; for read, pay, webhooks, sandbox').first().waitFor()
    expect((await createPayout(house.site, { key }, { amount_gbp: '1.00' })).json().error.code).toBe(
      'spending_limit_reached',
    )
  })

  it('that is live is narrowed at once, and widened with a mailed code', async () => {
    const own = await aPartner(house.site)
    const verified = await verifyPartner(house.site.deps, own.slug)
    const rules = { allowedIps: ['203.0.113.0/24'] }
    await createApiKey(house.site.deps, { partner: verified, environment: 'live', label: 'payroll', rules })
    const { page, open, member } = await house.member(own, { expects: [422] })
    await open('/keys?environment=live')
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Limits of payroll' }).click()
    await dialog.getByLabel('Only from these networks').fill('203.0.113.8/30')
    await inspect(page, 'light/key-limits')
    await page.getByRole('button', { name: 'Save limits' }).click()
    await page.getByText('The limits of the key are changed.').waitFor()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Limits of payroll' }).click()
    await dialog.getByLabel('Only from these networks').fill('203.0.113.0/28')
    await page.getByRole('button', { name: 'Save limits' }).click()
    await enterDoorCode(house.site, page, member.email, 'Give a live API key more than it has')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Limits of payroll' }).click()
    expect(await dialog.getByLabel('Only from these networks').inputValue()).toBe('203.0.113.0/28')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await inspect(page, 'narrow/key-limits')
  })

  it('is revoked only by whoever types its name, and is dead at once', async () => {
    const { page, open } = await house.member(partner)
    await open('/keys')
    const secret = await createKey(page, 'leaked')
    await page.getByRole('dialog').getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Revoke leaked' }).click()
    expect(await page.getByRole('button', { name: 'Revoke key' }).isDisabled()).toBe(true)
    await page.getByLabel('Type leaked to confirm').fill('leaked')
    await page.getByRole('button', { name: 'Revoke key' }).click()
    await page.getByText('The key was revoked.').waitFor()
    await page
      .getByRole('row', { name: /leaked/ })
      .getByText('Revoked')
      .waitFor()
    expect(await works(secret)).toBe(false)
  })

  it('whose revocation was not answered is shown as it is, and nothing is claimed', async () => {
    const own = await aPartner(house.site)
    const { page, open } = await house.member(own, { expects: ['silence'] })
    await open('/keys')
    await page.route(
      '**/v1/keys/*',
      async (route) => {
        await route.fetch()
        await route.abort('connectionreset')
      },
      { times: 1 },
    )
    await page.getByRole('button', { name: 'Revoke First key' }).click()
    await page.getByLabel('Type First key to confirm').fill('First key')
    await page.getByRole('button', { name: 'Revoke key' }).click()
    await page.getByText('we do not know whether it was done').waitFor()
    await page.keyboard.press('Escape')
    await page
      .getByRole('row', { name: /First key/ })
      .getByText('Revoked')
      .waitFor()
    expect(await works(own.key)).toBe(false)
  })

  it('can be asked for by a command on its own page, as often as one likes, and only where there are keys', async () => {
    const { page, open } = await house.member(await aPartner(house.site))
    const dialog = page.getByRole('dialog', { name: 'Create a sandbox key' })
    const command = async (name: string) => {
      await openCommands(page)
      await page.getByPlaceholder('Search payouts, recipients, pages').fill(name)
      await page.getByRole('option', { name }).click()
    }
    await page.addInitScript(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`)
    await open('/keys')
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    for (let time = 0; time < 2; time++) {
      await command('Create an API key')
      await dialog.waitFor()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await command('Create an API key')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('dialog', { name: 'Your new key' }).getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByText('Select it and copy it by hand.').waitFor()
    await open('/keys?environment=live&create=yes')
    await page.getByText('Live keys come with verification').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await open('/team')
    await page.getByRole('heading', { name: 'Team' }).waitFor()
    await command('Invite somebody')
    await page.getByRole('dialog', { name: 'Invite people' }).waitFor()
  })
})

describe('a viewer', () => {
  const PAGES = [
    ['/', 'Only admins send payouts.', ['New payout']],
    ['/payouts', 'Only admins send payouts.', ['New payout']],
    ['/keys', 'Only admins manage keys.', ['Create sandbox key', 'Rotate First key', 'Revoke First key']],
    ['/team', 'Only admins can invite people.', ['Invite']],
    ['/funding', 'Only admins add test money.', ['Add test money']],
    ['/settings', 'Only admins change the business.', ['Save', 'Save invoice details', 'Upload a logo', 'Save colour']],
  ] as const

  it.each(PAGES)('on %s has no actions, and one line says who has them', async (path, line, actions) => {
    const { page, open } = await house.member(partner, { role: 'viewer' })
    await open(path)
    await page.getByText(`${line} Ask an admin of Thistle Market.`).first().waitFor()
    expect(await offered(page, actions)).toEqual([])
    // The same look at the same page finds them all for an admin, so it would have found them here.
    const admin = await house.member(partner)
    await admin.open(path)
    await expect.poll(() => offered(admin.page, actions)).toEqual(actions)
  })

  it('who types the address of the form is told who sends', async () => {
    const { page, open } = await house.member(partner, { role: 'viewer' })
    await open('/payouts/new')
    await page.getByText('Only admins send payouts', { exact: true }).waitFor()
    await openCommands(page)
    await page.getByRole('option', { name: 'Payouts', exact: true }).waitFor()
    expect(await page.getByRole('option', { name: 'New payout' }).count()).toBe(0)
    expect(await page.getByRole('option', { name: 'Create an API key' }).count()).toBe(0)
  })
})
