// What any rail must do, whoever's bank is behind it: run against the simulated rail, our own bank and a bank on paper,
// and by `npm run bank:contract` against a real account at the bank.
import { setTimeout as pause } from 'node:timers/promises'

import { beforeAll, describe, expect, it } from 'vitest'

import { newId } from '../../src/core/ids.ts'
import { type Pence, pence } from '../../src/core/money.ts'
import { pages } from '../../src/core/pages.ts'
import { usdcFor } from '../../src/core/rate.ts'
import type { PartnerBank, PayoutRail } from '../../src/rail/port.ts'
import type {
  RecipientDetails,
  TransferRequest,
  TransferSnapshot,
  TransferState,
  WalletAtBank,
} from '../../src/rail/transfer.ts'

export interface RailUnderTest {
  readonly rail: PayoutRail
  /** Where the money is; null on a rail that has no accounts. */
  readonly account: WalletAtBank | null
  /** The other half of the port; null on a rail that has none. */
  readonly bank: PartnerBank | null
  readonly recipient: RecipientDetails
  /** How long a payment may take to settle. */
  readonly patienceMs: number
}

const UNDER_WAY: readonly TransferState[] = ['accepted', 'awaiting_funds', 'in_review', 'submitted']
const RECEIVE: Pence = pence(500n)
const ROOM: Pence = pence(625n)

export function railContract(name: string, open: () => Promise<RailUnderTest>): void {
  describe(`the contract of a rail: ${name}`, () => {
    let under: RailUnderTest
    let request: TransferRequest
    let first: TransferSnapshot
    beforeAll(async () => {
      under = await open()
    })

    it('has accounts and a bank to go with it, or says that it has none', () => {
      expect(under.account !== null).toBe(under.rail.has.wallets)
      expect(under.bank !== null).toBe(under.rail.has.wallets)
    })

    it('gives a rate, and says for how long it holds', async () => {
      const { rate, validForMs } = await under.rail.readRate()
      expect(Number.parseFloat(rate.text)).toBeGreaterThan(0.2)
      expect(Number.parseFloat(rate.text)).toBeLessThan(2)
      expect(validForMs).toBeGreaterThan(0)
    })

    it('registers a recipient, and the same one again as the same', async () => {
      request = await aRequest(under)
      expect((await aRequest(under)).recipientRef).toBe(request.recipientRef)
    })

    it('takes a payment, exactly as it was asked for', async () => {
      const answer = await under.rail.submit(request)
      expect(answer).toMatchObject({ kind: 'accepted' })
      first = (answer as { transfer: TransferSnapshot }).transfer
      expect(UNDER_WAY).toContain(first.state)
      expect(first).toMatchObject({ refund: 'none', reason: null })
    })

    it('takes the same payment again without paying again, alone and five at once', async () => {
      const again = [
        await under.rail.submit(request),
        ...(await Promise.all(Array.from({ length: 5 }, () => under.rail.submit(request)))),
      ]
      const refs = again.map((answer) => (answer.kind === 'accepted' ? answer.transfer.transferRef : answer.kind))
      expect(new Set(refs)).toEqual(new Set([first.transferRef]))
    })

    it('shows the payment by its reference, and ours', async () => {
      expect((await under.rail.readTransfers([first.transferRef])).has(first.transferRef)).toBe(true)
      expect(await under.rail.findTransfers(request)).toMatchObject({
        own: [{ transferRef: first.transferRef }],
        others: [],
        earlier: [],
      })
    })

    it('shows it to one who looks for another payment, if its reference is named as an earlier one', async () => {
      const never = { ...request, clientReference: newId(new Date()), earlier: [request.clientReference] }
      const { earlier } = await under.rail.findTransfers(never)
      const shown = { clientReference: request.clientReference, transferRef: first.transferRef }
      expect(earlier).toEqual(under.rail.has.lists ? [shown] : [])
    })

    it('knows nothing of a payment that was never made', async () => {
      const never = newId(new Date())
      expect((await under.rail.readTransfers([never])).size).toBe(0)
      expect(await under.rail.readListed(never)).toBeNull()
      expect(['too_late', 'unknown']).toContain(await under.rail.cancelTransfer(never))
    })

    it('settles the payment, or says plainly why not', async () => {
      const seen = await untilItEnds(under, first.transferRef)
      expect({ state: seen.state, reason: seen.reason }).toEqual({ state: 'settled', reason: null })
      expect(await under.rail.cancelTransfer(first.transferRef)).toBe('too_late')
    })

    it('lists the payment once, with our reference and our amounts, where it has a list', async ({ skip }) => {
      if (!under.rail.has.lists) skip('This rail keeps nothing that it could list.')
      const own = (await listSince(under.rail, request.requestedAt)).filter(
        (transfer) => transfer.clientReference === request.clientReference,
      )
      expect(own).toMatchObject([
        { transferRef: first.transferRef, receive: RECEIVE, holderRef: under.account?.holderRef },
      ])
      expect(own[0]!.send).toBeLessThanOrEqual(request.walletSends)
      expect(await under.rail.readListed(first.transferRef)).toMatchObject({ clientReference: request.clientReference })
    })

    it('takes out of the wallet what it says it sent, where there is a wallet', async ({ skip }) => {
      const { bank, account, rail } = under
      if (bank === null || account === null) skip('This rail has no wallet.')
      const before = await bank!.readWalletBalance(account!)
      const paid = await aRequest(under)
      const answer = await rail.submit(paid)
      expect(answer.kind).toBe('accepted')
      const { transferRef } = (answer as { transfer: TransferSnapshot }).transfer
      await untilItEnds(under, transferRef)
      const { send } = (await rail.readListed(transferRef))!
      expect(await bank!.readWalletBalance(account!)).toBe(before - send)
    })

    it('can be read for deposits, where there is a bank', async ({ skip }) => {
      const { bank } = under
      if (bank === null) skip('This rail has no deposits.')
      const since = new Date(request.requestedAt.getTime() - 3_600_000)
      for (const source of ['bank', 'chain'] as const) {
        const { deposits } = await bank!.listDeposits(source, since, null)
        expect(deposits.every((deposit) => deposit.amount > 0n && deposit.source === source)).toBe(true)
      }
    })
  })
}

async function aRequest({ rail, account, recipient }: RailUnderTest): Promise<TransferRequest> {
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

async function untilItEnds({ rail, patienceMs }: RailUnderTest, ref: string): Promise<TransferSnapshot> {
  const end = Date.now() + patienceMs
  for (;;) {
    const seen = (await rail.readTransfers([ref])).get(ref)
    if (seen !== undefined && !UNDER_WAY.includes(seen.state)) return seen
    if (Date.now() > end) throw new Error(`After ${patienceMs / 1_000} s it is still ${seen?.state ?? 'unknown'}.`)
    await pause(250)
  }
}

async function listSince(rail: PayoutRail, since: Date) {
  const all = []
  for await (const page of pages((cursor) => rail.listTransfers(since, cursor))) all.push(...page.transfers)
  return all
}
