// The list and what one does with it: filters in the address, export, the panel, the sandbox's controls.
import { readFile } from 'node:fs/promises'

import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it, vi } from 'vitest'

import { resolvePayout } from '../../../server/src/domain/banking/operator/resolve-payout.ts'
import { type TestPartner, aPartner, createPayout, get } from '../../../server/test/support/fixtures.ts'
import { inspect } from './support/pages.ts'
import { focusIsIn, openCommands } from './support/keyboard.ts'
import { deafen, openListening } from './support/requests.ts'
import { aBusyPartner, aPayee } from './support/site.ts'
import { openHouse } from './support/visitors.ts'

const house = openHouse()
let partner: TestPartner
beforeAll(async () => {
  partner = await aBusyPartner(house.site)
})

/** A small reader of CSV, quotes included. */
function readCsv(text: string): Record<string, string>[] {
  const cells = (line: string) =>
    [...`${line},`.matchAll(/("(?:[^"]|"")*"|[^,]*),/g)]
      .map((match) => match[1] ?? '')
      .map((cell) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell))
  const [head = '', ...lines] = text
    .replace(/^\uFEFF/, '')
    .trim()
    .split(/\r?\n/)
  const names = cells(head)
  return lines.map((line) => Object.fromEntries(names.map((name, index) => [name, cells(line)[index] ?? ''])))
}

async function exported(page: Page): Promise<{ name: string; rows: Record<string, string>[] }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ])
  return { name: download.suggestedFilename(), rows: readCsv(await readFile(await download.path(), 'utf8')) }
}

const rows = (page: Page) => page.getByRole('table', { name: 'Payouts' }).getByRole('row')

describe('the list', () => {
  it('keeps its filter in the address, through a reload and into the export', async () => {
    const { page, open } = await house.member(partner)
    await open('/payouts')
    await expect.poll(() => rows(page).count()).toBe(6)
    await page.getByRole('button', { name: 'Status' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Completed' }).click()
    await expect.poll(() => rows(page).count()).toBe(3)
    await page.getByRole('searchbox').fill('Amara')
    await expect.poll(() => rows(page).count()).toBe(2)
    expect(new URL(page.url()).searchParams.get('status')).toBe('completed')
    expect(new URL(page.url()).searchParams.get('q')).toBe('Amara')
    await page.reload()
    await expect.poll(() => rows(page).count()).toBe(2)
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('Amara')
    const { name, rows: lines } = await exported(page)
    expect(name).toMatch(/^payouts-sandbox-.*\.csv$/)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatchObject({ Status: 'completed', 'Amount (GBP)': '120.50', Recipient: 'Amara Okafor' })
    await page.getByRole('searchbox').fill('nobody at all')
    await page.getByText('No payouts match these filters').waitFor()
    await page.getByRole('link', { name: 'Clear filters' }).click()
    await expect.poll(() => rows(page).count()).toBe(6)
  })

  it('shows the payouts that ended for one reason, in the list, the address and the export', async () => {
    const { page, open } = await house.member(partner)
    await open('/payouts')
    await expect.poll(() => rows(page).count()).toBe(6)
    await page.getByRole('button', { name: 'Reason' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Reference needed' }).waitFor()
    await inspect(page, 'light/payouts-reasons')
    await page.getByRole('menuitemcheckbox', { name: 'Account closed' }).click()
    await expect.poll(() => rows(page).count()).toBe(2)
    await page.getByRole('link', { name: /Tom Ellis/ }).waitFor()
    expect(new URL(page.url()).searchParams.get('why')).toBe('account_closed')
    const { rows: lines } = await exported(page)
    expect(lines.map(({ Status }) => Status)).toEqual(['returned'])
    await page.reload()
    await page.getByRole('button', { name: 'Reason Account closed' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Account moved' }).click()
    await page.getByText('No payouts match these filters').waitFor()
    await page.getByRole('button', { name: 'Reason Account moved' }).click()
    await page.getByRole('menuitem', { name: 'Any or none' }).click()
    await expect.poll(() => rows(page).count()).toBe(6)
  })

  it('that has no match among the newest says how far it looked, and looks further back', async () => {
    const { page, open } = await house.member(partner)
    // As the server answers when ten thousand payouts lie before the first match.
    await page.route(/\/v1\/payouts\?/, (route) => {
      const address = new URL(route.request().url())
      const isFirst = address.searchParams.get('q') === 'Amara' && !address.searchParams.has('cursor')
      address.searchParams.delete('cursor')
      return isFirst
        ? route.fulfill({ json: { object: 'list', data: [], has_more: true, next_cursor: 'further-back' } })
        : route.continue({ url: address.href })
    })
    await open('/payouts?q=Amara')
    await page.getByText('No match among the newest payouts').waitFor()
    await inspect(page, 'payouts-further-back')
    await page.getByRole('button', { name: 'Look further back' }).click()
    await expect.poll(() => rows(page).count()).toBeGreaterThan(1)
  })

  it('takes an amount or a date once it is whole, says what is wrong, and forgets it when cleared', async () => {
    const { page, open } = await house.member(partner)
    await open('/payouts')
    await expect.poll(() => rows(page).count()).toBeGreaterThan(5)
    const all = await rows(page).count()
    const visited: string[] = []
    page.on('framenavigated', (frame) => void visited.push(frame.url()))
    await page.getByRole('button', { name: 'Dates and amounts' }).click()
    await page.getByLabel('At least').fill('300,50')
    await page.keyboard.press('Enter')
    await page.getByText('A comma goes only between thousands').waitFor()
    expect(new URL(page.url()).searchParams.get('min')).toBeNull()
    await inspect(page, 'light/payouts-filter-problem')
    await page.getByLabel('At least').fill('300')
    await page.keyboard.press('Enter')
    await expect.poll(() => rows(page).count()).toBe(3)
    await page.getByLabel('From', { exact: true }).focus()
    await page.keyboard.type('01012026')
    await expect.poll(() => new URL(page.url()).searchParams.get('from')).toBe('2026-01-01')
    expect(visited.filter((url) => url.includes('from=0'))).toEqual([])
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect.poll(() => rows(page).count()).toBe(all)
    await expect.poll(() => page.getByLabel('At least').inputValue()).toBe('')
    await expect.poll(() => page.getByLabel('From', { exact: true }).inputValue()).toBe('')
  })

  it('opens a payout beside it, and tells of what is new without jumping', async () => {
    const { page, open } = await house.member(partner)
    await openListening(page, () => open('/payouts'))
    await page.getByRole('link', { name: /Amara Okafor/ }).click()
    const panel = page.getByRole('complementary', { name: 'Payout' })
    await panel.getByRole('heading', { name: '£120.50' }).waitFor()
    expect(new URL(page.url()).searchParams.get('open')).not.toBeNull()
    await page.getByRole('link', { name: /Priya Nair/ }).click()
    await panel.getByRole('heading', { name: '£242.50' }).waitFor()
    await panel.getByText('Not charged').waitFor()
    await panel.getByText('It failed').waitFor()
    await panel.getByText('The account is blocked.').first().waitFor()
    // Beside the panel too, every row has its amount in sight.
    const overlap = async () => {
      const list = (await page.getByRole('table', { name: 'Payouts' }).boundingBox())!
      return list.x + list.width - (await panel.boundingBox())!.x
    }
    await expect.poll(overlap).toBeLessThanOrEqual(0)
    await panel.getByText('All of it is back in your wallet').waitFor()
    await inspect(page, 'light/payouts-panel-failed')
    // A change that comes by itself is announced to screen readers.
    await page.getByRole('link', { name: /Hannah Whitfield/ }).click()
    await panel.getByRole('heading', { name: '£303.50' }).waitFor()
    const held = new URL(page.url()).searchParams.get('open')
    const url = `/v1/sandbox/payouts/${held}/simulate`
    const told = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"outcome":"settle"}' }
    expect(await page.evaluate(`fetch('${url}', ${JSON.stringify(told)}).then(({ status }) => status)`)).toBe(200)
    await expect.poll(() => page.locator('#announcer').textContent()).toContain('This payout is now completed')
    await panel.getByRole('button', { name: 'Close panel' }).click()
    await panel.waitFor({ state: 'detached' })
    await page
      .getByRole('row', { name: /Priya Nair/ })
      .getByText('None', { exact: true })
      .waitFor()
    const recipient = aPayee({ first_name: 'Late', last_name: 'Comer' })
    // A payout that the filter leaves out must not count as an update; it is made first.
    await openListening(page, () => open('/payouts?q=Comer'))
    await page.getByText('No payouts match these filters').waitFor()
    const other = aPayee({ first_name: 'Some', last_name: 'Body' })
    await createPayout(house.site, partner, { amount_gbp: '8.00', recipient: other, reference: 'sandbox:hold' })
    await createPayout(house.site, partner, { amount_gbp: '9.00', recipient, reference: 'sandbox:hold' })
    await page.getByRole('button', { name: '1 update, show' }).click()
    await page.getByRole('link', { name: /Late Comer/ }).waitFor()
  })
})

describe('what did not stay with its recipient', () => {
  it('says why in the list, and on top of its page', async () => {
    const { page, open } = await house.member(partner)
    await open('/payouts')
    await page.getByRole('row', { name: /Priya Nair.*Failed.*The account is blocked\./ }).waitFor()
    await page.getByRole('row', { name: /Tom Ellis.*Returned.*The account is closed\./ }).waitFor()
    const id = await page.getByRole('link', { name: /Tom Ellis/ }).getAttribute('href')
    await page.goto(id ?? '')
    await page.getByText('It came back').waitFor()
    // Once in the notice, once in the timeline, which is read by itself.
    await expect.poll(() => page.getByText('The account is closed.').count()).toBe(2)
  })

  it('and never arrived costs nothing, in the list as on its page', async () => {
    const { bank } = house.site
    const own = await aPartner(house.site, { usdc: '10000.00' })
    const rail = async () => (await get(house.site, own, '/v1/account')).json().rail
    await expect.poll(rail, { timeout: 60_000 }).toBe('provider_sandbox')
    const recipient = aPayee({ first_name: 'Rhona', last_name: 'Baird' })
    const made = await createPayout(house.site, own, { amount_gbp: '78.00', recipient, reference: 'sandbox:hold' })
    const { id } = made.json<{ id: string }>()
    await bank.query('alter table transfers disable trigger user')
    await bank.query(
      `update transfers set state = 'returned', return_reason = 'Closed (00000002)', due_at = null, updated_at = greatest(updated_at, now()) + interval '1 second'
        where client_reference_id = $1`,
      [id],
    )
    await bank.query('alter table transfers enable trigger user')
    const status = async () => (await get(house.site, own, `/v1/payouts/${id}`)).json().status
    await expect.poll(status, { timeout: 30_000 }).toBe('returned')
    const { page, open } = await house.member(own)
    await open('/payouts')
    await page.getByRole('row', { name: /Rhona Baird.*Returned.*£78\.00 None$/ }).waitFor()
    await open(`/payouts/${id}`)
    await page.getByText('Not charged').waitFor()
  })

  it('and turns out to have arrived after all: the page says that it did, and what was said before', async () => {
    const { bank, deps } = house.site
    // A partner of its own: what comes back here is in nobody else's figures.
    const own = await aPartner(house.site, { usdc: '10000.00' })
    const rail = async () => (await get(house.site, own, '/v1/account')).json().rail
    await expect.poll(rail, { timeout: 60_000 }).toBe('provider_sandbox')
    const recipient = aPayee({ first_name: 'Isla', last_name: 'Munro' })
    const made = await createPayout(house.site, own, { amount_gbp: '77.00', recipient, reference: 'sandbox:hold' })
    const { id } = made.json<{ id: string }>()
    const is = async (wanted: string) => {
      const status = async () => (await get(house.site, own, `/v1/payouts/${id}`)).json().status
      await expect.poll(status, { timeout: 30_000 }).toBe(wanted)
    }
    const told = async (change: string) =>
      bank.query(
        `update transfers set ${change}, due_at = null, updated_at = greatest(updated_at, now()) + interval '1 second'
          where client_reference_id = $1`,
        [id],
      )
    await bank.query('alter table transfers disable trigger user')
    await told(`state = 'payment_processed'`)
    await is('completed')
    await told(`state = 'returned', return_reason = 'Closed (00000002)'`)
    await is('returned')
    await told(`state = 'payment_processed', return_reason = null`)
    await bank.query('alter table transfers enable trigger user')
    const word = { ending: 'completed', transferRef: null, reason: 'the bank stands by it' } as const
    await vi.waitFor(() => resolvePayout(deps, id, word), { timeout: 30_000, interval: 500 })
    const { page, open } = await house.member(own)
    await open(`/payouts/${id}`)
    await page.getByText('The bank took that back: the payment stands.').waitFor()
    await page.getByText('Returned by the recipient’s bank').waitFor()
    expect(await page.getByText('It came back').count()).toBe(0)
    await expect.poll(() => page.getByText('Completed. The money is in the recipient’s account').count()).toBe(2)
    await inspect(page, 'light/payout-arrived-after-all')
  })
})

describe('a figure', () => {
  it('of the month tells what arrived from what came back, and the chart agrees', async () => {
    const own = await aBusyPartner(house.site)
    const { page, open } = await house.member(own)
    await open('/')
    const card = page.getByRole('region', { name: 'Paid out this month' })
    await card.getByText('£666.50').waitFor()
    await card.getByText('£485.00 arrived, £181.50 came back').waitFor()
    const chart = page.getByRole('group', { name: /^Paid to recipients per day/ })
    await expect.poll(() => chart.getAttribute('aria-label')).toContain(', £485.00 completed.')
  })

  it('leads to exactly the payouts that make it up', async () => {
    const { page, open } = await house.member(partner)
    await open('/')
    const card = page.getByRole('region', { name: 'Paid out this month' })
    const paid = /£[\d,.]+/.exec((await card.getByText(/^£/).first().textContent()) ?? '')?.[0]
    const link = card.getByRole('link', { name: /completed$/ })
    const completed = Number.parseInt((await link.textContent()) ?? '', 10)
    expect(completed).toBeGreaterThan(1)
    await link.click()
    await page.getByText(`${completed} payouts, ${paid}`).waitFor()
    await expect.poll(() => rows(page).count()).toBe(completed + 1)
    const chip = page.getByRole('button', { name: /^Completed in [A-Z][a-z]+ \d{4}: remove this filter$/ })
    await chip.click()
    await chip.waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.get('completed_from')).toBeNull()
    await page.goBack()
    await page.getByText('failed or came back in the last 7 days.').waitFor()
    await page.getByRole('link', { name: 'See which' }).click()
    await page.getByRole('button', { name: /^Failed, cancelled or returned since/ }).waitFor()
    await expect.poll(() => rows(page).count()).toBe(3)
    await page.goBack()
    const chart = page.getByRole('group', { name: /^Paid to recipients per day/ })
    await chart.focus()
    await page.keyboard.press('End')
    await page.getByText(/not completed, \d+ payouts?$/).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Payouts' }).waitFor()
    const { searchParams } = new URL(page.url())
    expect(searchParams.get('from')).toBe(searchParams.get('to'))
  })
})

describe('the panel, where there is no room beside the list', () => {
  it('takes the focus, keeps it, and gives it back', async () => {
    const { page, open } = await house.member(partner, { width: 900 })
    await open('/payouts')
    const link = page.getByRole('link', { name: /Tom Ellis/ })
    await link.click()
    const panel = page.getByRole('dialog', { name: 'Payout' })
    await panel.getByRole('heading', { name: /^£/ }).waitFor()
    await focusIsIn(page, '[role=dialog]')
    for (let presses = 0; presses < 12; presses++) await page.keyboard.press('Tab')
    expect(await page.evaluate(`document.activeElement?.closest('[role=dialog]') !== null`)).toBe(true)
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toMatch(/^Tom Ellis ··\d{4}$/)
  })
})

describe('the command menu', () => {
  it('finds payouts and recipients, says when it cannot, and leads to what it found', async () => {
    const { page, open } = await house.member(partner, { expects: [500] })
    await open('/')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.route('**/v1/recipients*', (route) => route.fulfill({ status: 500, json: {} }))
    await openCommands(page)
    await page.getByRole('combobox').fill('callum')
    await page.getByText('The search did not work.').waitFor()
    expect(await page.getByText('Nothing matches.').count()).toBe(0)
    await page.unroute('**/v1/recipients*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('group', { name: 'Payouts' }).getByRole('option').first().waitFor()
    await page
      .getByRole('group', { name: 'Recipients' })
      .getByRole('option', { name: /Callum Reid/ })
      .click()
    await page.getByRole('heading', { name: 'Recipients' }).waitFor()
    expect(new URL(page.url()).searchParams.get('q')).toBe('Callum Reid')
    // One key further on: the rows of any page, once they are there.
    await page
      .getByRole('link', { name: /Callum Reid/ })
      .first()
      .waitFor()
    // The menu gives the focus back while it goes, and there is one row to be on.
    const next = async () => {
      await page.keyboard.press('j')
      return page.evaluate('document.activeElement?.textContent')
    }
    await expect.poll(next).toMatch(/^Callum Reid ··\d{4}$/)
  })
})

describe('Simulate', () => {
  it('returns a payout through the bank, and the money is back', async () => {
    const { page, open } = await house.member(partner)
    await open('/payouts?q=Amara')
    await page.getByRole('link', { name: /Amara Okafor/ }).click()
    await page.getByRole('link', { name: 'Open the page' }).click()
    await page.getByRole('button', { name: 'Simulate' }).click()
    await page.getByRole('menuitem', { name: /Return it/ }).click()
    await page.getByText('The sandbox bank was told. The payout is returned.').waitFor()
    await page.getByText('Returned by the recipient’s bank').waitFor()
    await page.getByText(/USDC back in your wallet/).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Simulate' }).count()).toBe(0)
  })
})

describe('funding', () => {
  it('adds test money, which arrives on the page by itself, and says what could not be read', async () => {
    const { page, open } = await house.member(partner, { expects: [403] })
    await openListening(page, () => open('/funding'))
    await page.getByRole('button', { name: 'Add test money' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add test money' })
    await dialog.getByLabel('Amount in USDC').fill('0.5')
    await dialog.getByText('Enter an amount from 1.00 to').waitFor()
    await dialog.getByLabel('Amount in USDC').fill('1,234.00')
    await dialog.getByRole('button', { name: 'Add test money' }).click()
    await page.getByText('1,234.00 USDC of test money is on its way.').waitFor()
    await page.getByRole('table', { name: 'Deposits' }).getByText('1,234.00 USDC').waitFor()
    expect(await page.getByText('Nothing has arrived yet').count()).toBe(0)
    const runway = page.getByRole('region', { name: 'Runway' })
    const error = { code: 'api_key_required', message: 'Not now.' }
    await page.route('**/v1/balance*', (route) => route.fulfill({ status: 403, json: { error } }))
    // News of the deposit would read everything again by itself, before anybody asks for it.
    await deafen(page)
    await page.reload()
    await runway.getByText('Not now.').waitFor()
    await page.unroute('**/v1/balance*')
    await runway.getByRole('button', { name: 'Try again' }).click()
    await runway.getByText(/^About|^Over a year|^Not known yet/).waitFor()
  })
})

describe('the environments', () => {
  it('are switched in place, are never mixed, and say what is missing', async () => {
    const { page, open } = await house.member(partner, { expects: [404] })
    await open('/payouts')
    await page.getByRole('note', { name: 'Sandbox' }).waitFor()
    await page.getByRole('link', { name: /Amara Okafor/ }).click()
    await page.getByRole('complementary', { name: 'Payout' }).waitFor()
    const id = new URL(page.url()).searchParams.get('open') ?? ''
    await page.getByRole('link', { name: 'Live', exact: true }).click()
    await page.getByText('This installation has no live bank yet').waitFor()
    expect(new URL(page.url()).searchParams.get('environment')).toBe('live')
    expect(await page.getByRole('note', { name: 'Sandbox' }).count()).toBe(0)
    // The switch highlights the environment that is shown.
    const weights = `[...document.querySelectorAll('aside [aria-label=Environment] a')].map((link) => getComputedStyle(link).fontWeight)`
    await expect.poll(() => page.evaluate(weights)).toEqual(['400', '500'])
    await page.getByText('No live payouts yet').waitFor()
    expect(await page.getByRole('complementary', { name: 'Payout' }).count()).toBe(0)
    await open(`/payouts/${id}?environment=live`)
    await page.getByText('There is no such payout here').waitFor()
    await page.getByRole('link', { name: 'Look in sandbox' }).click()
    await page.getByRole('heading', { name: '£120.50 to Amara Okafor' }).waitFor()
    await page.getByRole('link', { name: 'Live', exact: true }).click()
    await page.getByRole('link', { name: 'Recipients' }).click()
    expect(new URL(page.url()).searchParams.get('environment')).toBe('live')
    await page.getByRole('link', { name: 'Sandbox', exact: true }).click()
    await page.getByText('Callum Reid').first().waitFor()
  })
})
