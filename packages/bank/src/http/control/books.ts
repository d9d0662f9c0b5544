// What the bank's books say, for tests that must not trust the API.
import { isUuid } from '../../core/ids.ts'
import { invalidParameters } from '../../core/bank-error.ts'
import { formatPence, formatUsdc } from '../../core/money.ts'
import { type Transfer, listAllTransfers } from '../../storage/transfers.ts'
import { type Wallet, listAllWallets } from '../../storage/wallets.ts'
import { limitFrom, textFrom } from '../read-query.ts'
import type { RequestJournal } from '../request-journal.ts'
import { type RouteContext, listOf } from '../route-context.ts'

const MOST_REQUESTS = 1_000

export function addBookControls({ app, deps }: RouteContext, journal: RequestJournal): void {
  app.get('/ledger', async (request) => {
    const customerId = textFrom(request, 'customer_id')
    if (customerId !== null && !isUuid(customerId)) throw invalidParameters('query', ['customer_id'])
    const [transfers, wallets] = await Promise.all([listAllTransfers(deps.db, { customerId }), listAllWallets(deps.db)])
    const isOf = (wallet: Wallet) => customerId === null || wallet.customerId === customerId
    return { transfers: transfers.map(bookedTransfer), wallets: wallets.filter(isOf).map(bookedWallet) }
  })

  app.get('/requests', async (request) =>
    listOf(journal.last(limitFrom(request, MOST_REQUESTS), textFrom(request, 'route'))),
  )
}

function bookedTransfer(transfer: Transfer): object {
  return {
    id: transfer.id,
    client_reference_id: transfer.clientReferenceId,
    idempotency_key: transfer.idempotencyKey,
    customer_id: transfer.customerId,
    wallet_id: transfer.walletId,
    external_account_id: transfer.externalAccountId,
    amount: formatUsdc(transfer.amount),
    amount_micro: transfer.amount.toString(),
    debited_micro: transfer.isDebited ? transfer.amount.toString() : '0',
    destination_amount: formatPence(transfer.destination),
    reference: transfer.reference,
    story: transfer.story,
    state: transfer.state,
    topped_up_micro: transfer.toppedUp.toString(),
    refunded_micro: transfer.refunded?.toString() ?? null,
    is_refunded: transfer.refundReference !== null,
    created_at: transfer.createdAt,
    updated_at: transfer.updatedAt,
  }
}

function bookedWallet(wallet: Wallet): object {
  return {
    id: wallet.id,
    customer_id: wallet.customerId,
    balance: formatUsdc(wallet.balance),
    balance_micro: wallet.balance.toString(),
  }
}
