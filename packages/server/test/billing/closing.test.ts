// A business is closed for good: nothing of its money is on its way then, and what comes later is told and billed.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { auditInvoices } from '../../src/domain/billing/audit-invoices.ts'
import { issueDueInvoices } from '../../src/domain/billing/issue-invoices.ts'
import { microUsdc } from '../../src/core/money.ts'
import { changePartnerStatus, closePartner } from '../../src/domain/partners/change-partner.ts'
import { recordNews } from '../../src/domain/payouts/record/record-news.ts'
import { creditWallet } from '../../src/domain/wallet/credit-wallet.ts'
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
const closings = ({ id }: TestPartner) =>
  sql(test, `select 1 from activity where partner_id = $1 and action = 'partner.close'`, [id])

/** What is in each live account, and how many entries the business has. */
async function booksOf({ id }: TestPartner): Promise<{ accounts: Record<string, bigint>; entries: number }> {
  const accounts = await sql<{ account: string; balance: bigint }>(
    test,
    `select account, balance from ledger_accounts where partner_id = $1 and environment = 'live'`,
    [id],
  )
  const [counted] = await sql<{ entries: number }>(
    test,
    'select count(*)::int as entries from ledger_entries where partner_id = $1',
    [id],
  )
  return { accounts: Object.fromEntries(accounts.map(({ account, balance }) => [account, balance])), ...counted! }
}

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

  it('is refused while the wallet owes what the bank took beyond it, and moves nothing', async () => {
    const live = await aLivePartner()
    const id = await paid(test, live)
    await emptied(live)
    const scope = { partnerId: live.id, environment: 'live' as const }
    const listed = (await bank.readListed(`live_${id}`))!
    const transfer = { ...listed, send: microUsdc(listed.send! + 5_000_000n), updatedAt: test.clock.now() }
    await recordNews(test.deps, scope, [{ payoutId: id, transfer }])
    const before = await booksOf(live)
    expect(before.accounts).toMatchObject({ available: 0n, held: 0n, in_transit: 0n, suspense: -5_000_000n })
    await expect(closePartner(test.deps, live.slug)).rejects.toThrow(
      `The bank has taken 5.00 USDC from ${live.slug} beyond what its live wallet had. Settle that first, with kestrel wallet credit. Nothing was changed.`,
    )
    expect(await booksOf(live)).toEqual(before)
    expect(await stateOf(live)).toEqual({ status: 'active', closedAt: null })
    expect(await closings(live)).toEqual([])
    // Less than what is owed is not enough.
    await creditWallet(test.deps, scope, { amount: microUsdc(4_999_999n), reason: 'settled in part' })
    await expect(closePartner(test.deps, live.slug)).rejects.toThrow('has taken 0.000001 USDC')
    await creditWallet(test.deps, scope, { amount: microUsdc(1n), reason: 'settled' })
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
      expect(await closings(live)).toHaveLength(1)
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
