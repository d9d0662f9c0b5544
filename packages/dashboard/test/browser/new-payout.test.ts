// Sending money from the page: it arrives, it fails, and whatever happens in between, it is never paid twice.
import type { Page, Request } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'

import { pence } from '../../../server/src/core/money.ts'
import { changePayoutLimits } from '../../../server/src/domain/partners/change-payout-limits.ts'
import { CANARY } from '../../../server/test/support/canaries.ts'
import { type TestPartner, aPartner, createPayout, get, inLive } from '../../../server/test/support/fixtures.ts'
import { codeIn, latestMail } from '../../../server/test/support/sessions.ts'
import { inspect } from './support/pages.ts'
import { fillPayout, fillWho } from './support/payout-form.ts'
import { breakAnswerOfPayout, holdBackPayout, holdBackQuotes, loseAnswerOfPayout } from './support/requests.ts'
import { aPayee } from './support/site.ts'
import { openHouse } from './support/visitors.ts'

const house = openHouse()
let partner: TestPartner
beforeEach(async () => {
  partner = await aPartner(house.site)
})

const BUSY = { code: 'rate_limited', message: 'Too many codes.' }
const SEND = /^Send £25\.00$/
const isSending = (request: Request) => request.method() === 'POST' && /\/v1\/payouts(\?|$)/.test(request.url())

const paidOut = async (): Promise<{ status: string; idempotency_key: string }[]> =>
  (await get(house.site, partner, '/v1/payouts')).json().data

function sentFrom(page: Page): Request[] {
  const sent: Request[] = []
  page.on('request', (request) => void (isSending(request) && sent.push(request)))
  return sent
}

const keysOf = (sent: readonly Request[]) => sent.map((request) => request.headers()['idempotency-key'])

describe('a sandbox payout', () => {
  it('goes from the form to completed while one watches', async () => {
    const { page, open } = await house.member(partner)
    await open('/')
    await page.getByRole('link', { name: 'New payout' }).first().click()
    await fillPayout(page, { reference: 'Invoice 7' })
    const review = page.getByRole('listitem').filter({ hasText: 'Review and send' })
    await review.getByText('04-00-04').waitFor()
    await page.getByText('Your wallet sends 32.07 USDC; the fee is £1.24').waitFor()
    await page.getByRole('button', { name: SEND }).click()
    await page.getByRole('heading', { name: '£25.00 to Amara Okafor' }).waitFor()
    await page.getByText('Completed', { exact: true }).waitFor()
    await page.getByText('Completed. The money is in the recipient’s account').waitFor()
    await page.getByText('Created by').waitFor()
    expect((await paidOut()).map(({ status }) => status)).toEqual(['completed'])
    const file = page.waitForEvent('download')
    await page.getByRole('link', { name: 'PDF' }).click()
    expect((await file).suggestedFilename()).toMatch(/^payout-sandbox-[0-9a-f-]{36}\.pdf$/)
  })

  it('goes on when a note comes up while the button is held down', async () => {
    const { page, open } = await house.member(partner)
    await open('/payouts/new')
    await fillWho(page)
    await page.getByRole('button', { name: 'Continue' }).hover()
    // Pressing leaves the account number, which is then checked, and is told to be none that live would take.
    const checked = page.waitForResponse(/\/v1\/quotes/)
    await page.mouse.down()
    await (await checked).finished()
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
    await page.mouse.up()
    await page.getByLabel('Amount the recipient gets').waitFor()
    await page.getByRole('button', { name: 'Change who' }).click()
    await expect.poll(() => page.getByText('This pair cannot be a real account.').count()).toBe(1)
  })

  it('shows its notes to whoever pasted with the other button, and to whoever goes on with the keyboard', async () => {
    const { page, open } = await house.member(partner)
    await open('/payouts/new')
    await page.getByLabel('Sort code').hover()
    // As on systems where the menu takes the rest of the press.
    await page.mouse.down({ button: 'right' })
    await page.getByLabel('Sort code').fill('12')
    await page.getByLabel('Account number').focus()
    await expect.poll(() => page.getByLabel('Sort code').getAttribute('aria-invalid')).toBe('true')
    await page.mouse.up({ button: 'right' })
    await page.getByLabel('First name').hover()
    await page.mouse.down()
    await page.keyboard.press('Tab')
    await page.getByLabel('Last name').focus()
    await page.getByLabel('Address line 1').focus()
    await expect.poll(() => page.getByLabel('Last name').getAttribute('aria-invalid')).toBe('true')
  })

  it('that the bank cannot deliver says so, and that nothing was charged', async () => {
    const { page, open } = await house.member(partner)
    await open('/payouts/new')
    await fillPayout(page, { account: '12340000' })
    await page.getByRole('button', { name: SEND }).click()
    await page.getByText('Failed', { exact: true }).waitFor()
    await page.getByText('Failed. Nothing was charged').waitFor()
    expect((await paidOut()).map(({ status }) => status)).toEqual(['failed'])
  })

  it('is held to the limits of the account, also to those that came while the form was open', async () => {
    const only = (pounds: bigint) =>
      changePayoutLimits(house.site.deps, partner.id, {
        environment: 'sandbox',
        smallestPayout: null,
        largestPayout: pence(pounds * 100n),
      })
    const { page, open } = await house.member(partner, { expects: [422] })
    await only(500n)
    await open('/payouts/new')
    const sent = sentFrom(page)
    await fillPayout(page, {})
    await page.getByRole('button', { name: SEND }).waitFor()
    await only(20n)
    await page.getByRole('button', { name: SEND }).click()
    await page.getByText('The largest payout is £20.00.').waitFor()
    await page.getByText('From £1.00 to £20.00').waitFor()
    await page.getByText('Enter an amount to see what it costs.').waitFor()
    await inspect(page, 'new-payout-other-limits')
    await page.getByLabel('Amount the recipient gets').fill('20.00')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Send £20.00' }).click()
    await page.getByRole('heading', { name: '£20.00 to Amara Okafor' }).waitFor()
    expect(sent).toHaveLength(2)
    expect(await paidOut()).toHaveLength(1)
  })

  it('says what is wrong with a field before anything is sent', async () => {
    const { page, open } = await house.member(partner)
    await open('/payouts/new')
    await fillWho(page, { account: '1234567', sortCode: '0400' })
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('A sort code has 6 digits, such as 04-00-04.').waitFor()
    await page.getByText('This has 7 digits.').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('sortCode')
    await page.getByLabel('Sort code').fill('040004')
    await page.getByLabel('Account number').fill('01234567')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Amount the recipient gets').fill('1000000')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('The largest payout is').waitFor()
    await page.getByLabel('Amount the recipient gets').fill('24,50')
    await page.getByText('A comma goes only between thousands').waitFor()
    expect(await paidOut()).toEqual([])
  })

  it('is filled in with the keyboard alone, and says in pounds what the wallet lacks', async () => {
    const { page, open } = await house.member(partner)
    const focused = () => page.evaluate('document.activeElement.name || document.activeElement.textContent')
    await open('/payouts/new')
    await fillWho(page)
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('amount')
    await page.keyboard.type('9,000')
    await page.getByText(/^You need about £\d,\d{3}\.\d\d more$/).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('Review and send')
    await inspect(page, 'light/new-payout-short')
    await page.getByRole('button', { name: 'Change how much' }).click()
    await expect.poll(focused).toBe('amount')
    const answer = await holdBackQuotes(page)
    await page.getByLabel('Amount the recipient gets').fill('8,000')
    await page.locator('[aria-busy=true]').getByText('£9,000.00').waitFor()
    await inspect(page, 'light/new-payout-pricing')
    answer()
    await page.getByText('£8,000.00').waitFor()
    await page.getByRole('button', { name: 'Change who' }).click()
    await expect.poll(focused).toBe('firstName')
  })

  it('is not sent without a price, and can be priced again', async () => {
    const { page, open } = await house.member(partner, { expects: [502] })
    const sent = sentFrom(page)
    const error = { code: 'bank_unavailable', message: 'The bank does not answer.' }
    await page.route('**/v1/quotes*', (route) => route.fulfill({ status: 502, json: { error } }))
    await open('/payouts/new')
    await fillPayout(page)
    await page.getByText('There is no price at the moment').waitFor()
    await inspect(page, 'light/new-payout-no-price')
    expect(await page.getByRole('button', { name: SEND }).count()).toBe(0)
    await page.unroute('**/v1/quotes*')
    await page.getByRole('button', { name: 'Get the price again' }).click()
    await page.getByText('Your wallet sends 32.07 USDC').waitFor()
    const release = await holdBackPayout(page)
    await page.getByRole('button', { name: SEND }).click()
    await page.getByRole('button', { name: 'Sending…' }).waitFor()
    expect(await page.getByRole('button', { name: /^Change/ }).count()).toBe(0)
    release()
    await page.getByRole('heading', { name: '£25.00 to Amara Okafor' }).waitFor()
    expect(sent[0]?.headers()['max-wallet-debit-usdc']).toBe('32.40')
  })

  it('to somebody who was paid before begins with the name, found by typing', async () => {
    await createPayout(house.site, partner, { recipient: aPayee({ first_name: 'Priya', last_name: 'Nair' }) })
    await createPayout(house.site, partner, { recipient: aPayee({ first_name: 'Tom', last_name: 'Ellis' }) })
    const { page, open } = await house.member(partner)
    await open('/payouts/new')
    await page.getByRole('button', { name: 'Find them' }).click()
    const dialog = page.getByRole('dialog', { name: 'Paid before' })
    await dialog.getByPlaceholder('Name or last 4 digits').fill('nair')
    await expect.poll(() => dialog.getByRole('option').count()).toBe(1)
    await inspect(page, 'light/new-payout-paid-before')
    await page.keyboard.press('Enter')
    await page.getByText('Paying Priya Nair ··5678 again').waitFor()
    await inspect(page, 'light/new-payout-again')
    await expect.poll(() => page.getByLabel('First name').inputValue()).toBe('Priya')
    await page.getByLabel('Bank name').fill('Monzo')
    await page.getByRole('button', { name: 'Somebody new' }).click()
    await page.getByText('Somebody whom you have paid before?').waitFor()
    await expect.poll(() => page.getByLabel('First name').inputValue()).toBe('')
    await expect.poll(() => page.getByLabel('Bank name').inputValue()).toBe('')
  })
})

describe('never twice', () => {
  it('a double click sends once', async () => {
    const { page, open } = await house.member(partner)
    const sent = sentFrom(page)
    await open('/payouts/new')
    await fillPayout(page)
    await page.getByRole('button', { name: SEND }).dblclick()
    await page.getByRole('heading', { name: '£25.00 to Amara Okafor' }).waitFor()
    expect(sent).toHaveLength(1)
    expect(await paidOut()).toHaveLength(1)
  })

  it('a reload while it is being sent finds the payout instead of making another', async () => {
    const { page, open } = await house.member(partner)
    await open('/payouts/new')
    await fillPayout(page)
    const { arrived } = await loseAnswerOfPayout(page)
    await page.getByRole('button', { name: SEND }).click()
    await arrived
    await page.reload()
    await page.getByText('£25.00 to Amara Okafor was already made').waitFor()
    expect(await paidOut()).toHaveLength(1)
    await page.getByRole('link', { name: 'See the payout' }).click()
    await page.getByRole('heading', { name: '£25.00 to Amara Okafor' }).waitFor()
  })

  it('a bank that is down: nothing was sent, and the second try carries the same key', async () => {
    const { page, open } = await house.member(partner, { expects: [502] })
    const sent = sentFrom(page)
    await open('/payouts/new')
    await fillPayout(page, { reference: 'sandbox:down' })
    await page.getByRole('button', { name: SEND }).click()
    await page.getByText('The bank did not answer. Nothing was sent.').waitFor()
    await page.getByRole('button', { name: 'Try again: send £25.00' }).click()
    await expect.poll(() => sent.length).toBe(2)
    await page.getByText('The bank did not answer. Nothing was sent.').waitFor()
    expect(new Set(keysOf(sent)).size).toBe(1)
    expect((await paidOut()).filter(({ status }) => status !== 'failed')).toEqual([])
  })

  it('silence: the page does not know, and trying again finds the same payout', async () => {
    const { page, open } = await house.member(partner, { expects: ['silence'] })
    const sent = sentFrom(page)
    await open('/payouts/new')
    await fillPayout(page)
    await breakAnswerOfPayout(page)
    await page.getByRole('button', { name: SEND }).click()
    await page.getByText('We do not know yet whether it went.').waitFor()
    await page.getByRole('button', { name: 'Try again: send £25.00' }).click()
    await page.getByRole('heading', { name: '£25.00 to Amara Okafor' }).waitFor()
    expect(new Set(keysOf(sent)).size).toBe(1)
    expect(await paidOut()).toHaveLength(1)
  })
})

describe('a live payout', () => {
  it('needs the emailed code, which names amount and recipient', async () => {
    await inLive(house.site, partner, '500.00')
    const { page, open, member } = await house.member(partner, { expects: [422, 429] })
    await page.clock.install()
    await open('/payouts/new?environment=live')
    await fillPayout(page, { sortCode: CANARY.sortCode, account: CANARY.accountNumber })
    await page.getByText('Real money.').waitFor()
    await page.getByRole('button', { name: SEND }).click()
    const dialog = page.getByRole('dialog', { name: 'Enter the code we emailed to you' })
    await dialog.getByText('works for £25.00 to Amara Okafor only').waitFor()
    const mail = await latestMail(house.site, member.email)
    expect(mail.text).toContain('25.00')
    expect(mail.text).toContain('Amara Okafor')
    const code = codeIn(mail)
    await dialog.getByLabel('6-digit code').fill(String((Number(code) + 1) % 1_000_000).padStart(6, '0'))
    await dialog.getByText('That code is not right. 4 tries left.').waitFor()
    await expect.poll(() => dialog.getByLabel('6-digit code').inputValue()).toBe('')
    await inspect(page, 'light/new-payout-code')
    await page.clock.fastForward(31_000)
    await page.route('**/v1/payouts/confirm-code*', (route) => route.fulfill({ status: 429, json: { error: BUSY } }))
    await dialog.getByRole('button', { name: 'Send a new code' }).click()
    await dialog.getByText('Too many codes. The code that you have still works.').waitFor()
    const release = await holdBackPayout(page)
    await dialog.getByLabel('6-digit code').fill(code)
    await dialog.getByRole('button', { name: 'Sending…' }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Go back' }).click({ force: true })
    expect(await dialog.isVisible()).toBe(true)
    release()
    await page.getByRole('heading', { name: '£25.00 to Amara Okafor' }).waitFor()
    await page.getByText('Completed', { exact: true }).waitFor()
    expect(await page.getByRole('note', { name: 'Sandbox' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Simulate' }).count()).toBe(0)
  })
})
