// What a member may pay: an admin sets it on the team's page, and the payer sees what is left before sending.
import { beforeEach, describe, expect, it } from 'vitest'

import { pence } from '../../../server/src/core/money.ts'
import { type MemberChanges, changeMember } from '../../../server/src/domain/members/change-team.ts'
import { listMembers } from '../../../server/src/domain/members/member-limits.ts'
import { findPartner } from '../../../server/src/domain/partners/find-partner.ts'
import { type TestPartner, aPartner, get, inLive } from '../../../server/test/support/fixtures.ts'
import type { TestMember } from '../../../server/test/support/sessions.ts'
import { enterDoorCode } from './support/door.ts'
import { inspect } from './support/pages.ts'
import { fillPayout } from './support/payout-form.ts'
import { openHouse } from './support/visitors.ts'

const house = openHouse()
let partner: TestPartner
beforeEach(async () => {
  partner = await aPartner(house.site)
})

const paidOut = async () => (await get(house.site, partner, '/v1/payouts')).json().data.length as number
const NO_CHANGE = { name: null, role: null, isConfirmed: false } as const

async function limit(
  by: TestMember,
  { memberId: id }: TestMember,
  wanted: Pick<MemberChanges, 'limits' | 'environment'>,
): Promise<void> {
  const change = { partner: await findPartner(house.site.deps, partner.slug), by: by.email, publicUrl: '' }
  await changeMember(house.site.deps, change, { ...NO_CHANGE, id, ...wanted })
}

describe('the limits of a member', () => {
  it('are set on the team’s page, shown there with what is used, and kept by the payout form', async () => {
    const payer = await house.member(partner)
    const admin = await house.member(partner)
    await admin.open('/team')
    const actions = admin.page.getByRole('button', { name: `Actions for ${payer.member.email}` }).first()
    await actions.click()
    await admin.page.getByRole('menuitem', { name: 'Limits' }).click()
    const dialog = admin.page.getByRole('dialog', { name: `Limits of ${payer.member.email}` })
    await dialog.getByLabel('Most per day').fill('40')
    await dialog.getByRole('button', { name: 'Save limits' }).click()
    await admin.page.getByText('£0.00 of £40.00 today').first().waitFor()

    await payer.open('/payouts/new')
    await fillPayout(payer.page, {})
    await payer.page.getByRole('button', { name: /^Send £25\.00$/ }).click()
    await payer.page.getByRole('heading', { name: '£25.00 to Amara Okafor' }).waitFor()
    expect(await paidOut()).toBe(1)

    await payer.open('/payouts/new')
    await fillPayout(payer.page, {})
    await payer.page.getByText('You may send £15.00 more today, of £40.00.').waitFor()
    expect(await payer.page.getByRole('button', { name: /^Send £25\.00$/ }).isDisabled()).toBe(true)
    await inspect(payer.page, 'light/new-payout-over-limit')
    await payer.page.emulateMedia({ colorScheme: 'dark' })
    await payer.page.setViewportSize({ width: 390, height: 844 })
    await inspect(payer.page, 'narrow/new-payout-over-limit')
    await admin.page.reload()
    await admin.page.getByText('£25.00 of £40.00 today').first().waitFor()
    await inspect(admin.page, 'light/team-limited')
    await admin.page.setViewportSize({ width: 390, height: 844 })
    await inspect(admin.page, 'narrow/team-limited')
    expect(await paidOut()).toBe(1)
  })

  it('that are set while the form is open refuse what it sends, in plain words', async () => {
    const admin = await house.member(partner)
    const { page, open, member } = await house.member(partner, { expects: [403] })
    await open('/payouts/new')
    await fillPayout(page, {})
    const send = page.getByRole('button', { name: /^Send £25\.00$/ })
    await send.waitFor()
    await limit(admin.member, member, { limits: { maxPerPayout: pence(1_000n) }, environment: 'sandbox' })
    await send.click()
    await page.getByText('Nothing was sent.', { exact: true }).waitFor()
    await page.getByText('You may pay 10.00 GBP at once. This payout is 25.00.').waitFor()
    expect(await paidOut()).toBe(0)
  })

  it('are raised in live with a mailed code, by somebody else', async () => {
    await inLive(house.site, partner, '1000.00')
    const payer = await house.member(partner)
    const { page, open, member } = await house.member(partner, { expects: [403, 422] })
    const tenADay = { limits: { daily: pence(1_000n) }, environment: 'live' } as const
    await limit(member, payer.member, tenADay)
    await limit(payer.member, member, tenADay)
    await open('/team?environment=live')
    const raise = async (email: string) => {
      await page
        .getByRole('button', { name: `Actions for ${email}` })
        .first()
        .click()
      await page.getByRole('menuitem', { name: 'Limits' }).click()
      await page.getByRole('dialog').getByLabel('Most per day').fill('50')
      await page.getByRole('button', { name: 'Save limits' }).click()
    }
    await raise(member.email)
    await page.getByText(/Nobody raises their own limits/).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await raise(payer.member.email)
    await enterDoorCode(house.site, page, member.email, 'Let a member pay more in live')
    await page.getByText('£0.00 of £50.00 today').first().waitFor()
    const scope = { partnerId: partner.id, environment: 'live' } as const
    const now = (await listMembers(house.site.deps, scope)).find(({ id }) => id === payer.member.memberId)
    expect(now?.spending?.daily).toBe(5_000n)
  })
})
