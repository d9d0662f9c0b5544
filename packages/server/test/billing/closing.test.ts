// A business is closed for good: nothing of its money is on its way then, and what comes later is told and billed.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { auditInvoices } from '../../src/domain/billing/audit-invoices.ts'
import { issueDueInvoices } from '../../src/domain/billing/issue-invoices.ts'
import { changePartnerStatus, closePartner } from '../../src/domain/partners/change-partner.ts'
import type { Instance } from '../races/instances.ts'
import type { TestApp } from '../support/app.ts'
import { type TestPartner, aPartner, balanceOf, inLive, setBalance, sql } from '../support/fixtures.ts'
import { type BillingHouse, type LiveBank, chargesOf, paid, startBilling } from './live-bank.ts'

let test: TestApp
let second: Instance
let bank: LiveBank
let close: BillingHouse['close']
beforeAll(async () => {
  ;({ test, second, bank, close } = await startBilling())
})
afterAll(() => close())
beforeEach(() => {
  test.clock.set('2026-06-10T12:00:00Z')
  bank.says = { state: 'settled' }
})

const aLivePartner = async () => inLive(test, await aPartner(test), '5000.00')
const emptied = (live: TestPartner) => setBalance(test, live, '0.00')
const stateOf = async ({ id }: TestPartner) =>
  (
    await sql<{ status: string; closedAt: Date | null }>(
      test,
      `select status, closed_at as "closedAt" from partners where id = $1`,
      [id],
    )
  )[0]!
const look = async () => {
  test.clock.advance(400_000)
  await test.follow()
}

describe('closing a business', () => {
  it('is refused while money of a returned payout is on its way back', async () => {
    const live = await aLivePartner()
    await paid(test, live)
    await emptied(live)
    bank.says = { state: 'returned', refund: 'in_flight' }
    await look()
    expect(await balanceOf(test, live)).toBe(0n)
    await expect(closePartner(test.deps, live.slug)).rejects.toThrow('on its way')
    expect((await stateOf(live)).status).toBe('active')
    bank.says = { state: 'returned', refund: 'done' }
    await look()
    await emptied(live)
    await closePartner(test.deps, live.slug)
    expect((await stateOf(live)).status).toBe('closed')
  })

  it('is for good, whatever else is asked for at the same moment', async () => {
    for (let round = 0; round < 8; round++) {
      const live = await inLive(test, await aPartner(test))
      const asked = [
        closePartner(test.deps, live.slug),
        changePartnerStatus(second.deps, live.slug, 'suspended'),
        changePartnerStatus(test.deps, live.slug, 'active'),
        closePartner(second.deps, live.slug),
      ]
      const done = await Promise.allSettled(asked)
      expect([done[0]!.status, done[3]!.status]).toEqual(['fulfilled', 'fulfilled'])
      const refused = done.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))
      for (const why of refused) expect(why).toContain('is closed for good. Nothing was changed.')
      const told = await sql(test, `select 1 from activity where partner_id = $1 and action = 'partner.close'`, [
        live.id,
      ])
      expect(told).toHaveLength(1)
      expect(await stateOf(live)).toEqual({ status: 'closed', closedAt: test.clock.now() })
    }
  })

  it('bills a return that comes months later, and nothing else of those months', async () => {
    const live = await aLivePartner()
    const id = await paid(test, live)
    await emptied(live)
    await closePartner(test.deps, live.slug)
    test.clock.set('2026-08-20T12:00:00Z')
    bank.says = { state: 'returned', refund: 'done' }
    await look()
    expect((await chargesOf(test, live)).at(-1)).toMatchObject({ cause: id, kind: 'bank_exceptions', month: '2026-08' })
    test.clock.set('2026-09-01T06:00:00Z')
    await issueDueInvoices(test.deps)
    const invoices = await sql(
      test,
      `select to_char(month, 'YYYY-MM') as month, total_pence::int as total from invoices where partner_id = $1 order by month`,
      [live.id],
    )
    expect(invoices).toEqual([
      { month: '2026-06', total: expect.any(Number) },
      { month: '2026-08', total: 300 },
    ])
    expect((await auditInvoices(test.deps)).breaks).toEqual([])
  })
})
