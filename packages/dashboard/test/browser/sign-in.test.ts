// Coming in: an emailed code, a new business, an invitation, and the end of a session.
import { beforeAll, describe, expect, it } from 'vitest'

import { type TestPartner, aPartner } from '../../../server/test/support/fixtures.ts'
import { codeIn, latestMail } from '../../../server/test/support/sessions.ts'
import { openHouse } from './support/visitors.ts'

const house = openHouse()
let partner: TestPartner
beforeAll(async () => {
  partner = await aPartner(house.site)
})

const codeFor = async (email: string) => codeIn(await latestMail(house.site, email))
const anotherCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

describe('signing in', () => {
  it('takes the emailed code, says how many tries are left, and goes where the visitor wanted to', async () => {
    const email = 'finance@thistle.test'
    const { page, open } = await house.visitor({ expects: [422] })
    await open('/keys')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Enter an email address such as').waitFor()
    await page.getByLabel('Work email').fill(email)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    expect(await page.getByText(/Send again in \d+ s/).isVisible()).toBe(true)
    const code = await codeFor(email)
    await page.getByLabel('6-digit code').fill(anotherCode(code))
    await page.getByText('That code is not right. 4 tries left.').waitFor()
    expect(await page.getByLabel('6-digit code').inputValue()).toBe('')
    await page.getByLabel('6-digit code').fill(code)
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/dashboard/keys')
  })
})
