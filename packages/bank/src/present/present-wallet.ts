// Wallets, what they hold and what went through them, as the real bank shows them.
import { type MicroUsdc, formatUsdc, negateUsdc } from '../core/money.ts'
import type { HistoryEntry } from '../storage/wallet-movements.ts'
import type { Chain, Wallet } from '../storage/wallets.ts'

/** The real USDC contracts on each chain. */
const USDC_CONTRACTS: Readonly<Record<Chain, string>> = {
  base: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  ethereum: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  solana: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
}

export function presentWallet(wallet: Wallet): object {
  return {
    id: wallet.id,
    chain: wallet.chain,
    address: wallet.address,
    created_at: wallet.createdAt,
    updated_at: wallet.updatedAt,
  }
}

export function presentWalletWithBalances(wallet: Wallet): object {
  return { ...presentWallet(wallet), balances: [presentBalance(wallet)] }
}

export function presentBalance(holding: { balance: MicroUsdc; chain: Chain }): object {
  return {
    balance: formatUsdc(holding.balance),
    currency: 'usdc',
    chain: holding.chain,
    contract_address: USDC_CONTRACTS[holding.chain],
  }
}

export function presentWalletActivity(activity: { id: string; wallet: Wallet; amount: MicroUsdc; at: Date }): object {
  return {
    id: activity.id,
    type: 'balance_changed',
    bridge_wallet_id: activity.wallet.id,
    currency: 'usdc',
    amount: formatUsdc(activity.amount),
    available_balance: formatUsdc(activity.wallet.balance),
    created_at: activity.at,
  }
}

export function presentHistoryEntry(entry: HistoryEntry): object {
  const wallet = { payment_rail: entry.chain, currency: 'usdc' }
  const pounds = { payment_rail: 'faster_payments', currency: 'gbp' }
  const isOut = entry.amount < 0n
  const outside = entry.source === 'bank' || entry.kind === 'transfer' || entry.kind === 'refund' ? pounds : wallet
  return {
    amount: formatUsdc(isOut ? negateUsdc(entry.amount) : entry.amount),
    developer_fee: '0.00',
    created_at: entry.at,
    updated_at: entry.at,
    customer_id: entry.customerId ?? undefined,
    source: isOut ? wallet : outside,
    destination: isOut ? outside : wallet,
  }
}
