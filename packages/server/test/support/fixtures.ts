// Valid by default; a test overrides what it is about.
import type { Environment } from '@kestrel/contract'
import type { LightMyRequestResponse } from 'fastify'

import { parseUsdc } from '../../src/core/money.ts'
import { type CreatedKey, createKey } from '../../src/domain/api-keys/create-key.ts'
import { verifyPartner } from './verified.ts'
import { isImpossibleAccount } from '../../src/domain/payouts/request/impossible-account.ts'
import { createPartner } from '../../src/domain/partners/create-partner.ts'
import { creditWallet } from '../../src/domain/wallet/credit-wallet.ts'
import { postEntries, lockWallet, readAvailable } from '../../src/storage/ledger.ts'
import { newId } from '../../src/core/ids.ts'
import type { MicroUsdc } from '../../src/core/money.ts'
import { connectWallets } from '../../src/domain/banking/sandbox/connect-wallets.ts'
import { findWallet } from '../../src/storage/wallets.ts'
import type { Scope } from '../../src/core/scope.ts'
import { parseRate } from '../../src/core/rate.ts'
import type { PayoutRail } from '../../src/rail/port.ts'
import type { TransferRequest, TransferSnapshot } from '../../src/rail/transfer.ts'
import { providerTraits } from '../../src/rail/provider/provider-rail.ts'
import { unconnectedRail } from '../../src/rail/unconnected-rail.ts'
import { statement } from '../../src/storage/sql.ts'
import type { TestApp } from './app.ts'
import type { TestBank } from './bank.ts'
import { CANARY } from './canaries.ts'

let made = 0

export interface TestPartner {
  readonly id: string
  readonly slug: string
  readonly key: string
  readonly keyId: string
  readonly environment: Environment
}

/** A partner with a sandbox key and, unless told otherwise, the float of 10,000.00 USDC. */
export async function aPartner(
  test: TestApp,
  options: { usdc?: string; slug?: string; email?: string } = {},
): Promise<TestPartner> {
  const slug = options.slug ?? `partner-${process.pid}-${made++}`
  const { partner, sandboxKey } = await createPartner(test.deps, {
    name: 'Thistle Market',
    slug,
    adminEmail: options.email ?? 'finance@thistle.test',
  })
  const result = { id: partner.id, slug, key: sandboxKey.secret, keyId: sandboxKey.id, environment: 'sandbox' as const }
  if (test.bank !== null) await connectWallets(test.deps, 'sandbox')
  if (options.usdc !== undefined) await setBalance(test, result, options.usdc)
  return result
}

/** The same partner seen through a live key, with a wallet that holds this much. */
export async function inLive(test: TestApp, partner: TestPartner, usdc = '0.00'): Promise<TestPartner> {
  const verified = await verifyPartner(test.deps, partner.slug)
  const key: CreatedKey = await createKey(test.deps, { partner: verified, environment: 'live', label: null })
  const live = { ...partner, key: key.secret, keyId: key.id, environment: 'live' as const }
  await knownToLiveBank(test, partner)
  if (usdc !== '0.00') {
    const scope = { partnerId: partner.id, environment: 'live' as const }
    await creditWallet(test.deps, scope, { amount: parseUsdc(usdc)!, reason: 'test' })
  }
  return live
}

/** Funds the wallet by a ledger entry, so that the books of a test balance too. */
export async function setBalance(test: TestApp, partner: TestPartner, usdc: string): Promise<void> {
  const scope = { partnerId: partner.id, environment: partner.environment }
  const wanted = parseUsdc(usdc)!
  await test.deps.db.inTransaction(async (tx) => {
    const change = wanted - (await lockWallet(tx, scope))
    if (test.bank !== null && partner.environment === 'sandbox') await adjustAtBank(test, test.bank, scope, change)
    const [from, to] = change > 0n ? (['external', 'available'] as const) : (['available', 'external'] as const)
    const amount = (change > 0n ? change : -change) as MicroUsdc
    if (amount > 0n)
      postEntries(
        tx,
        scope,
        [{ cause: newId(test.clock.now()), kind: 'credit', seq: 1, from, to, amount }],
        test.clock.now(),
      )
  })
}

/** What the wallet can spend, in micro-USDC. */
export function balanceOf(test: TestApp, partner: TestPartner): Promise<MicroUsdc> {
  return readAvailable(test.deps.db, { partnerId: partner.id, environment: partner.environment })
}

export interface PayoutBody {
  amount_gbp?: unknown
  country?: unknown
  reference?: unknown
  recipient?: unknown
  confirm_code?: unknown
  [name: string]: unknown
}

/**
 * Each name has an account of its own, because the bank keeps an account under one name. The last four digits stay, and
 * live takes it too.
 */
export function accountOf(name: string, like: { sort_code: string; account_number: string }): string {
  if (name === '') return like.account_number
  let first = 1_000 + [...name].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 8_000, 7)
  const account = () => `${first}${like.account_number.slice(-4)}`
  while (isImpossibleAccount({ sort_code: like.sort_code, account_number: account() })) first += 1
  return account()
}

/** A recipient made of canaries: if any of it ever reaches a log, the suite fails. */
export function aRecipient(overrides: { account_number?: string; first_name?: string } = {}) {
  return {
    first_name: overrides.first_name ?? CANARY.firstName,
    last_name: CANARY.lastName,
    email: CANARY.email,
    address: { line1: CANARY.line1, city: 'Leeds', postal_code: CANARY.postalCode },
    bank: {
      bank_name: 'Monzo',
      sort_code: CANARY.sortCode,
      account_number:
        overrides.account_number ??
        accountOf(overrides.first_name ?? '', { sort_code: CANARY.sortCode, account_number: CANARY.accountNumber }),
    },
  }
}

export function aPayoutBody(overrides: PayoutBody = {}): PayoutBody {
  return { amount_gbp: '25.00', reference: 'Invoice 1042', recipient: aRecipient(), ...overrides }
}

export function anIdempotencyKey(): string {
  return `order-${process.pid}-${made++}`
}

export function createPayout(
  test: TestApp,
  partner: Pick<TestPartner, 'key'>,
  body: PayoutBody = {},
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> {
  return test.request({
    method: 'POST',
    url: '/v1/payouts',
    headers: { authorization: `Bearer ${partner.key}`, 'idempotency-key': anIdempotencyKey(), ...headers },
    payload: aPayoutBody(body),
  })
}

export function get(test: TestApp, partner: Pick<TestPartner, 'key'>, url: string): Promise<LightMyRequestResponse> {
  return test.request({ method: 'GET', url, headers: { authorization: `Bearer ${partner.key}` } })
}

/** Credits the bank's wallet with what the ledger was given; otherwise the bank could not pay. */
async function adjustAtBank(test: TestApp, bank: TestBank, scope: Scope, change: bigint): Promise<void> {
  const wallet = await findWallet(test.deps.db, scope)
  const path = `/wallets/${wallet!.walletRef!}/adjust`
  if (change !== 0n) await bank.control('POST', path, { amount_micro: change.toString(), reason: 'test' })
}

/** A body as it is: an object, or a text or bytes that are sent untouched and declared as JSON. */
export function post(
  test: TestApp,
  partner: Pick<TestPartner, 'key'>,
  url: string,
  payload: object | string | Buffer,
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> {
  return test.request({
    method: 'POST',
    url,
    headers: { authorization: `Bearer ${partner.key}`, 'content-type': 'application/json', ...headers },
    payload,
  })
}

/** A bank that accepts everything and has settled it when it is next asked. It keeps what it was asked for. */
export function anObligingRail(): PayoutRail & { readonly requests: TransferRequest[] } {
  const requests: TransferRequest[] = []
  const transfer = (transferRef: string, state: TransferSnapshot['state']): TransferSnapshot => ({
    transferRef,
    state,
    refund: 'none',
    reason: null,
    bankState: state,
    nextChangeAt: null,
  })
  return {
    ...unconnectedRail,
    registerRecipient: () => Promise.resolve({ kind: 'registered', recipientRef: 'known' }),
    ...providerTraits('provider_production'),
    requests,
    submit: (request) => {
      requests.push(request)
      return Promise.resolve({ kind: 'accepted', transfer: transfer(`live_${request.clientReference}`, 'submitted') })
    },
    readTransfers: (refs) => Promise.resolve(new Map(refs.map((ref) => [ref, transfer(ref, 'settled')]))),
    // Not the sandbox's, so that one environment cannot pass for the other.
    readRate: () => Promise.resolve({ rate: parseRate('0.80')!, validForMs: 30_000 }),
  }
}

/** A look or a change behind the service's back, for what no request can bring about. */
export function sql<Row>(test: TestApp, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  return test.owner.query<Row>(statement('', text), values)
}

/** As if the live wallet had been opened at a bank; a test that has a real one connects it there instead. */
async function knownToLiveBank(test: TestApp, partner: TestPartner): Promise<void> {
  if (test.deps.banks.live !== null) return
  await sql(
    test,
    `update wallets set customer_ref = 'customer-' || partner_id, wallet_ref = 'wallet-' || partner_id
      where partner_id = $1 and environment = 'live' and wallet_ref is null`,
    [partner.id],
  )
}

/** In SQL: it is time to look at payout $1, also where it is at rest. */
export const FOLLOWED_NOW = `insert into payout_follow_ups (partner_id, environment, payout_id, created_at, next_check_at)
  select partner_id, environment, id, created_at, now() - interval '1 minute' from payouts where id = $1
  on conflict (partner_id, environment, payout_id) do update set next_check_at = excluded.next_check_at`
