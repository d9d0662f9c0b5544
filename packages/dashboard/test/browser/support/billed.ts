// A business in live with a past: two months that have their invoices, the first of them not paid in time.
import type { Invoice } from '@kestrel/contract'
import { vi } from 'vitest'

import { issueDueInvoices } from '../../../../server/src/domain/billing/issue-invoices.ts'
import { type TestPartner, aPartner, createPayout, get, inLive } from '../../../../server/test/support/fixtures.ts'
import { addDays, londonDay } from '../../../src/format/dates.ts'
import { type Site, aPayee } from './site.ts'

export interface BilledPartner extends TestPartner {
  /** Of last month, issued today. */
  readonly newest: Invoice
  /** Of the month before that. */
  readonly overdue: Invoice
}

export interface PastPayout {
  readonly name: string
  readonly amount: string
  readonly reference: string
}

const LAST_MONTH: readonly PastPayout[] = [
  { name: 'Amara Okafor', amount: '250.00', reference: 'Invoice 1042' },
  { name: 'Tom Ellis', amount: '120.50', reference: 'Kitchen doors' },
  { name: 'Priya Nair', amount: '1475.00', reference: 'Retainer' },
]

/** Made by the service itself, with its clock set back; `more` are further payouts of last month. */
export async function aBilledPartner(site: Site, more: readonly PastPayout[] = []): Promise<BilledPartner> {
  const last = monthBefore(londonDay(new Date()))
  site.clock.set(`${monthBefore(last)}-10T10:00:00Z`)
  const live = await inLive(site, await aPartner(site), '20000.00')
  await pay(site, live, [{ name: 'Hannah Whitfield', amount: '90.00', reference: 'Deposit' }])
  site.clock.set(`${last}-01T06:00:00Z`)
  await issueDueInvoices(site.deps)
  site.clock.set(`${last}-12T10:00:00Z`)
  await pay(site, live, [...LAST_MONTH, ...more])
  site.clock.set(new Date().toISOString())
  await issueDueInvoices(site.deps)
  await pay(site, live, [{ name: 'Callum Reid', amount: '64.20', reference: 'Travel' }])
  const [newest, overdue] = (await get(site, live, '/v1/invoices')).json<{ data: Invoice[] }>().data
  return { ...live, newest: newest!, overdue: overdue! }
}

/** Live checks that sort code and account number can belong together. */
const A_REAL_PAIR = { bank_name: 'Monzo', sort_code: '089999', account_number: '66374958' }

const monthBefore = (month: string) => addDays(`${month.slice(0, 7)}-01`, -1).slice(0, 7)

async function pay(site: Site, live: TestPartner, payouts: readonly PastPayout[]): Promise<void> {
  for (const { name, amount, reference } of payouts) {
    const [first_name = '', last_name = ''] = name.split(' ')
    const recipient = { ...aPayee({ first_name, last_name }), bank: A_REAL_PAIR }
    const reply = await createPayout(site, live, { amount_gbp: amount, reference, recipient })
    if (reply.statusCode !== 201) throw new Error(reply.body)
  }
  site.clock.advance(5_000)
  await vi.waitFor(
    async () => {
      await site.follow()
      const { data } = (await get(site, live, '/v1/payouts?status=pending,processing')).json<{ data: unknown[] }>()
      if (data.length > 0) throw new Error(`${data.length} payouts are still under way.`)
    },
    { timeout: 30_000, interval: 200 },
  )
}
