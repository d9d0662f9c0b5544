// Coming in: an emailed code, a new business, an invitation, and the end of a session.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'

import { newId } from '../../../server/src/core/ids.ts'
import { insertMember } from '../../../server/src/storage/members.ts'
import { type TestPartner, aPartner, get, sql } from '../../../server/test/support/fixtures.ts'
import { ask, codeIn, latestMail, signedIn } from '../../../server/test/support/sessions.ts'
import { deafen } from './support/requests.ts'
import { fillPayout, fillWho } from './support/payout-form.ts'
import { barriers, picture } from './support/look.ts'
import { openHouse } from './support/visitors.ts'

const house = openHouse()
let partner: TestPartner
beforeAll(async () => {
  partner = await aPartner(house.site)
})

/** A member who has never signed in. */
const insertPerson = (email: string, partnerId = partner.id) =>
  house.site.deps.db.inTransaction(async (tx) => {
    const at = house.site.clock.now()
    await insertMember(tx, {
      partnerId,
      id: newId(at),
      email,
      name: null,
      role: 'admin',
      invitedBy: null,
      createdAt: at,
    })
  })

const codeFor = async (email: string) => codeIn(await latestMail(house.site, email))

/** Waits for the page to ask for the code, because by then the mail is there. */
async function enterCode(page: Page, email: string): Promise<void> {
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  await page.getByLabel('6-digit code').fill(await codeFor(email))
}

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
    await page.getByText(/Send again in \d+ s/).waitFor()
    const code = await codeFor(email)
    await page.getByLabel('6-digit code').fill(anotherCode(code))
    await page.getByText('That code is not right. 4 tries left.').waitFor()
    await expect.poll(() => page.getByLabel('6-digit code').inputValue()).toBe('')
    await page.getByLabel('6-digit code').fill(code)
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/dashboard/keys')
  })

  it('sends another code after a while, and the first no longer works', async () => {
    const email = 'second-code@thistle.test'
    await insertPerson(email)
    const { page, open } = await house.visitor({ expects: [422, 429] })
    await page.clock.install()
    await open('/sign-in')
    await page.getByLabel('Work email').fill(email)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText(/Send again in/).waitFor()
    const first = await codeFor(email)
    house.site.clock.advance(31_000)
    await page.clock.fastForward(31_000)
    const error = { code: 'rate_limited', message: 'Too many codes.' }
    await page.route('**/v1/auth/code', (route) => route.fulfill({ status: 429, json: { error } }), { times: 1 })
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('Too many codes.').waitFor()
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText(/Send again in/).waitFor()
    const second = await codeFor(email)
    expect(second).not.toBe(first)
    await page.getByLabel('6-digit code').fill(first)
    await page.getByText('That code is not right.').waitFor()
    await page.getByLabel('6-digit code').fill(second)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
  })
})

describe('somebody of two businesses', () => {
  /** A member of Thistle Market and of Other Trading, who has never signed in. */
  async function aPersonOfTwo(email: string): Promise<TestPartner> {
    const other = await aPartner(house.site)
    await sql(house.site, `update partners set name = 'Other Trading' where id = $1`, [other.id])
    await insertPerson(email)
    await insertPerson(email, other.id)
    return other
  }

  async function signIn(page: Page, email: string): Promise<void> {
    await page.getByLabel('Work email').fill(email)
    await page.getByRole('button', { name: 'Continue' }).click()
    await enterCode(page, email)
  }

  const switchIn = (page: Page, name: string) =>
    page.getByRole('button', { name: new RegExp(`${name}.*Switch business`) })

  it('chooses one on the way to where a link led, and can change over', async () => {
    const email = 'both@thistle.test'
    await aPersonOfTwo(email)
    const { page, open } = await house.visitor({ expects: [409] })
    await open('/team')
    await signIn(page, email)
    await page.getByRole('heading', { name: 'Choose a business' }).waitFor()
    await page.getByRole('button', { name: /Other Trading/ }).click()
    await page.getByRole('heading', { name: 'Team' }).waitFor()
    await switchIn(page, 'Other Trading').click()
    await page.getByRole('menuitem', { name: /Thistle Market/ }).click()
    await switchIn(page, 'Thistle Market').waitFor()
    await expect.poll(() => page.getByRole('button', { name: /Other Trading/ }).count()).toBe(0)
  })

  it('comes back to the one where the session ended', async () => {
    const email = 'second-business@thistle.test'
    const other = await aPersonOfTwo(email)
    const { page, open } = await house.visitor({ expects: [409] })
    await open('/sign-in')
    await signIn(page, email)
    await page.getByRole('button', { name: /Other Trading/ }).click()
    await page.getByRole('link', { name: 'Request logs' }).click()
    await page.getByRole('heading', { name: 'Request logs' }).waitFor()
    // The session ends once Team is opened: earlier, another request of the page could notice it before the click.
    await page.route(
      '**/v1/invitations',
      async (route) => {
        await sql(house.site, 'delete from sessions where partner_id = $1', [other.id])
        await route.continue()
      },
      { times: 1 },
    )
    await page.getByRole('link', { name: 'Team' }).click()
    await page.getByText('You were signed out. Sign in to carry on where you were.').waitFor()
    await signIn(page, email)
    await page.getByRole('heading', { name: 'Team' }).waitFor()
    await switchIn(page, 'Other Trading').waitFor()
    expect(await page.getByRole('heading', { name: 'Choose a business' }).count()).toBe(0)
  })

  it('who turns to the other in one tab finds it in the other tab too, and nothing is paid from the wrong wallet', async () => {
    const email = 'two-tabs@thistle.test'
    const other = await aPersonOfTwo(email)
    const { page: first, context, open } = await house.member(partner, { email, expects: [403] })
    await open('/payouts/new')
    await fillPayout(first)
    await first.getByText('Your wallet sends').waitFor()
    const second = await context.newPage()
    await second.goto(`/dashboard/${other.slug}`)
    await switchIn(second, 'Other Trading').waitFor()
    await switchIn(first, 'Other Trading').waitFor()
    await first.getByText('You are now in Other Trading, which was opened in another tab.').waitFor()
    await expect.poll(() => new URL(first.url()).pathname).toBe('/dashboard/')
    // And when no message reaches the tab, the server refuses for it.
    await first.addInitScript('window.BroadcastChannel = class { postMessage() {} close() {} addEventListener() {} }')
    await first.goto('/dashboard/payouts/new')
    await fillPayout(first)
    await first.getByText('Your wallet sends').waitFor()
    await second.goto(`/dashboard/${partner.slug}`)
    await switchIn(second, 'Thistle Market').waitFor()
    await first.getByRole('button', { name: /^Send £25\.00/ }).click()
    await first.getByText('You are now in Thistle Market').waitFor()
    for (const each of [partner, other]) expect((await get(house.site, each, '/v1/payouts')).json().data).toEqual([])
  })
})

describe('a new business', () => {
  it('signs up, sees its key once, and is asked before it leaves without it', async () => {
    const email = 'owner@elsewhere.test'
    const { page, open } = await house.visitor()
    await open('/sign-in')
    await page.getByRole('link', { name: 'Open an account' }).click()
    await page.getByLabel('Business name').fill('Juniper & Sons')
    await page.getByLabel('Work email').fill(email)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Open account' }).waitFor()
    await enterCode(page, email)
    await page.getByRole('heading', { name: 'Juniper & Sons is ready' }).waitFor()
    const secret = (await page.getByTestId('secret').textContent()) ?? ''
    expect(secret).toMatch(/^kp_sandbox_/)
    await page.getByRole('button', { name: 'Run a test request' }).click()
    await page.getByText('200', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Go to the dashboard' }).click()
    await page.getByText('You have not copied the key. It cannot be shown again.').waitFor()
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByRole('button', { name: 'Go to the dashboard' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    expect(await page.content()).not.toContain(secret)
    await page.reload()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    expect(await page.content()).not.toContain(secret)
  })
})

describe('an invitation', () => {
  it('reaches the viewer, who signs in and finds only what viewers have', async () => {
    const email = 'auditor@ellis.test'
    const { page, open, member } = await house.member(partner)
    await open('/team')
    await page.getByRole('button', { name: 'Invite' }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite people' })
    await dialog.getByLabel('Email addresses').fill(`${email}, not-an-address`)
    await dialog.getByRole('button', { name: 'Invite' }).click()
    await dialog.getByText('not-an-address').last().waitFor()
    await dialog.getByLabel('Email addresses').fill(email)
    await dialog.getByRole('button', { name: 'Invite' }).click()
    await page.getByText('1 invitation sent.').waitFor()
    await page.getByText('Invited, not yet accepted').waitFor()
    await page.getByRole('button', { name: `Send again: the invitation to ${email}` }).click()
    await page.getByText(`The invitation to ${email} was sent again.`).waitFor()
    expect(await page.getByRole('row', { name: new RegExp(email) }).count()).toBe(0)
    const mail = await latestMail(house.site, email)
    const address = /http:\/\/127\.0\.0\.1:\d+\/dashboard\/\S+/.exec(mail.text)?.[0] ?? ''
    const guest = await house.visitor({ expects: [409] })
    await guest.page.goto(address)
    await guest.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await guest.page.getByLabel('Work email').fill(email)
    await guest.page.getByRole('button', { name: 'Continue' }).click()
    await enterCode(guest.page, email)
    await guest.page.getByRole('heading', { name: 'You are invited' }).waitFor()
    await guest.page.getByText(`Invited by ${member.email}`).waitFor()
    expect(await guest.page.getByRole('heading', { name: 'Choose a business' }).count()).toBe(0)
    await guest.page.getByText(`${partner.slug}, as a viewer`).waitFor()
    await picture(guest.page, 'sign-in-invited')
    expect(await barriers(guest.page)).toEqual([])
    await guest.page.getByRole('button', { name: 'Accept the invitation to Thistle Market' }).click()
    await guest.page.getByRole('heading', { name: 'Overview' }).waitFor()
    expect(await guest.page.getByRole('link', { name: 'New payout' }).count()).toBe(0)
    await page.reload()
    await page.getByRole('row', { name: new RegExp(email) }).waitFor()
    await expect.poll(() => page.getByText('Invited, not yet accepted').count()).toBe(0)
  })

  it('is found by somebody who is signed in elsewhere, who may decline or accept it', async () => {
    const other = await aPartner(house.site)
    await sql(house.site, `update partners set name = 'Other Trading' where id = $1`, [other.id])
    const inviter = await signedIn(house.site, other)
    const { page, open, member } = await house.member(partner)
    const invite = async () => {
      const payload = { email: member.email, role: 'viewer' }
      const headers = { origin: house.site.url }
      const reply = await ask(house.site, inviter, { method: 'POST', url: '/v1/members', payload, headers })
      expect(reply.statusCode).toBe(201)
    }
    await invite()
    await open('/choose')
    await page.getByText(`Invited by ${inviter.email}`).waitFor()
    await page.getByRole('button', { name: 'Decline the invitation to Other Trading' }).click()
    await page.getByText('The invitation was declined.').waitFor()
    await expect.poll(() => page.getByText('Other Trading').count()).toBe(0)
    await invite()
    await open('/')
    await page.getByRole('button', { name: /Thistle Market.*Switch business/ }).click()
    await page.getByRole('menuitem', { name: '1 invitation' }).click()
    await page.getByRole('button', { name: 'Accept the invitation to Other Trading' }).click()
    await page.getByRole('button', { name: /Other Trading.*Switch business/ }).waitFor()
  })
})

describe('the end of a session', () => {
  it('on another device takes effect there at once', async () => {
    const email = 'two-devices@thistle.test'
    const other = await house.member(partner, { email })
    const one = await house.member(partner, { email })
    await other.open('/team')
    await other.page.getByText('Signed in later', { exact: true }).waitFor()
    await other.page
      .getByText('To sign out a browser that signed in after this one, sign out here and sign in again first.')
      .waitFor()
    expect(await other.page.getByRole('button', { name: /^Sign out / }).count()).toBe(0)
    await picture(other.page, 'signed-in-later')
    // It would leave by itself as soon as its stream ends, before anybody can click.
    await deafen(other.page)
    await other.open('/payouts')
    await other.page.getByRole('heading', { name: 'Payouts' }).waitFor()
    await one.open('/team')
    await one.page.getByRole('button', { name: /^Sign out / }).click()
    await one.page.getByText('was signed out.').waitFor()
    await other.page.getByRole('link', { name: 'Request logs' }).click()
    await other.page.getByText('You were signed out. Sign in to carry on where you were.').waitFor()
    expect(new URL(other.page.url()).searchParams.get('next')).toBe('/logs')
  })

  it('everywhere else leaves this one, and the list says so', async () => {
    const email = 'many-devices@thistle.test'
    const elsewhere = await Promise.all(Array.from({ length: 6 }, () => signedIn(house.site, partner, { email })))
    const { page, open, member } = await house.member(partner, { email })
    await open('/team')
    await page.getByRole('button', { name: 'Show all 7' }).waitFor()
    await page.getByText('This browser').waitFor()
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await page.getByText('You are signed in here only.').waitFor()
    await expect.poll(() => page.getByRole('button', { name: /^Sign out/ }).count()).toBe(0)
    const answers = await Promise.all(
      [...elsewhere, member].map(async (each) => (await ask(house.site, each, { url: '/v1/account' })).statusCode),
    )
    expect(answers).toEqual([...elsewhere.map(() => 401), 200])
  })

  it('by signing out leaves nothing behind', async () => {
    const { page, open } = await house.member(partner)
    await open('/')
    await page.getByRole('button', { name: /Your menu/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await page.getByText('Thistle Market').count()).toBe(0)
  })

  it('in the middle of work leads back to it, with what was typed', async () => {
    const { page, open, member } = await house.member(partner)
    await open('/payouts/new')
    await fillWho(page, { first: 'Priya', last: 'Nair' })
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Amount the recipient gets').waitFor()
    // The session ends when the price is asked for: earlier, another request could notice it before all is typed.
    await page.route(
      '**/v1/quotes*',
      async (route) => {
        house.site.clock.advance(31 * 24 * 3_600_000)
        await route.continue()
      },
      { times: 1 },
    )
    await page.getByLabel('Amount the recipient gets').fill('75')
    await page.getByText('You were signed out. Sign in to carry on where you were.').waitFor()
    await page.getByLabel('Work email').fill(member.email)
    await page.getByRole('button', { name: 'Continue' }).click()
    await enterCode(page, member.email)
    await page.getByRole('heading', { name: 'New payout' }).waitFor()
    await expect.poll(() => page.getByLabel('Amount the recipient gets').inputValue()).toMatch(/^75/)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: /^Send £75\.00/ }).click()
    await page.getByRole('heading', { name: '£75.00 to Priya Nair' }).waitFor()
  })
})
