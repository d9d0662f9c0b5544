// A payment of 5.00 GBP, as the contract asks for it.
import { newId } from '../../src/core/ids.ts'
import { type Pence, pence } from '../../src/core/money.ts'
import { usdcFor } from '../../src/core/rate.ts'
import type { PayoutRail } from '../../src/rail/port.ts'
import type { RecipientDetails, TransferRequest, WalletAtBank } from '../../src/rail/transfer.ts'

export const RECEIVE: Pence = pence(500n)
const ROOM: Pence = pence(625n)

export async function aRequest({
  rail,
  account,
  recipient,
}: {
  rail: PayoutRail
  account: WalletAtBank | null
  recipient: RecipientDetails
}): Promise<TransferRequest> {
  const { rate } = await rail.readRate()
  const now = new Date()
  const registered =
    account === null
      ? ({ kind: 'registered', recipientRef: null } as const)
      : await rail.registerRecipient(account, recipient, `contract:${now.toISOString().slice(0, 10)}`)
  if (registered.kind !== 'registered') throw new Error(`The recipient was ${registered.kind}: ${registered.reason}`)
  return {
    account,
    recipientRef: registered.recipientRef,
    clientReference: newId(now),
    receive: RECEIVE,
    // More than the rate says: room for the bank's own fee.
    walletSends: usdcFor(ROOM, rate),
    recipient,
    reference: 'Contract check',
    statementReference: 'Contract check',
    requestedAt: now,
    attempt: 1,
  }
}
