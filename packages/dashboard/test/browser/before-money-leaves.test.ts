// What somebody sees before money leaves: what is new about the payee, what the wallet lacks, where they are.
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'

import { parseUsdc } from '../../../server/src/core/money.ts'
import { creditWallet } from '../../../server/src/domain/wallet/credit-wallet.ts'
import { CANARY } from '../../../server/test/support/canaries.ts'
import { type TestPartner, aPartner, createPayout, get, inLive } from '../../../server/test/support/fixtures.ts'
import { enterDoorCode } from './support/door.ts'
import { inspect } from './support/pages.ts'
import { fillPayout, fillWho } from './support/payout-form.ts'
import { aPayee } from './support/site.ts'
import { openHouse } from './support/visitors.ts'

const house = openHouse()
let partner: TestPartner
beforeEach(async () => {
  partner = await aPartner(house.site)
})

const send = (page: Page) => page.getByRole('button', { name: /^Send £/ })
const amara = aPayee({ first_name: 'Amara', last_name: 'Okafor' })

describe('the review', () => {
  it('points out another account than last time, and the payout’s page says it for good', async () => {
    await createPayout(house.site, partner, { recipient: amara, amount_gbp: '9.00' })
    const { page, open } = await house.member(partner)
    await open('/payouts/new?name=amara+OKAFOR&last4=5678')
    await fillWho(page, { first: 'amara', last: 'OKAFOR', account: '87654321' })
    await page.getByText('Different account from last time (··5678). Check by phone.').waitFor()
    await page.getByLabel('Account number').blur()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Amount the recipient gets').fill('25')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Check by phone, at a number that you had before').waitFor()
    expect(await page.getByText('First payment to this account').count()).toBe(0)
    await inspect(page, 'light/new-payout-other-account')
    await send(page).click()
    await page.getByRole('heading', { name: '£25.00 to amara OKAFOR' }).waitFor()
    await page.getByText('Different account from last time (··5678)').waitFor()
    await page.getByRole('link', { name: 'See that payout' }).click()
    await page.getByRole('heading', { name: '£9.00 to Amara Okafor' }).waitFor()
    await open('/payouts')
    await page.getByRole('link', { name: /amara OKAFOR/ }).click()
    const panel = page.getByRole('complementary', { name: 'Payout' })
    await panel.getByText('Different account from last time (··5678)').waitFor()
    await panel.getByRole('link', { name: 'See that payout' }).waitFor()
  })

  it('points out the same amount twice, and a first payment quietly', async () => {
    const { page, open } = await house.member(partner)
    await open('/payouts/new')
    await fillPayout(page)
    await page.getByText('First payment to this account').waitFor()
    await send(page).click()
    await page.getByRole('heading', { name: '£25.00 to Amara Okafor' }).waitFor()
    await open('/payouts/new')
    await fillPayout(page)
    await page.getByText(/^The same amount to this account on \d+ /).waitFor()
    await expect.poll(() => send(page).isEnabled()).toBe(true)
  })

  it('of long names and references fits the page, and nothing is cut off in silence', async () => {
    const { page, open } = await house.member(partner)
    await open('/payouts/new')
    const long = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(3)
    await fillWho(page, { first: long.slice(0, 81), last: long.slice(0, 80) })
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('That is 1 too many: at most 80 characters.').waitFor()
    expect(await page.getByLabel('First name').inputValue()).toHaveLength(81)
    await page.getByLabel('First name').fill(long.slice(0, 80))
    await page.getByText('80 of 80 characters').first().waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Amount the recipient gets').fill('25')
    await page.getByLabel('Reference').fill('Rechnung für Øystein, November 2026')
    await page.getByText('On the statement: Rechnung fur Oyste').waitFor()
    await page.getByLabel('Reference').fill('x'.repeat(121))
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('That is 1 too many: at most 120 characters.').waitFor()
    await page.getByLabel('Reference').fill('x'.repeat(120))
    await page.getByRole('button', { name: 'Continue' }).click()
    await send(page).waitFor()
    await inspect(page, 'light/new-payout-long')
    await send(page).click()
    await page.getByText('Completed', { exact: true }).waitFor()
    await inspect(page, 'light/payout-long')
    await page.setViewportSize({ width: 1440, height: 900 })
    await open('/payouts')
    const row = page.getByRole('row').filter({ hasText: 'Wolfe' })
    await row.waitFor()
    await expect.poll(async () => (await row.boundingBox())?.height).toBeLessThan(60)
    const feeEnds = async () => {
      const fee = await row.getByText('£1.24').boundingBox()
      return (fee?.x ?? 9_999) + (fee?.width ?? 0)
    }
    await expect.poll(feeEnds).toBeLessThan(1_440)
    await inspect(page, 'light/payouts-long')
  })

  it('of a business names the business, and so does the payout', async () => {
    const { page, open } = await house.member(partner)
    await open('/payouts/new')
    await fillWho(page)
    await page.getByLabel('A business').check()
    await page.getByLabel('Business name').fill('Thistle & Reed Ltd')
    await inspect(page, 'light/new-payout-business')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Amount the recipient gets').fill('25')
    await page.getByRole('button', { name: 'Continue' }).click()
    await send(page).click()
    await page.getByRole('heading', { name: '£25.00 to Thistle & Reed Ltd' }).waitFor()
    const { data } = (await get(house.site, partner, '/v1/payouts')).json()
    expect(data[0].recipient.name).toBe('Thistle & Reed Ltd')
  })
})

describe('in live', () => {
  it('no code is asked for that could not be used: funds first, and by themselves', async () => {
    const live = await inLive(house.site, partner, '10.00')
    const { page, open } = await house.member(partner)
    const asked: string[] = []
    page.on('request', (request) => void (request.url().includes('confirm-code') && asked.push(request.url())))
    await page.clock.install()
    await open('/payouts/new?environment=live')
    await fillPayout(page, { sortCode: CANARY.sortCode, account: CANARY.accountNumber })
    await page.getByText(/^You need £\d+\.\d\d more$/).waitFor()
    expect(await send(page).isDisabled()).toBe(true)
    // Beside the button that sends, and not only in the heading.
    expect(await send(page).locator('xpath=..').getByText('Live', { exact: true }).isVisible()).toBe(true)
    await inspect(page, 'light/new-payout-live-short')
    await creditWallet(
      house.site.deps,
      { partnerId: live.id, environment: 'live' },
      { amount: parseUsdc('500.00')!, reason: 'test' },
    )
    // The balance is read every ten seconds; a reading that began before the money came knows nothing of it.
    const afterAWhile = async () => {
      await page.clock.fastForward(11_000)
      return send(page).isDisabled()
    }
    await expect.poll(afterAWhile, { interval: 500 }).toBe(false)
    expect(asked).toEqual([])
  })

  it('a pair that cannot be is told on leaving the field, once, and goes no further', async () => {
    await inLive(house.site, partner, '500.00')
    const { page, open } = await house.member(partner)
    await open('/payouts/new?environment=live')
    await page
      .getByRole('heading', { name: /New payout/ })
      .getByText('Live')
      .waitFor()
    await fillWho(page, { sortCode: '089999', account: '66374959' })
    await page.getByLabel('Account number').blur()
    const problem = page.getByText('This sort code and account number cannot belong together.')
    await problem.waitFor()
    expect(await problem.count()).toBe(1)
    await page.getByRole('button', { name: 'Continue' }).click()
    expect(await page.getByLabel('Amount the recipient gets').count()).toBe(0)
    await page.getByLabel('Account number').fill('66374958')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Amount the recipient gets').waitFor()
  })

  it('a changed account wants a tick before it can be sent', async () => {
    const live = await inLive(house.site, partner, '500.00')
    const bank = { bank_name: 'Monzo', sort_code: CANARY.sortCode, account_number: CANARY.accountNumber }
    await createPayout(house.site, live, { recipient: { ...amara, bank } })
    const { page, open } = await house.member(partner, { width: 390, colorScheme: 'dark' })
    await open('/payouts/new?environment=live')
    await fillPayout(page, { sortCode: '089999', account: '66374958' })
    await page.getByText(/^Different account from last time/).waitFor()
    expect(await send(page).isDisabled()).toBe(true)
    await inspect(page, 'phone/new-payout-live-tick')
    await page.getByLabel('I have checked this').check()
    await send(page).click()
    await page.getByRole('dialog', { name: 'Enter the code we emailed to you' }).waitFor()
  })
})

describe('cancelling', () => {
  it('on a phone is not covered by the message that the payout was sent', async () => {
    const { page, open } = await house.member(partner, { width: 390 })
    await page.route('**/v1/payouts/*/timeline*', async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, json: { ...(await answer.json()), is_cancellable: true } })
    })
    await open('/payouts/new')
    await fillPayout(page, { sortCode: CANARY.sortCode, account: CANARY.accountNumber })
    await send(page).click()
    const message = page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Close message' })
    await message.waitFor()
    await page.getByRole('button', { name: 'Cancel payout' }).click()
    await page.getByRole('dialog').waitFor()
    expect(await message.count()).toBe(0)
  })

  it('that comes too late says so in plain words, and is no longer offered', async () => {
    const { id } = (await createPayout(house.site, partner, { reference: 'sandbox:hold' })).json()
    const { page, open } = await house.member(partner, { expects: [409], width: 390 })
    let isLate = false
    await page.route(`**/v1/payouts/${id}/timeline*`, async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, json: { ...(await answer.json()), is_cancellable: !isLate } })
    })
    const error = {
      code: 'payout_not_cancellable',
      message: `Payout ${id} is processing and can no longer be stopped.`,
    }
    await page.route('**/cancel*', (route) => {
      isLate = true
      return route.fulfill({ status: 409, json: { error } })
    })
    await open(`/payouts/${id}`)
    await page.getByRole('button', { name: 'Cancel payout' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Cancel the payout' }).click()
    await dialog.getByRole('heading', { name: 'Not cancelled' }).waitFor()
    await dialog.getByText('The bank has taken the money already, so the payout can no longer be stopped.').waitFor()
    await inspect(page, 'phone/cancel-too-late')
    expect(await page.getByText(id, { exact: false }).locator('visible=true').count()).toBeLessThan(3)
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
    await expect.poll(() => page.getByRole('button', { name: 'Cancel payout' }).count()).toBe(0)
  })
})

describe('the switch that stops all payouts', () => {
  it('is on the payouts page; every page says that it is set, and nothing can be sent meanwhile', async () => {
    const { page, open, member } = await house.member(partner)
    await open('/payouts')
    await page.getByRole('button', { name: 'Pause payouts' }).click()
    await page.getByRole('button', { name: 'Pause all payouts' }).click()
    const bar = page.getByText(/^All sandbox payouts have been paused since/)
    await bar.waitFor()
    expect(await bar.textContent()).toContain(`by ${member.email}`)
    expect((await createPayout(house.site, partner)).statusCode).toBe(403)
    await inspect(page, 'light/payouts-paused')
    await open('/payouts/new')
    await bar.waitFor()
    await fillPayout(page)
    await page.getByText('Nothing can be sent until an admin resumes them').waitFor()
    expect(await send(page).isDisabled()).toBe(true)
    await inspect(page, 'light/new-payout-paused')
    await open('/payouts?environment=live')
    expect(await page.getByText(/^All live payouts have been paused/).count()).toBe(0)
    await open('/payouts')
    await page.getByRole('button', { name: 'Resume payouts' }).click()
    await bar.waitFor({ state: 'detached' })
    expect((await createPayout(house.site, partner)).statusCode).toBe(201)
  })

  it('is taken back in live with a mailed code', async () => {
    const live = await inLive(house.site, partner, '1000.00')
    const { page, open, member } = await house.member(partner)
    await open('/payouts?environment=live')
    await page.getByRole('button', { name: 'Pause payouts' }).click()
    await page.getByRole('button', { name: 'Pause all payouts' }).click()
    await page.getByRole('button', { name: 'Resume payouts' }).click()
    await enterDoorCode(house.site, page, member.email, 'Let live payouts go out again')
    await page.getByRole('button', { name: 'Pause payouts' }).waitFor()
    expect((await get(house.site, live, '/v1/account')).json().payouts_pause).toBeNull()
  })
})
