// What any rail must do, whoever's bank is behind it: run against the simulated rail, our own bank and a bank on paper,
// and by `npm run bank:contract` against a real account at the bank.
import { setTimeout as pause } from 'node:timers/promises'

import { beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { newId } from '../../src/core/ids.ts'
import { pages } from '../../src/core/pages.ts'
import type { PartnerBank, PayoutRail } from '../../src/rail/port.ts'
import type {
  RecipientDetails,
  TransferRequest,
  TransferSnapshot,
  TransferState,
  WalletAtBank,
} from '../../src/rail/transfer.ts'
import { RECEIVE, aRequest } from './a-request.ts'

export interface RailUnderTest {
  readonly rail: PayoutRail
  /** Where the money is; null on a rail that has no accounts. */
  readonly account: WalletAtBank | null
  /** The other half of the port; null on a rail that has none. */
  readonly bank: PartnerBank | null
  readonly recipient: RecipientDetails
  /** How long a payment may take to settle. */
  readonly patienceMs: number
  /** Why nothing can be paid there at all; absent where it can be tried. */
  readonly cannotPay?: string | null
  /** Why no payment ever settles there; absent where they do. */
  readonly neverSettles?: string | null
}

const UNDER_WAY: readonly TransferState[] = ['accepted', 'awaiting_funds', 'in_review', 'submitted']

export function railContract(name: string, open: () => Promise<RailUnderTest>): void {
  describe(`the contract of a rail: ${name}`, () => {
    let under: RailUnderTest
    let wanted: TransferRequest | undefined
    let taken: TransferSnapshot | undefined
    beforeAll(async () => {
      under = await open()
    })
    beforeEach(({ skip }) => {
      if (under.cannotPay != null) skip(under.cannotPay)
    })
    /** The payment, for whoever looks at it. Where there is none, an earlier test says why. */
    const paid = (skip: (why: string) => never) => {
      if (wanted === undefined || taken === undefined) return skip('There is no payment to look at.')
      return { request: wanted, first: taken }
    }

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
      wanted = await aRequest(under)
      expect((await aRequest(under)).recipientRef).toBe(wanted.recipientRef)
    })

    it('takes a payment, exactly as it was asked for', async ({ skip }) => {
      if (wanted === undefined) return skip('There is no recipient to pay.')
      const answer = await under.rail.submit(wanted)
      expect(answer).toMatchObject({ kind: 'accepted' })
      const { transfer } = answer as { transfer: TransferSnapshot }
      expect(UNDER_WAY).toContain(transfer.state)
      expect(transfer).toMatchObject({ refund: 'none', reason: null })
      taken = transfer
    })

    it('takes the same payment again without paying again, alone and five at once', async ({ skip }) => {
      const { request, first } = paid(skip)
      const again = [
        await under.rail.submit(request),
        ...(await Promise.all(Array.from({ length: 5 }, () => under.rail.submit(request)))),
      ]
      const refs = again.map((answer) => (answer.kind === 'accepted' ? answer.transfer.transferRef : answer.kind))
      expect(new Set(refs)).toEqual(new Set([first.transferRef]))
    })

    it('shows the payment by its reference, and ours', async ({ skip }) => {
      const { request, first } = paid(skip)
      expect((await under.rail.readTransfers([first.transferRef])).has(first.transferRef)).toBe(true)
      expect(await under.rail.findTransfers(request)).toMatchObject({
        own: [{ transferRef: first.transferRef }],
        others: [],
        earlier: [],
        nameless: [],
      })
    })

    it('shows it to one who looks for another payment, if its reference is named as an earlier one', async ({
      skip,
    }) => {
      const { request, first } = paid(skip)
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

    it('settles the payment, or says plainly why not', async ({ skip }) => {
      const { first } = paid(skip)
      if (under.neverSettles != null) return skip(under.neverSettles)
      const seen = await untilItEnds(under, first.transferRef)
      expect({ state: seen.state, reason: seen.reason }).toEqual({ state: 'settled', reason: null })
      expect(await under.rail.cancelTransfer(first.transferRef)).toBe('too_late')
    })

    it('lists the payment once, with our reference and our amounts, where it has a list', async ({ skip }) => {
      if (!under.rail.has.lists) return skip('This rail keeps nothing that it could list.')
      const { request, first } = paid(skip)
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
      if (bank === null || account === null) return skip('This rail has no wallet.')
      paid(skip)
      if (under.neverSettles != null) return skip(under.neverSettles)
      const before = await bank.readWalletBalance(account)
      const answer = await rail.submit(await aRequest(under))
      expect(answer).toMatchObject({ kind: 'accepted' })
      const { transferRef } = (answer as { transfer: TransferSnapshot }).transfer
      await untilItEnds(under, transferRef)
      const { send } = (await rail.readListed(transferRef))!
      expect(await bank.readWalletBalance(account)).toBe(before - send!)
    })

    it('can be read for deposits, where there is a bank', async ({ skip }) => {
      const { bank } = under
      if (bank === null) return skip('This rail has no deposits.')
      const since = new Date(Date.now() - 3_600_000)
      for (const source of ['bank', 'chain'] as const) {
        const { deposits } = await bank.listDeposits(source, since, null)
        expect(deposits.every((deposit) => deposit.amount > 0n && deposit.source === source)).toBe(true)
      }
    })
  })
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
