// The two ways for money into a wallet: an account in pounds, and an address for USDC.
import type { TopUpWays } from '../account.ts'
import { BankRefusal } from '../port.ts'
import type { WalletAtBank } from '../transfer.ts'
import { KeyUsed, type Refused, ask, askFor, findOrMake, makeOrFind } from './ask-provider.ts'
import { type Json, asObject, isJson, optionalText, text, wordOrNull } from './json-words.ts'
import { CHAIN, customerPath, listRows, walletPath } from './open-account.ts'
import type { ProviderClient } from './provider-client.ts'

export async function openTopUp(client: ProviderClient, account: WalletAtBank, key: string): Promise<TopUpWays> {
  const [bank, liquidation] = await Promise.all([
    openVirtualAccount(client, account, key).then(bankWay, refusedWay),
    openLiquidationAddress(client, account, key),
  ])
  return { ...bank, chainRef: text(liquidation, 'id'), chainAddress: text(liquidation, 'address') }
}

type BankWay = Pick<TopUpWays, 'bankRef' | 'bank' | 'bankRefusal'>

function bankWay(virtual: Json): BankWay {
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
    bankRefusal: null,
  }
}

/** The bank switches accounts in pounds on by hand. Until then USDC is a way in all the same. */
function refusedWay(error: unknown): BankWay {
  if (!(error instanceof BankRefusal) || error instanceof KeyUsed) throw error
  return { bankRef: null, bank: null, bankRefusal: error.message }
}

function openVirtualAccount(
  client: ProviderClient,
  { holderRef, walletRef }: WalletAtBank,
  key: string,
): Promise<Json> {
  const path = `${customerPath(holderRef)}/virtual_accounts`
  const destination = { payment_rail: CHAIN, currency: 'usdc', bridge_wallet_id: walletRef }
  const body = { source: { currency: 'gbp' }, destination, developer_fee_percent: '0' }
  return findOrMake(
    async () =>
      (await listRows(client, path)).findLast(
        (each) => asObject(each['destination'])['bridge_wallet_id'] === walletRef,
      ),
    () => ask(client, { method: 'POST', path, body, idempotencyKey: `virtual-account:${key}` }),
  )
}

/** The destination is said: what is left out means dollars to an account at a bank. */
function openLiquidationAddress(client: ProviderClient, account: WalletAtBank, key: string): Promise<Json> {
  const path = `${customerPath(account.holderRef)}/liquidation_addresses`
  const body = {
    chain: CHAIN,
    currency: 'usdc',
    destination_payment_rail: CHAIN,
    destination_currency: 'usdc',
    bridge_wallet_id: account.walletRef,
  }
  return makeOrFind(
    () => ask(client, { method: 'POST', path, body, idempotencyKey: `liquidation-address:${key}` }),
    (refusal) => findLiquidationAddress(client, account, { path, refusal }),
  )
}

/** The refusal may name the address that there is. The list does not name wallets: it has their addresses. */
async function findLiquidationAddress(
  client: ProviderClient,
  account: WalletAtBank,
  { path, refusal }: { path: string; refusal: Refused },
): Promise<Json | undefined> {
  const wallet = await askFor(client, walletPath(account), account.walletRef)
  const destination = text(wallet, 'address').toLowerCase()
  const goesTo = (each: Json) => wordOrNull(each, 'destination_address')?.toLowerCase()
  const isOurs = (each: Json) => each['chain'] === CHAIN && each['currency'] === 'usdc' && goesTo(each) === destination
  const rows = await listRows(client, path)
  const named = isJson(refusal.body) ? wordOrNull(refusal.body, 'id') : null
  // One that says that it goes elsewhere is not ours, whatever the refusal names.
  return rows.findLast(isOurs) ?? rows.find((each) => each['id'] === named && goesTo(each) === undefined)
}
