// What the bank does not take is said beside the field that it is about, in the words of the form.
import { beforeAll, describe, expect, it } from 'vitest'

import { type TestPartner, createPayout } from '../../../server/test/support/fixtures.ts'
import { inspect } from './support/pages.ts'
import { fillWho } from './support/payout-form.ts'
import { aBusyPartner, aPayee } from './support/site.ts'
import { openHouse } from './support/visitors.ts'

const house = openHouse()
const ACCOUNT = '31415926'
const WORDS =
  'You have paid this sort code and account number under another name, which the bank keeps. Nothing was sent. Correct the name, or write to support.'
let partner: TestPartner

beforeAll(async () => {
  partner = await aBusyPartner(house.site)
  const dana = aPayee({ first_name: 'Dana', last_name: 'Wells' })
  const recipient = { ...dana, bank: { ...dana.bank, account_number: ACCOUNT } }
  const { statusCode } = await createPayout(house.site, partner, { recipient })
  if (statusCode !== 201) throw new Error(`A payout to it was refused with ${statusCode}`)
})

describe('an account that is known under another name', () => {
  it.each([
    ['A person', 'First name'],
    ['A business', 'Business name'],
  ])('is refused, of %s at the field “%s”', async (type, field) => {
    const { page, open } = await house.member(partner, { expects: [422] })
    await open('/payouts/new')
    await fillWho(page, { first: 'Some', last: 'Else', account: ACCOUNT })
    await page.getByLabel(type).check()
    await page.getByLabel(field).fill('Somebody')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Amount the recipient gets').fill('25')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: /^Send £/ }).click()
    await page.getByText(WORDS).waitFor()
    expect(await page.getByText(WORDS).count()).toBe(1)
    const described = await page.getByLabel(field).getAttribute('aria-describedby')
    expect(described?.split(' ')).toContain(await page.getByText(WORDS).getAttribute('id'))
    await inspect(page, `light/new-payout-other-name-${type === 'A person' ? 'person' : 'business'}`)
  })
})
