// A bank that is not the provider, under a name of its own: the recipe "to add a bank", followed.
import type { Environment, PayoutTimeline } from '@kestrel/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { railFindings } from '../../src/cli/database-findings.ts'
import { parseUsdc } from '../../src/core/money.ts'
import { handleBankEvents } from '../../src/domain/banking/feeds/bank-events.ts'
import { sweepDeposits } from '../../src/domain/banking/feeds/credit-deposits.ts'
import { registerWebhook } from '../../src/domain/banking/feeds/register-webhook.ts'
import { sweepTransfers } from '../../src/domain/banking/feeds/sweep-transfers.ts'
import { moveByOperator } from '../../src/domain/banking/operator/move-by-operator.ts'
import { reconcile } from '../../src/domain/banking/reconcile/reconcile.ts'
import { connectWallets } from '../../src/domain/banking/sandbox/connect-wallets.ts'
import { vouchForPartner } from '../../src/domain/banking/verification/vouch-for-partner.ts'
import { createKey } from '../../src/domain/api-keys/create-key.ts'
import { followPayouts } from '../../src/domain/payouts/follow/follow-payouts.ts'
import { RailUnavailable } from '../../src/rail/port.ts'
import { railNamed } from '../../src/rail/which-rail.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, createPayout, get, post, sql } from '../support/fixtures.ts'
import { type PaperBank, openPaperBank } from './paper-bank.ts'

/** Long enough for a payout to be stopped before, on whatever machine. */
const DELIVERED_AFTER_MS = 10 * 60_000

let test: TestApp
let paper: Record<Environment, PaperBank>
/** One partner, by sandbox key and by live key. */
let partner: Record<Environment, TestPartner>

beforeAll(async () => {
  const now = () => test.clock.now()
  paper = {
    sandbox: openPaperBank('paper_sandbox', now, DELIVERED_AFTER_MS),
    live: openPaperBank('paper_production', now, DELIVERED_AFTER_MS),
  }
  test = await startTestApp({ otherBanks: paper })
  const sandbox = await aPartner(test)
  const verified = await vouchForPartner(test.deps, sandbox.slug, null)
  const { secret, id } = await createKey(test.deps, { partner: verified, environment: 'live', label: null })
  partner = { sandbox, live: { ...sandbox, key: secret, keyId: id, environment: 'live' } }
})
afterAll(() => test.close())

const balance = async (of: TestPartner) => (await get(test, of, '/v1/balance')).json().usdc
const status = async (of: TestPartner, id: string) => (await get(test, of, `/v1/payouts/${id}`)).json().status
const timeline = async (of: TestPartner, id: string) =>
  (await get(test, of, `/v1/payouts/${id}/timeline`)).json<PayoutTimeline>()
const railsIn = async (table: 'wallets' | 'payouts') =>
  (await sql<{ rail: string }>(test, `select distinct rail from ${table} order by rail`)).map(({ rail }) => rail)

async function completed(of: TestPartner): Promise<string> {
  const { id, status: first } = (await createPayout(test, of)).json()
  expect(first).toBe('processing')
  test.clock.advance(DELIVERED_AFTER_MS)
  await sweepTransfers(test.deps, of.environment)
  expect(await status(of, id)).toBe('completed')
  return id
}

describe('another bank', () => {
  it('takes a sandbox over, with its money, under its own name in the database and the API’s word outside', async () => {
    const before = await balance(partner.sandbox)
    expect(await connectWallets(test.deps, 'sandbox')).toBe(1)
    expect((await get(test, partner.sandbox, '/v1/account')).json().rail).toBe('provider_sandbox')
    expect(await balance(partner.sandbox)).toBe(before)
    expect(await railsIn('wallets')).toEqual(['paper_production', 'paper_sandbox'])
  })

  it('opens live once it has verified the business, and credits what arrives', async () => {
    expect(await connectWallets(test.deps, 'live')).toBe(1)
    expect((await get(test, partner.live, '/v1/account')).json().rail).toBe('provider_production')
    const [wallet] = await sql<{ holder: string }>(test, `select customer_ref as holder from wallets where rail = $1`, [
      'paper_production',
    ])
    paper.live.payIn(wallet!.holder, parseUsdc('500.00')!)
    await sweepDeposits(test.deps, 'live')
    expect(await balance(partner.live)).toBe('500.00')
  })

  it.each(['sandbox', 'live'] as const)('pays a payout in %s, which its list alone completes', async (environment) => {
    await completed(partner[environment])
    expect(paper[environment].slips.size).toBe(1)
    expect(await railsIn('payouts')).toContain(environment === 'live' ? 'paper_production' : 'paper_sandbox')
  })

  it.each(['sandbox', 'live'] as const)('sends a payout of %s back, with its money', async (environment) => {
    const own = partner[environment]
    const before = await balance(own)
    const id = await completed(own)
    expect(await balance(own)).not.toBe(before)
    paper[environment].sendBack(`slip-${paper[environment].slips.size}`)
    test.clock.advance(1_000)
    await sweepTransfers(test.deps, environment)
    expect(await status(own, id)).toBe('returned')
    expect(await balance(own)).toBe(before)
  })

  it('stops a payout while its own word for the state says that it may be stopped', async () => {
    const own = partner.sandbox
    const before = await balance(own)
    const { id } = (await createPayout(test, own)).json()
    expect(await balance(own)).not.toBe(before)
    expect(await timeline(own, id)).toMatchObject({ is_cancellable: true })
    expect((await post(test, own, `/v1/payouts/${id}/cancel`, {})).json()).toMatchObject({ status: 'cancelled' })
    expect(await timeline(own, id)).toMatchObject({ is_cancellable: false })
    expect(await balance(own)).toBe(before)
  })

  it('gets the operator’s credits, and each of them once', async () => {
    const credit = { kind: 'credit', amount: parseUsdc('25.00')!, reference: 'gift-1', reason: 'A test.' } as const
    const scope = { partnerId: partner.sandbox.id, environment: 'sandbox' } as const
    const { balance: after } = await moveByOperator(test.deps, scope, credit)
    expect(await moveByOperator(test.deps, scope, credit)).toEqual({ balance: after, isRepeated: true })
  })

  it('is asked for no messages, as it sends none', async () => {
    await registerWebhook(test.deps, 'sandbox', 'https://pay.example')
    expect(await handleBankEvents(test.deps)).toBe(0)
    const reply = await test.request({ method: 'POST', url: '/v1/bank/webhooks/sandbox', payload: {} })
    expect(reply.statusCode).toBe(401)
  })

  it('has the same books as we have', async () => {
    test.clock.advance(60_000)
    expect(await reconcile(test.deps)).toEqual([])
  })

  it('is missed without harm by a process that does not have it: nothing is sent, and nothing is taken for proved', async () => {
    const other = await startTestApp({ database: test.database, banks: { sandbox: null, live: null } })
    const before = await balance(partner.sandbox)
    const reply = await createPayout(other, partner.sandbox)
    expect([reply.statusCode, reply.json().error.code]).toEqual([502, 'payout_not_created'])
    const { id } = (await createPayout(test, partner.sandbox)).json()
    test.clock.advance(DELIVERED_AFTER_MS)
    other.clock.advance(test.clock.now().getTime() - other.clock.now().getTime())
    await followPayouts(other.deps)
    await sweepTransfers(other.deps, 'sandbox')
    expect(await status(partner.sandbox, id)).toBe('processing')
    await sweepTransfers(test.deps, 'sandbox')
    expect(await status(partner.sandbox, id)).toBe('completed')
    expect(Number(await balance(partner.sandbox))).toBeLessThan(Number(before))
    expect(await railFindings(test.deps)).toEqual([])
    expect((await railFindings(other.deps)).map(({ detail }) => detail)).toEqual([
      expect.stringMatching(
        /^1 sandbox wallet at the bank of paper_sandbox, and the environment’s is provider_sandbox: /,
      ),
      expect.stringMatching(/^1 live wallet at the bank of paper_production, /),
    ])
    const missing = railNamed(other.deps, 'paper_sandbox')
    await expect(missing.findTransfers({ account: null, clientReference: id } as never)).rejects.toThrow(
      RailUnavailable,
    )
    await other.app.close()
    await other.owner.close()
    await other.service.close()
  })
})

describe('the rails in the database', () => {
  const OTHER = '23503'
  const wallet = (rail: string, environment: Environment) =>
    sql(test, `update wallets set rail = $1 where partner_id = $2 and environment = $3`, [
      rail,
      partner.sandbox.id,
      environment,
    ])

  it('belong to one environment: test money and real money never share one', async () => {
    await expect(wallet('paper_production', 'sandbox')).rejects.toMatchObject({ code: OTHER })
    await expect(wallet('paper_sandbox', 'live')).rejects.toMatchObject({ code: OTHER })
    await expect(wallet('simulated', 'live')).rejects.toMatchObject({ code: OTHER })
    const payouts = (rail: string) => sql(test, `update payouts set rail = $1 where environment = 'live'`, [rail])
    await expect(payouts('paper_sandbox')).rejects.toMatchObject({ code: OTHER })
    await expect(payouts('no_such_rail')).rejects.toMatchObject({ code: OTHER })
  })

  it('are kept as they are', async () => {
    for (const text of [`update rails set environment = 'live'`, 'delete from rails', 'truncate rails cascade']) {
      await expect(sql(test, text)).rejects.toThrow(/rails is append-only/)
    }
  })

  it('have an open wallet at their bank, in a sandbox that is not simulated', async () => {
    const fresh = await aPartner(test)
    const moved = sql(
      test,
      `update wallets set rail = 'paper_sandbox' where partner_id = $1 and environment = 'sandbox'`,
      [fresh.id],
    )
    await expect(moved).rejects.toThrow(/wallets_at_bank_check/)
  })
})
