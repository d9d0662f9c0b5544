// The bank besides payments: accounts, top-ups, verification, and its messages (webhooks.ts).
import type { PartnerBank } from '../port.ts'
import type { WalletAtBank } from '../transfer.ts'
import { listAccountDeposits, listDeposits, readDeposit } from './list-deposits.ts'
import {
  addTestMoney,
  approveSandboxHolder,
  openSandboxHolder,
  openWallet,
  readHolder,
  readWalletBalance,
} from './open-account.ts'
import { openTopUp } from './open-top-up.ts'
import type { ProviderClient } from './provider-client.ts'
import { readVerification, startVerification } from './verify-business.ts'
import { operatorFunds } from './operator-funds.ts'
import { listReceived } from './wallet-history.ts'
import { createWebhooks } from './webhooks.ts'

export function createProviderBank(client: ProviderClient, excess: WalletAtBank | null): PartnerBank {
  return {
    openSandboxHolder: (partner, key) => openSandboxHolder(client, partner, key),
    approveSandboxHolder: (holderRef) => approveSandboxHolder(client, holderRef),
    readHolder: (holderRef) => readHolder(client, holderRef),
    openWallet: (holderRef, key) => openWallet(client, holderRef, key),
    openTopUp: (account, key) => openTopUp(client, account, key),
    addTestMoney: (account, amount, key) => addTestMoney(client, account, { amount, key }),
    readWalletBalance: (account) => readWalletBalance(client, account),
    startVerification: (partner, how) => startVerification(client, partner, how),
    readVerification: (ref) => readVerification(client, ref),
    listDeposits: (source, since, cursor) => listDeposits(client, source, { since, cursor }),
    readDeposit: (source, ref) => readDeposit(client, source, ref),
    listAccountDeposits: (account, ways) => listAccountDeposits(client, account, ways),
    listReceived: (account, since) => listReceived(client, account, since),
    excess: excess === null ? null : operatorFunds(client, excess),
    webhooks: createWebhooks(client),
  }
}
