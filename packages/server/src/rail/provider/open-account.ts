// What a partner has at the bank: a customer, a wallet, and two ways for money to get there.
import { randomHex } from '../../core/ids.ts'
import { type MicroUsdc, formatUsdcSent, parseDecimalUsdc } from '../../core/money.ts'
import type { OpenedAccount, TopUpWays } from '../account.ts'
import { UnreadableAnswer } from '../port.ts'
import type { WalletAtBank } from '../transfer.ts'
import { AlreadyThere, ask, makeOrFind } from './ask-provider.ts'
import { type Json, asObject, optionalText, text } from './json-words.ts'
import { rowsOf } from './list-rows.ts'
import type { ProviderClient } from './provider-client.ts'

const CHAIN = 'base'
const PAGE_SIZE = 100

export const customerPath = (holderRef: string): string => `/customers/${encodeURIComponent(holderRef)}`

const walletPath = ({ holderRef, walletRef }: WalletAtBank): string =>
  `${customerPath(holderRef)}/wallets/${encodeURIComponent(walletRef)}`

export async function openSandboxHolder(
  client: ProviderClient,
  partner: { id: string; name: string; email: string | null },
): Promise<string> {
  const body = {
    type: 'business',
    business_legal_name: partner.name,
    email: partner.email ?? `${partner.id}@partners.invalid`,
  }
  const make = (idempotencyKey: string) => ask(client, { method: 'POST', path: '/customers', body, idempotencyKey })
  const key = `customer:${partner.id}`
  try {
    return text(await make(key), 'id')
  } catch (error) {
    if (!(error instanceof AlreadyThere)) throw error
    // A customer was made and we never learnt its id. Several partners may have its name and email, so we do not guess:
    // an empty customer that nobody uses does no harm.
    return text(await make(`${key}:${randomHex(8)}`), 'id')
  }
}

export async function openWallet(client: ProviderClient, holderRef: string, key: string): Promise<OpenedAccount> {
  const path = `${customerPath(holderRef)}/wallets`
  const json = await makeOrFind(
    `wallet:${key}`,
    (idempotencyKey) => ask(client, { method: 'POST', path, body: { chain: CHAIN }, idempotencyKey }),
    // The list is newest first, and ours was the first wallet.
    async () => (await listAll(client, path)).findLast((wallet) => wallet['chain'] === CHAIN),
  )
  return { holderRef, walletRef: text(json, 'id'), chain: text(json, 'chain') }
}

export async function openTopUp(client: ProviderClient, account: WalletAtBank, key: string): Promise<TopUpWays> {
  const [virtual, liquidation] = await Promise.all([
    openVirtualAccount(client, account, key),
    openLiquidationAddress(client, account, key),
  ])
  const instructions = asObject(virtual['source_deposit_instructions'])
  return {
    bankRef: text(virtual, 'id'),
    bank: {
      accountName: text(instructions, 'account_holder_name'),
      bankName: text(instructions, 'bank_name'),
      sortCode: text(instructions, 'sort_code'),
      accountNumber: text(instructions, 'account_number'),
      reference: optionalText(instructions, 'deposit_message'),
    },
    chainRef: text(liquidation, 'id'),
    chainAddress: text(liquidation, 'address'),
  }
}

function openVirtualAccount(client: ProviderClient, { holderRef, walletRef }: WalletAtBank, key: string) {
  const path = `${customerPath(holderRef)}/virtual_accounts`
  const destination = { payment_rail: CHAIN, currency: 'usdc', bridge_wallet_id: walletRef }
  const body = { source: { currency: 'gbp' }, destination, developer_fee_percent: '0' }
  return makeOrFind(
    `virtual-account:${key}`,
    (idempotencyKey) => ask(client, { method: 'POST', path, body, idempotencyKey }),
    async () =>
      (await listAll(client, path)).findLast((each) => asObject(each['destination'])['bridge_wallet_id'] === walletRef),
  )
}

function openLiquidationAddress(client: ProviderClient, { holderRef, walletRef }: WalletAtBank, key: string) {
  const path = `${customerPath(holderRef)}/liquidation_addresses`
  const body = { chain: CHAIN, currency: 'usdc', bridge_wallet_id: walletRef }
  return makeOrFind(
    `liquidation-address:${key}`,
    (idempotencyKey) => ask(client, { method: 'POST', path, body, idempotencyKey }),
    async () => (await listAll(client, path)).findLast((each) => each['bridge_wallet_id'] === walletRef),
  )
}

async function listAll(client: ProviderClient, path: string): Promise<Json[]> {
  return rowsOf(await ask(client, { method: 'GET', path: `${path}?limit=${PAGE_SIZE}` })).map(asObject)
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
    if (!(error instanceof AlreadyThere)) throw error
  })
}

export async function readWalletBalance(client: ProviderClient, account: WalletAtBank): Promise<MicroUsdc> {
  const { balances } = await ask(client, { method: 'GET', path: walletPath(account) })
  const usdc = (Array.isArray(balances) ? balances : []).map(asObject).find((each) => each['currency'] === 'usdc')
  const amount = parseDecimalUsdc(usdc === undefined ? '0' : text(usdc, 'balance'))
  if (amount === null) throw new UnreadableAnswer('The bank’s wallet has a balance that is no money.')
  return amount
}
