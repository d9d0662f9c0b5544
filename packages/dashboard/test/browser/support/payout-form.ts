// Filling in the form of a new payout as a person does.
import type { Page } from 'playwright-core'

export interface Payee {
  readonly first?: string
  readonly last?: string
  readonly sortCode?: string
  readonly account?: string
  readonly amount?: string
  readonly reference?: string
}

export async function fillWho(page: Page, payee: Payee = {}): Promise<void> {
  await page.getByLabel('First name').fill(payee.first ?? 'Amara')
  await page.getByLabel('Last name').fill(payee.last ?? 'Okafor')
  await page.getByLabel('Address line 1').fill('4 Mill Lane')
  await page.getByLabel('Town or city').fill('Leeds')
  await page.getByLabel('Postcode').fill('ls14ap')
  await page.getByLabel('Bank name').fill('Monzo')
  await page.getByLabel('Sort code').fill(payee.sortCode ?? '04 00 04')
  await page.getByLabel('Account number').fill(payee.account ?? '12345678')
}

/** From an empty form to the button that sends. */
export async function fillPayout(page: Page, payee: Payee = {}): Promise<void> {
  await fillWho(page, payee)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Amount the recipient gets').fill(payee.amount ?? '25')
  if (payee.reference !== undefined) await page.getByLabel('Reference').fill(payee.reference)
  await page.getByRole('button', { name: 'Continue' }).click()
}
