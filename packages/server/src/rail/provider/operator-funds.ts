// The operator's own wallet at the bank ("Fixed Outputs Excess Funds").
import { formatUsdcExact } from '../../core/money.ts'
import { type OperatorFunds, RailUnavailable, type TopUpAnswer } from '../port.ts'
import type { WalletAtBank } from '../transfer.ts'
import { readWalletBalance } from './open-account.ts'
import type { ProviderClient } from './provider-client.ts'
import { isJson, wordOrNull } from './json-words.ts'
import { isAboutKey, isDuplicate, refusalIn, wrongInBody } from './refusal-words.ts'

export function operatorFunds(client: ProviderClient, wallet: WalletAtBank): OperatorFunds {
  return {
    readBalance: () => readWalletBalance(client, wallet),
    addToTransfer: async ({ transferRef, amount, key }) => {
      const reply = await client.call({
        method: 'POST',
        path: '/transfers',
        idempotencyKey: key,
        body: {
          amount: formatUsdcExact(amount),
          source: { payment_rail: 'bridge_wallet', currency: 'usdc', bridge_wallet_id: wallet.walletRef },
          destination: { payment_rail: 'bridge_transfer', currency: 'usdc', bridge_transfer_id: transferRef },
        },
      })
      if (reply.kind !== 'answered') throw new RailUnavailable(reply.reason)
      return topUpAnswer(reply, transferRef)
    },
  }
}

/**
 * Only the transfer that was asked for proves that money was added, and only a refusal that names a field of ours that
 * none was.
 */
function topUpAnswer({ status, body }: { status: number; body: unknown }, transferRef: string): TopUpAnswer {
  if (status >= 200 && status < 300) {
    const destination = isJson(body) && isJson(body['destination']) ? body['destination'] : {}
    if (wordOrNull(destination, 'bridge_transfer_id') === transferRef) return { kind: 'added' }
    throw new RailUnavailable(`The bank answered ${status}, and not with what was added to the transfer.`)
  }
  const refusal = refusalIn(body)
  const isOurs = wrongInBody(refusal).length > 0 && !isAboutKey(refusal) && !isDuplicate(refusal)
  if ([400, 404, 422].includes(status) && isOurs) return { kind: 'refused', reason: refusal.message }
  throw new RailUnavailable(`The bank answered ${status} (${refusal.code}): ${refusal.message}`)
}
