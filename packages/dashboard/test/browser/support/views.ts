// Every page of the dashboard, and the states of it that look different.
import type { Frame, Page } from 'playwright-core'

import { openCommands, openHelp } from './keyboard.ts'
import { fillPayout } from './payout-form.ts'
import { MAILBOX_TOKEN } from './site.ts'

export interface View {
  readonly name: string
  readonly path: string
  readonly heading: string | RegExp
  /** In which state the business is. */
  readonly of?: 'fresh' | 'nobody' | 'viewer' | 'two-businesses' | 'billed' | 'vouched' | 'hooked'
  /** Something in it needs a whole browser, as `VisitorOptions` has it. */
  readonly inWhole?: boolean
  /** The view is checked while it loads, which never ends. */
  readonly isUnsettled?: boolean
  /** What is done on the page before it is looked at. */
  readonly first?: (page: Page) => Promise<unknown>
}

const BROKEN = {
  error: {
    code: 'internal_error',
    message: 'Something went wrong here. It is logged, and nothing was changed.',
    request_id: '019a8a00-0000-7000-8000-000000000000',
  },
}

/** The browser's reader has the document. On a phone there is no frame, and nothing to wait for. */
async function readerIsThere(page: Page): Promise<void> {
  if ((await page.locator('iframe').count()) === 0) return
  const isReader = (frame: Frame) => frame.url().startsWith('chrome-extension:')
  if (!page.frames().some(isReader)) await page.waitForEvent('framenavigated', isReader)
  await page.frames().find(isReader)?.locator('#plugin').waitFor()
}

/** Tells the page alone that it is offline: a browser that really is reports every request as an error. */
const goOffline = (page: Page) =>
  page.evaluate(`Object.defineProperty(navigator, 'onLine', { get: () => false }); dispatchEvent(new Event('offline'))`)

async function sendInVain(page: Page): Promise<void> {
  await fillPayout(page, { reference: 'sandbox:down' })
  await page.getByRole('button', { name: /^Send £25\.00/ }).click()
  await page.getByText('The bank did not answer. Nothing was sent.').waitFor()
}

async function bePaused(page: Page): Promise<void> {
  await page.route('**/v1/account?*', async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as object
    const payouts_pause = { paused_at: '2026-11-02T09:15:00.000Z', paused_by: 'finance@thistle.test' }
    await route.fulfill({ response, json: { ...body, payouts_pause } })
  })
  await page.reload()
  await page.getByText(/payouts have been paused since/).waitFor()
}

const openMore = (action: string) => async (page: Page) => {
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: action }).click()
  await page.getByRole('dialog').waitFor()
}

async function beRejected(page: Page): Promise<void> {
  await page.route('**/v1/compliance*', async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { business_verification: object }
    const business_verification = { ...body.business_verification, status: 'rejected', can_start: true }
    await route.fulfill({ response, json: { ...body, business_verification } })
  })
  await page.reload()
  await page.getByRole('link', { name: 'help@kestrel.test' }).waitFor()
}

/** What is paid, held and billed. */
export const MONEY_VIEWS: readonly View[] = [
  { name: 'overview', path: '/', heading: 'Overview' },
  { name: 'overview-new', path: '/', heading: 'Overview', of: 'fresh' },
  { name: 'overview-viewer', path: '/', heading: 'Overview', of: 'viewer' },
  { name: 'overview-offline', path: '/', heading: 'Overview', first: goOffline },
  { name: 'payouts', path: '/payouts', heading: 'Payouts' },
  {
    name: 'payouts-panel-failed',
    path: '/payouts',
    heading: 'Payouts',
    first: async (page) => {
      await page
        .getByRole('link', { name: /Priya Nair/ })
        .first()
        .click()
      await page
        .getByText('It failed')
        .or(page.getByRole('heading', { name: /to Priya Nair/ }))
        .first()
        .waitFor()
    },
  },
  { name: 'payouts-paused', path: '/payouts', heading: 'Payouts', first: bePaused },
  { name: 'payouts-reason', path: '/payouts?why=account_closed', heading: 'Payouts' },
  { name: 'payouts-empty', path: '/payouts', heading: 'Payouts', of: 'fresh' },
  { name: 'payouts-no-match', path: '/payouts?q=zzzz&min=5', heading: 'Payouts' },
  {
    name: 'payouts-loading',
    path: '/payouts',
    heading: 'Payouts',
    isUnsettled: true,
    first: async (page) => {
      await page.route('**/v1/payouts?*', () => undefined)
      await page.reload()
      await page.locator('[aria-busy=true]').first().waitFor()
    },
  },
  {
    name: 'payouts-error',
    path: '/payouts',
    heading: 'Payouts',
    first: async (page) => {
      await page.route('**/v1/payouts?*', (route) => route.fulfill({ status: 500, json: BROKEN }))
      await page.reload()
      await page.getByRole('button', { name: 'Try again' }).first().waitFor()
    },
  },
  {
    name: 'payouts-of-a-figure',
    path: '/payouts?completed_from=2026-10-01&completed_to=2026-10-31&ended_from=2026-10-08',
    heading: 'Payouts',
  },
  { name: 'payouts-not-verified', path: '/payouts?environment=live', heading: 'Payouts' },
  {
    name: 'payouts-status-menu',
    path: '/payouts',
    heading: 'Payouts',
    first: (page) => page.getByRole('button', { name: 'Status' }).click(),
  },
  {
    name: 'payouts-panel',
    path: '/payouts',
    heading: 'Payouts',
    first: (page) =>
      page
        .getByRole('link', { name: /Amara Okafor/ })
        .first()
        .click(),
  },
  { name: 'new-payout', path: '/payouts/new', heading: 'New payout' },
  {
    name: 'new-payout-problems',
    path: '/payouts/new',
    heading: 'New payout',
    first: (page) => page.getByRole('button', { name: 'Continue' }).click(),
  },
  { name: 'new-payout-not-sent', path: '/payouts/new', heading: 'New payout', first: sendInVain },
  { name: 'new-payout-viewer', path: '/payouts/new', heading: 'New payout', of: 'viewer' },
  { name: 'payout', path: '/payouts/:id', heading: /to Tom Ellis/ },
  {
    name: 'payout-warned',
    path: '/payouts?q=Twice',
    heading: 'Payouts',
    first: async (page) => {
      await page.goto(
        (await page
          .getByRole('link', { name: /Paid Twice/ })
          .first()
          .getAttribute('href')) ?? '',
      )
      await page.getByText(/^The same amount to this account on/).waitFor()
    },
  },
  {
    name: 'payouts-panel-warned',
    path: '/payouts?q=Twice',
    heading: 'Payouts',
    first: async (page) => {
      await page
        .getByRole('link', { name: /Paid Twice/ })
        .first()
        .click()
      const panel = page.getByRole('complementary', { name: 'Payout' })
      await panel.getByText(/^The same amount to this account on/).waitFor()
    },
  },
  { name: 'payout-missing', path: '/payouts/019a8a00-0000-7000-8000-000000000000', heading: 'Payout' },
  {
    name: 'new-payout-live-warned',
    path: '/payouts/new?environment=live',
    heading: /New payout/,
    of: 'billed',
    first: async (page) => {
      await fillPayout(page, {
        first: 'Callum',
        last: 'Reid',
        sortCode: '10 79 99',
        account: '88837491',
        amount: '64.20',
      })
      await page.getByText(/^Different account from last time/).waitFor()
    },
  },
  { name: 'new-payout-vouched-for', path: '/payouts/new?environment=live', heading: /New payout/, of: 'vouched' },
  { name: 'recipients', path: '/recipients', heading: 'Recipients' },
  { name: 'recipients-no-match', path: '/recipients?q=zzzz', heading: 'Recipients' },
  { name: 'recipients-empty', path: '/recipients', heading: 'Recipients', of: 'fresh' },
  { name: 'funding', path: '/funding', heading: 'Funding' },
  {
    name: 'funding-usdc',
    path: '/funding',
    heading: 'Funding',
    first: (page) => page.getByRole('tab', { name: 'USDC' }).click(),
  },
  {
    name: 'funding-test-money',
    path: '/funding',
    heading: 'Funding',
    first: (page) => page.getByRole('button', { name: 'Add test money' }).click(),
  },
  { name: 'fees', path: '/fees', heading: /Fees/ },
  { name: 'fees-live', path: '/fees?environment=live', heading: /Fees/, of: 'billed' },
  { name: 'overview-overdue', path: '/?environment=live', heading: 'Overview', of: 'billed' },
  { name: 'invoices', path: '/invoices', heading: 'Invoices' },
  { name: 'invoices-live', path: '/invoices?environment=live', heading: 'Invoices', of: 'billed' },
  { name: 'invoice', path: '/invoices/:invoice?environment=live', heading: /^Invoice KP-/, of: 'billed' },
  { name: 'invoice-overdue', path: '/invoices/:invoice?environment=live', heading: /^Invoice KP-/, of: 'billed' },
  {
    name: 'invoice-payouts',
    path: '/invoices/:invoice?environment=live&line=1',
    heading: /^Payouts behind/,
    of: 'billed',
  },
  {
    name: 'invoice-preview',
    path: '/invoices/:invoice?environment=live&preview=yes',
    heading: 'Lines',
    of: 'billed',
    inWhole: true,
    first: readerIsThere,
  },
  { name: 'invoice-in-sandbox', path: '/invoices/:invoice', heading: 'Invoice', of: 'billed' },
  {
    name: 'invoice-missing',
    path: '/invoices/019a8a00-0000-7000-8000-000000000000?environment=live',
    heading: 'Invoice',
    of: 'billed',
  },
  { name: 'statement', path: '/statement', heading: 'Statement' },
  { name: 'statement-live', path: '/statement?environment=live', heading: 'Statement', of: 'billed' },
  { name: 'statement-empty', path: '/statement?from=2020-01-01&to=2020-01-31', heading: 'Statement' },
  { name: 'statement-bad-days', path: '/statement?from=2026-11-09&to=2026-11-02', heading: 'Statement' },
]

/** Who may do what, and the doors. */
export const ACCOUNT_VIEWS: readonly View[] = [
  { name: 'keys', path: '/keys', heading: 'API keys' },
  { name: 'keys-viewer', path: '/keys', heading: 'API keys', of: 'viewer' },
  {
    name: 'keys-create',
    path: '/keys?create=yes',
    heading: /API keys|Create a sandbox key/,
  },
  {
    name: 'keys-secret',
    path: '/keys?create=yes',
    heading: /API keys|Create a sandbox key/,
    first: async (page) => {
      await page.getByRole('dialog').getByLabel('Label').fill('orders-service')
      await page.getByRole('button', { name: 'Create key' }).click()
      await page.getByTestId('secret').waitFor()
    },
  },
  {
    name: 'keys-code',
    path: '/keys?environment=live&create=yes',
    heading: /API keys|Create a live key/,
    of: 'billed',
    first: async (page) => {
      await page.getByRole('dialog').getByLabel('Label').fill('payroll')
      await page.getByRole('button', { name: 'Create key' }).click()
      await page.getByRole('dialog', { name: 'Enter the code we emailed to you' }).waitFor()
    },
  },
  {
    name: 'keys-limits',
    path: '/keys',
    heading: 'API keys',
    first: (page) =>
      page
        .getByRole('button', { name: /^Limits of/ })
        .first()
        .click(),
  },
  { name: 'webhooks', path: '/webhooks', heading: 'Webhooks', of: 'hooked' },
  { name: 'webhooks-empty', path: '/webhooks', heading: 'Webhooks', of: 'fresh' },
  { name: 'webhooks-viewer', path: '/webhooks', heading: 'Webhooks', of: 'viewer' },
  {
    name: 'webhooks-create',
    path: '/webhooks?create=yes',
    heading: /Webhooks|Add a sandbox endpoint/,
    of: 'fresh',
    first: async (page) => {
      await page.getByRole('radio', { name: /Only some/ }).check()
      await page.getByRole('button', { name: 'Add endpoint' }).last().click()
      await page.getByText('Enter the address of your receiver.').waitFor()
    },
  },
  {
    name: 'webhooks-secret',
    path: '/webhooks?create=yes',
    heading: /Webhooks|Add a sandbox endpoint/,
    of: 'vouched',
    first: async (page) => {
      await page.getByLabel('Address').fill('http://localhost:4242/kestrel')
      await page.getByRole('button', { name: 'Add endpoint' }).last().click()
      await page.getByTestId('secret').waitFor()
    },
  },
  { name: 'webhook', path: '/webhooks/:endpoint', heading: /hook$/, of: 'hooked' },
  { name: 'webhook-failing', path: '/webhooks/:failing', heading: /warehouse$/, of: 'hooked' },
  { name: 'webhook-missing', path: '/webhooks/019a8a00-0000-7000-8000-000000000000', heading: /endpoint/ },
  {
    name: 'webhook-test',
    path: '/webhooks/:failing',
    heading: /warehouse$/,
    of: 'hooked',
    first: async (page) => {
      await page.getByRole('button', { name: 'Send test event' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Send test event' }).click()
      await page
        .getByRole('dialog')
        .getByText(/^Answered 503/)
        .waitFor()
    },
  },
  {
    name: 'webhook-rotate',
    path: '/webhooks/:failing',
    heading: /warehouse$/,
    of: 'hooked',
    first: openMore('Rotate secret'),
  },
  {
    name: 'webhook-replay',
    path: '/webhooks/:failing',
    heading: /warehouse$/,
    of: 'hooked',
    first: async (page) => {
      await openMore('Replay events')(page)
      await page.getByRole('radio', { name: 'A moment of yours' }).check()
    },
  },
  {
    name: 'webhook-delete',
    path: '/webhooks/:failing',
    heading: /warehouse$/,
    of: 'hooked',
    first: openMore('Delete'),
  },
  { name: 'delivery', path: '/webhooks/deliveries/:delivery', heading: 'payout.created', of: 'hooked' },
  { name: 'delivery-missing', path: '/webhooks/deliveries/019a8a00-0000-7000-8000-000000000000', heading: /delivery/ },
  { name: 'payout-webhooks', path: '/payouts/:payout', heading: /^£25/, of: 'hooked' },
  { name: 'logs-everywhere', path: '/logs?from=everywhere', heading: 'Request logs' },
  { name: 'logs', path: '/logs', heading: 'Request logs' },
  {
    name: 'logs-refused',
    path: '/logs?class=4xx',
    heading: 'Request logs',
    first: (page) =>
      page
        .getByRole('button', { name: /POST \/v1\/payouts/ })
        .first()
        .click(),
  },
  {
    name: 'logs-answer',
    path: '/logs?class=4xx',
    heading: 'Request logs',
    first: async (page) => {
      await page
        .getByRole('button', { name: /POST \/v1\/payouts/ })
        .first()
        .click()
      await page.getByRole('region', { name: 'curl command' }).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'logs-panel',
    path: '/logs',
    heading: 'Request logs',
    first: (page) =>
      page
        .getByRole('button', { name: /POST \/v1\/payouts/ })
        .first()
        .click(),
  },
  { name: 'logs-no-match', path: '/logs?q=nothing-like-it', heading: 'Request logs' },
  { name: 'team', path: '/team', heading: 'Team' },
  { name: 'team-invite', path: '/team?invite=yes', heading: /Team|Invite people/ },
  {
    name: 'team-limits',
    path: '/team',
    heading: 'Team',
    first: async (page) => {
      await page
        .getByRole('button', { name: /^Actions for/ })
        .first()
        .click()
      await page.getByRole('menuitem', { name: 'Limits' }).click()
      await page.getByRole('dialog').getByLabel('Most per day').fill('250')
    },
  },
  {
    name: 'team-code',
    path: '/team?invite=yes',
    heading: /Team|Invite people/,
    first: async (page) => {
      await page.getByLabel('Email addresses').fill('amara@okafor.test')
      await page.getByRole('radio', { name: /Admin/ }).check()
      await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
      await page.getByRole('dialog', { name: 'Enter the code we emailed to you' }).waitFor()
    },
  },
  {
    name: 'team-invited',
    path: '/team?invite=yes',
    heading: /Team|Invite people/,
    first: async (page) => {
      await page
        .getByLabel('Email addresses')
        .fill('amara@okafor.test, a.rather.long.address.of.somebody@accounts.ellis.test')
      await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
      await page.getByText('Invited, not yet accepted').waitFor()
    },
  },
  { name: 'audit', path: '/audit', heading: 'Audit log' },
  {
    name: 'audit-changes',
    path: '/audit?by=finance@thistle.test',
    heading: 'Audit log',
    first: (page) =>
      page
        .getByRole('row', { name: /allowed networks/ })
        .getByText('Before and after')
        .click(),
  },
  { name: 'audit-no-match', path: '/audit?by=nobody', heading: 'Audit log' },
  { name: 'compliance', path: '/compliance', heading: 'Compliance' },
  { name: 'compliance-rejected', path: '/compliance', heading: 'Compliance', first: beRejected },
  { name: 'compliance-vouched-for', path: '/compliance?environment=live', heading: 'Compliance', of: 'vouched' },
  { name: 'overview-vouched-for', path: '/?environment=live', heading: 'Overview', of: 'vouched' },
  { name: 'funding-vouched-for', path: '/funding?environment=live', heading: 'Funding', of: 'vouched' },
  {
    name: 'settings-code',
    path: '/settings',
    heading: 'Settings',
    first: async (page) => {
      await page.getByLabel('Billing email').fill('bills@thistle.test')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('dialog', { name: 'Enter the code we emailed to you' }).waitFor()
    },
  },
  {
    name: 'settings-reset',
    path: '/settings',
    heading: 'Settings',
    first: (page) => page.getByRole('button', { name: 'Reset the sandbox' }).click(),
  },
  { name: 'settings', path: '/settings', heading: 'Settings' },
  { name: 'settings-viewer', path: '/settings', heading: 'Settings', of: 'viewer' },
  {
    name: 'command-menu',
    path: '/',
    heading: 'Overview',
    first: async (page) => {
      await openCommands(page)
      await page.getByRole('option', { name: 'New payout' }).waitFor()
    },
  },
  {
    name: 'keyboard-help',
    path: '/',
    heading: 'Overview',
    first: openHelp,
  },
  { name: 'not-found', path: '/nothing/here/at/all', heading: /no page|not found|nothing/i },
  { name: 'choose', path: '/choose', heading: 'Choose a business', of: 'two-businesses' },
  { name: 'mailbox-closed', path: '/../mailbox', heading: 'Mailbox', of: 'nobody' },
  { name: 'mailbox', path: `/../mailbox?token=${MAILBOX_TOKEN}`, heading: 'Mailbox', of: 'nobody', inWhole: true },
  { name: 'sign-in', path: '/sign-in', heading: 'Sign in', of: 'nobody' },
  { name: 'sign-in-business', path: '/thistle-market', heading: 'Sign in to Thistle Market', of: 'nobody' },
  {
    name: 'sign-in-code',
    path: '/sign-in',
    heading: 'Sign in',
    of: 'nobody',
    first: async (page) => {
      await page.getByLabel('Work email').fill('nobody@elsewhere.test')
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    },
  },
  { name: 'sign-up', path: '/sign-up', heading: 'Open an account', of: 'nobody' },
]
