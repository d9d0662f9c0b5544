// Every request that the adapter makes, held against what the bank is known to understand. The bundled bank could be kinder
// than the real one; this list is not.
import { EXCESS_WALLET_ID } from '@kestrel/bank'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { microUsdc } from '../../src/core/money.ts'
import { moveByOperator } from '../../src/domain/banking/operator/move-by-operator.ts'
import { connectWallets } from '../../src/domain/banking/sandbox/connect-wallets.ts'
import { topUpPayout } from '../../src/domain/banking/operator/top-up-payout.ts'
import { noteExcessMovement } from '../../src/domain/banking/operator/excess-funds.ts'
import { registerWebhook } from '../../src/domain/banking/feeds/register-webhook.ts'
import { reconcileBank } from '../../src/domain/banking/reconcile/reconcile-bank.ts'
import { checkRefunds } from '../../src/domain/banking/refunds/check-refunds.ts'
import { followVerifications } from '../../src/domain/banking/verification/verification.ts'
import { findPartnerBySlug } from '../../src/storage/partners.ts'
import { followPayouts } from '../../src/domain/payouts/follow/follow-payouts.ts'
import { type BankApp, startBankApp } from '../support/bank-app.ts'
import { DESCRIPTION, describedAs, notUnderstood } from '../support/bank-description.ts'
import { type TestPartner, aRecipient, createPayout } from '../support/fixtures.ts'
import { type LyingBank, startLyingBank } from '../support/lying-bank.ts'

const HOUR_MS = 60 * 60_000

let test: BankApp
let lying: LyingBank
let partner: TestPartner
beforeAll(async () => {
  test = await startBankApp({
    isLive: true,
    through: async (bank) => {
      lying = await startLyingBank(bank.provider)
      return lying.provider
    },
  })
  await test.bank.standStill()
  partner = await test.aConnectedPartner()
})
afterAll(async () => {
  await test.close()
  await lying.close()
})

const post = (url: string) => test.request({ method: 'POST', url, headers: { authorization: `Bearer ${partner.key}` } })
async function aPayout(body: Parameters<typeof createPayout>[2] = {}): Promise<{ id: string; ref: string }> {
  const { id } = (await createPayout(test, partner, body)).json<{ id: string }>()
  const ref = (await test.bank.books()).transfers.find((each) => each.client_reference_id === id)?.id
  return { id, ref: ref ?? '' }
}
const fault = (route: string, mode: string) => test.bank.control('POST', '/faults', { route, mode })
const step = (ref: string, name: string) => test.bank.control('POST', `/transfers/${ref}/${name}`)

/** Payouts to all of their ends, each in the way that asks the bank for something else. */
async function payouts(): Promise<void> {
  const settled = await aPayout({ reference: 'Invoice 1' })
  await step(settled.ref, 'settle')
  const company = { type: 'business', company_name: 'Thistle & Sons Ltd', first_name: undefined, last_name: undefined }
  await aPayout({ recipient: { ...aRecipient({ account_number: '12345674' }), ...company } })
  const stopped = await aPayout()
  expect((await post(`/v1/payouts/${stopped.id}/cancel`)).statusCode).toBe(200)
  const returned = await aPayout()
  for (const name of ['settle', 'return', 'refund']) await step(returned.ref, name)
  await fault('POST /v0/transfers', '500_after')
  await aPayout()
  await test.pass(61_000)
  await test.moveClocks(HOUR_MS)
  await followPayouts(test.deps)
  await checkRefunds(test.deps, 'sandbox')
}

/** An account that the bank has under another name: named by the bank, or looked for in its list. */
async function knownRecipients(): Promise<void> {
  for (const isNamed of [true, false]) {
    await test.bank.control('POST', '/readings', { duplicates_say_their_id: isNamed })
    const recipient = { ...aRecipient(), first_name: isNamed ? 'Bea' : 'Cleo' }
    expect((await createPayout(test, partner, { recipient })).statusCode).toBe(422)
  }
  await test.bank.control('DELETE', '/readings')
}

/** A sandbox with money of its own, at a bank that makes things and says that it did not. */
async function connectAtContraryBank(): Promise<void> {
  const other = await test.anUnconnectedPartner()
  const scope = { partnerId: other.id, environment: 'sandbox' as const }
  const amount = microUsdc(5_000_000n)
  await moveByOperator(test.deps, scope, { kind: 'credit', reference: 'more', amount, reason: 'more test money' })
  const made = new Set<string>()
  lying.refuse(({ method, path }) => {
    const what = path.split('/').at(-1)!
    if (method !== 'POST' || !['customers', 'liquidation_addresses'].includes(what) || made.has(what)) return null
    made.add(what)
    return { status: 400, key: 'email', isAfter: true }
  })
  await connectWallets(test.deps, 'sandbox').catch(() => 0)
  lying.refuse(null)
  await test.moveClocks(HOUR_MS)
  await connectWallets(test.deps, 'sandbox')
}

async function underfunded(): Promise<void> {
  await test.bank.control('POST', `/wallets/${EXCESS_WALLET_ID}/adjust`, { amount_micro: '5000000', reason: 'x' })
  await noteExcessMovement(test.deps, 'sandbox', { amount: 5_000_000n, reference: 'funded', reason: 'for top-ups' })
  const { id, ref } = await aPayout()
  await test.bank.control('POST', '/rate', { rate: '0.75' })
  await step(ref, 'submit')
  await test.pass(1_000)
  await topUpPayout(test.deps, id)
  await test.bank.control('POST', '/rate', { rate: '0.79' })
}

async function live(): Promise<void> {
  await post('/v1/compliance/verification')
  const { verificationRef } = (await findPartnerBySlug(test.deps.db, partner.slug))!
  await test.bank.control('POST', `/kyc_links/${verificationRef}/approve`, { endorsements: ['base'] })
  const asked = { endorsement: 'faster_payments', missing: ['tax_id'] }
  await test.bank.control('POST', `/kyc_links/${verificationRef}/ask`, asked)
  await followVerifications(test.deps)
  await connectWallets(test.deps, 'live')
}

it('asks for nothing that the bank is not known to understand, in any of its flows', async () => {
  const url = await test.listen()
  // Moved elsewhere: the bank is told of the new address, and no longer of the old one.
  await registerWebhook(test.deps, 'sandbox', url.replace('127.0.0.1', 'localhost'))
  await payouts()
  await knownRecipients()
  await connectAtContraryBank()
  await underfunded()
  await live()
  await test.pass(10_000)
  await reconcileBank(test.deps, 'sandbox')
  const [first] = lying.wire
  expect(notUnderstood({ ...first!, path: '/prices' })).toEqual([expect.stringContaining('is not described')])
  expect([...new Set(lying.wire.flatMap(notUnderstood))]).toEqual([])
  const seen = new Set(lying.wire.map(describedAs))
  expect(Object.keys(DESCRIPTION).filter((name) => !seen.has(name))).toEqual([])
})
