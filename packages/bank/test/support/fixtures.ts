// Valid by default; a test overrides what it is about.
import { expect } from 'vitest'

import { type Json, type Question, type Reply, ask, control } from './ask.ts'

type Bank = { readonly url: string }

/** Values that must never reach a log. */
export const CANARY = {
  firstName: 'Zephyrine',
  lastName: 'Quillfeather',
  sortCode: '112233',
  accountNumber: '98765432',
}

let made = 0

export interface Party {
  readonly customerId: string
  readonly walletId: string
}

export const anEmail = (): string => `party-${process.pid}-${made++}@thistle.test`

/** A customer that nobody has approved yet; its id. */
export async function aNewCustomer(bank: Bank, extra: object = {}): Promise<string> {
  const customer = await ask(bank, '/v0/customers', {
    body: {
      type: 'business',
      business_legal_name: 'Thistle Market Ltd',
      email: anEmail(),
      endorsements: ['base', 'faster_payments'],
      ...extra,
    },
  })
  expect(customer.status).toBe(201)
  return customer.json.id
}

/** A customer that is approved for pounds; its id. */
export async function anApprovedCustomer(bank: Bank, extra: object = {}): Promise<string> {
  const id = await aNewCustomer(bank, extra)
  expect((await ask(bank, `/v0/customers/${id}/simulate_kyc_approval`, { method: 'POST' })).status).toBe(200)
  return id
}

/** An approved customer with a first wallet: 10,000.00 USDC. */
export async function aParty(bank: Bank): Promise<Party> {
  const customerId = await anApprovedCustomer(bank)
  const wallet = await ask(bank, `/v0/customers/${customerId}/wallets`, { body: { chain: 'base' } })
  expect(wallet.status).toBe(201)
  return { customerId, walletId: wallet.json.id }
}

export function anAccountNumber(): string {
  // Never ends in four zeros, and never repeats within a run.
  return String(10_000_001 + made++ * 7).replace(/0000$/, '0001')
}

export function anExternalAccountBody(overrides: { account_number?: string; sort_code?: string } = {}): object {
  return {
    currency: 'gbp',
    account_type: 'gb',
    bank_name: 'Monzo',
    account_owner_name: `${CANARY.firstName} ${CANARY.lastName}`,
    account_owner_type: 'individual',
    first_name: CANARY.firstName,
    last_name: CANARY.lastName,
    account: {
      sort_code: overrides.sort_code ?? CANARY.sortCode,
      account_number: overrides.account_number ?? anAccountNumber(),
    },
  }
}

export async function anExternalAccount(bank: Bank, party: Party, accountNumber?: string): Promise<string> {
  const body = anExternalAccountBody(accountNumber === undefined ? {} : { account_number: accountNumber })
  const reply = await ask(bank, `/v0/customers/${party.customerId}/external_accounts`, { body })
  expect(reply.status).toBe(201)
  return reply.json.id
}

export interface TransferParts {
  readonly account?: string
  readonly amount?: string
  readonly sourceAmount?: string
  readonly reference?: string
  readonly clientReference?: string
  readonly extra?: object
}

export async function aTransferBody(bank: Bank, party: Party, parts: TransferParts = {}): Promise<Json> {
  return {
    ...(parts.clientReference === undefined ? {} : { client_reference_id: parts.clientReference }),
    on_behalf_of: party.customerId,
    source: {
      payment_rail: 'bridge_wallet',
      currency: 'usdc',
      bridge_wallet_id: party.walletId,
      ...(parts.sourceAmount === undefined ? {} : { amount: parts.sourceAmount }),
    },
    destination: {
      payment_rail: 'faster_payments',
      currency: 'gbp',
      external_account_id: parts.account ?? (await anExternalAccount(bank, party)),
      amount: parts.amount ?? '100.00',
      reference: parts.reference ?? 'INV 1042',
    },
    ...parts.extra,
  }
}

export async function sendTransfer(
  bank: Bank,
  party: Party,
  parts: TransferParts = {},
  question: Question = {},
): Promise<Reply> {
  return ask(bank, '/v0/transfers', { body: await aTransferBody(bank, party, parts), ...question })
}

/** 100.00 GBP and the bank's 0.70 at 0.79. */
export const HUNDRED_POUNDS_COST = '127.47'
export const FLOAT = '10000.00'
export const FLOAT_LESS_HUNDRED_POUNDS = '9872.53'

export async function balanceOf(bank: Bank, party: Party): Promise<string> {
  const reply = await ask(bank, `/v0/customers/${party.customerId}/wallets/${party.walletId}`)
  return reply.json.balances[0].balance
}

/** As it was when it was new. */
export async function reset(bank: Bank): Promise<void> {
  expect((await control(bank, '/reset', {})).status).toBe(200)
}

export async function advance(bank: Bank, ms: number): Promise<void> {
  expect((await control(bank, '/clock/advance', { ms })).status).toBe(200)
}

export async function stateOf(bank: Bank, transferId: string): Promise<string> {
  return (await ask(bank, `/v0/transfers/${transferId}`)).json.state
}

export async function until<T>(
  look: () => Promise<T> | T,
  isRight: (seen: T) => boolean,
  withinMs = 20_000,
): Promise<T> {
  const end = Date.now() + withinMs
  for (;;) {
    const seen = await look()
    if (isRight(seen)) return seen
    if (Date.now() > end) throw new Error(`It never came to be; last seen: ${JSON.stringify(seen)}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
