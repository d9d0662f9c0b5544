// What a partner has at the bank: a customer that it has approved, and a wallet.
import { randomHex } from '../../core/ids.ts'
import { type MicroUsdc, formatUsdcSent, parseDecimalUsdc } from '../../core/money.ts'
import type { HolderStanding, OpenedAccount } from '../account.ts'
import { UnreadableAnswer } from '../port.ts'
import type { WalletAtBank } from '../transfer.ts'
import { KeyUsed, ask, askFor, findOrMake, makeOrFind } from './ask-provider.ts'
import { ENDORSEMENTS, holderStanding } from './holder-words.ts'
import { type Json, asObject, text, wordOrNull } from './json-words.ts'
import { PAGE_SIZE, rowsOf } from './list-rows.ts'
import type { ProviderClient } from './provider-client.ts'

export const CHAIN = 'base'

export const customerPath = (holderRef: string): string => `/customers/${encodeURIComponent(holderRef)}`

export const walletPath = ({ holderRef, walletRef }: WalletAtBank): string =>
  `${customerPath(holderRef)}/wallets/${encodeURIComponent(walletRef)}`

/** Nobody reads mail there. Each partner has an address of its own, because the bank has one customer per address. */
const sandboxEmail = (partnerId: string) => `${partnerId}@example.com`

/** A customer of the bank's sandbox, found again by its email when it is there already. */
export async function openSandboxHolder(
  client: ProviderClient,
  partner: { id: string; name: string },
  key: string,
): Promise<string> {
  const email = sandboxEmail(partner.id)
  const body = { type: 'business', business_legal_name: partner.name, email, endorsements: ENDORSEMENTS }
  const customer = await makeOrFind(
    () => ask(client, { method: 'POST', path: '/customers', body, idempotencyKey: `customer:${key}` }),
    async () => (await listRows(client, `/customers?email=${encodeURIComponent(email)}`)).at(0),
  )
  return text(customer, 'id')
}

/** The bank's sandbox approves whatever was asked for and is not decided yet. Under a new key, for it may decide anew. */
export async function approveSandboxHolder(client: ProviderClient, holderRef: string): Promise<void> {
  const path = `${customerPath(holderRef)}/simulate_kyc_approval`
  await ask(client, {
    method: 'POST',
    path,
    body: {},
    idempotencyKey: `approval:${encodeURIComponent(holderRef)}:${randomHex(8)}`,
  })
}

export async function readHolder(client: ProviderClient, holderRef: string): Promise<HolderStanding> {
  const { isApproved, hasPounds, missing } = holderStanding(await askFor(client, customerPath(holderRef), holderRef))
  return { isApproved, hasPounds, missing }
}

export async function openWallet(client: ProviderClient, holderRef: string, key: string): Promise<OpenedAccount> {
  const path = `${customerPath(holderRef)}/wallets`
  const json = await findOrMake(
    // The list is newest first, and ours was the first wallet.
    async () => (await listRows(client, path)).findLast((wallet) => wallet['chain'] === CHAIN),
    () => ask(client, { method: 'POST', path, body: { chain: CHAIN }, idempotencyKey: `wallet:${key}` }),
  )
  return { holderRef, walletRef: text(json, 'id'), chain: text(json, 'chain') }
}

export async function addTestMoney(
  client: ProviderClient,
  account: WalletAtBank,
  money: { amount: MicroUsdc; key: string },
): Promise<void> {
  const asked = ask(client, {
    method: 'POST',
    path: `${walletPath(account)}/simulate_deposit`,
    body: { amount: formatUsdcSent(money.amount), currency: 'usdc' },
    idempotencyKey: `test-money:${money.key}`,
  })
  await asked.catch((error: unknown) => {
    // The key is used up: the bank gave the money, and its answer was lost.
    if (!(error instanceof KeyUsed)) throw error
  })
}

export async function readWalletBalance(client: ProviderClient, account: WalletAtBank): Promise<MicroUsdc> {
  const { balances } = await askFor(client, walletPath(account), account.walletRef)
  // A wallet that says nothing of its balances is not an empty one.
  if (!Array.isArray(balances)) throw new UnreadableAnswer('The bank’s wallet says nothing of its balances.')
  const usdc = balances.map(asObject).find((each) => wordOrNull(each, 'currency')?.toLowerCase() === 'usdc')
  const amount = parseDecimalUsdc(usdc === undefined ? '0' : text(usdc, 'balance'))
  if (amount === null) throw new UnreadableAnswer('The bank’s wallet has a balance that is no money.')
  return amount
}

/** The newest hundred rows of a customer's list: nobody here has more of anything. */
export async function listRows(client: ProviderClient, path: string): Promise<Json[]> {
  const limited = `${path}${path.includes('?') ? '&' : '?'}limit=${PAGE_SIZE}`
  return rowsOf(await ask(client, { method: 'GET', path: limited })).map(asObject)
}
