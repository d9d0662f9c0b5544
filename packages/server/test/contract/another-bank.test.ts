// A bank that is not the provider, in the provider's place: the recipe "to add a bank", followed.
import type { PayoutTimeline } from '@kestrel/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { parseUsdc } from '../../src/core/money.ts'
import { sweepTransfers } from '../../src/domain/banking/feeds/sweep-transfers.ts'
import { handleBankEvents } from '../../src/domain/banking/feeds/bank-events.ts'
import { registerWebhook } from '../../src/domain/banking/feeds/register-webhook.ts'
import { moveByOperator } from '../../src/domain/banking/operator/move-by-operator.ts'
import { reconcile } from '../../src/domain/banking/reconcile/reconcile.ts'
import { connectWallets } from '../../src/domain/banking/sandbox/connect-wallets.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, createPayout, get, post } from '../support/fixtures.ts'
import { type PaperBank, openPaperBank } from './paper-bank.ts'

let test: TestApp
let paper: PaperBank
let partner: TestPartner

beforeAll(async () => {
  // Named by its options, so that it is not run through the bank of the suite.
  test = await startTestApp({ banks: { sandbox: null, live: null } })
  paper = openPaperBank('provider_sandbox', () => test.clock.now())
  Object.assign(test.deps.rails, { provider_sandbox: paper.rail })
  Object.assign(test.deps.banks, { sandbox: paper.bank })
  partner = await aPartner(test)
})
afterAll(() => test.close())

const scope = () => ({ partnerId: partner.id, environment: 'sandbox' }) as const
const balance = async () => (await get(test, partner, '/v1/balance')).json().usdc
const status = async (id: string) => (await get(test, partner, `/v1/payouts/${id}`)).json().status
const timeline = async (id: string) => (await get(test, partner, `/v1/payouts/${id}/timeline`)).json<PayoutTimeline>()

describe('another bank in the place of the sandbox’s', () => {
  it('takes a sandbox over, with its money', async () => {
    const before = await balance()
    expect(await connectWallets(test.deps, 'sandbox')).toBe(1)
    expect((await get(test, partner, '/v1/account')).json().rail).toBe('provider_sandbox')
    expect(await balance()).toBe(before)
  })

  it('pays a payout, which its list alone completes', async () => {
    const { id, status: first } = (await createPayout(test, partner)).json()
    expect(first).toBe('processing')
    test.clock.advance(2_000)
    await sweepTransfers(test.deps, 'sandbox')
    expect(await status(id)).toBe('completed')
    expect(paper.slips.size).toBe(1)
  })

  it('stops a payout while its own word for the state says that it may be stopped', async () => {
    const before = await balance()
    const { id } = (await createPayout(test, partner)).json()
    expect(await balance()).not.toBe(before)
    expect(await timeline(id)).toMatchObject({ is_cancellable: true })
    expect((await post(test, partner, `/v1/payouts/${id}/cancel`, {})).json()).toMatchObject({ status: 'cancelled' })
    expect(await timeline(id)).toMatchObject({ is_cancellable: false })
    expect(await balance()).toBe(before)
  })

  it('gets the operator’s credits, and each of them once', async () => {
    const credit = { kind: 'credit', amount: parseUsdc('25.00')!, reference: 'gift-1', reason: 'A test.' } as const
    const { balance: after } = await moveByOperator(test.deps, scope(), credit)
    expect(await moveByOperator(test.deps, scope(), credit)).toEqual({ balance: after, isRepeated: true })
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
})
