// What any bank must do besides payments: run against our own bank and a bank on paper.
import { beforeAll, describe, expect, it } from 'vitest'

import { parseUsdc } from '../../src/core/money.ts'
import { type PartnerBank, WebhookRefused } from '../../src/rail/port.ts'
import type { WalletAtBank } from '../../src/rail/transfer.ts'

const HOLDER = { id: 'bank-contract', name: 'Thistle Market' }

export function bankContract(name: string, open: () => Promise<PartnerBank>): void {
  describe(`the contract of a bank: ${name}`, () => {
    let bank: PartnerBank
    let account: WalletAtBank
    beforeAll(async () => {
      bank = await open()
      const holderRef = await bank.openSandboxHolder(HOLDER, 'bank-contract')
      await bank.approveSandboxHolder(holderRef)
      account = await bank.openWallet(holderRef, 'bank-contract')
    })

    it('has one holder per partner, however often and under whatever key it is asked', async () => {
      for (const key of ['bank-contract', 'another-key']) {
        expect(await bank.openSandboxHolder(HOLDER, key)).toBe(account.holderRef)
      }
    })

    it('says that a sandbox’s holder is approved, also in pounds, once that was asked for', async () => {
      expect(await bank.readHolder(account.holderRef)).toEqual({ isApproved: true, hasPounds: true, missing: [] })
      await bank.approveSandboxHolder(account.holderRef)
      expect(await bank.readHolder(account.holderRef)).toMatchObject({ hasPounds: true })
    })

    it('opens one wallet per holder, and the same ways to top it up, however often it is asked', async () => {
      expect(await bank.openWallet(account.holderRef, 'bank-contract')).toEqual(account)
      expect(await bank.openWallet(account.holderRef, 'another-key')).toEqual(account)
      const ways = await bank.openTopUp(account, 'bank-contract')
      expect(await bank.openTopUp(account, 'bank-contract')).toEqual(ways)
      expect(await bank.openTopUp(account, 'another-key')).toEqual(ways)
      expect(ways.chainAddress).not.toBe(account.walletRef)
    })

    it('gives test money once per key, at once and later, as a deposit on chain', async () => {
      const before = await bank.readWalletBalance(account)
      const amount = parseUsdc('12.34')!
      const ask = () => bank.addTestMoney(account, amount, 'bank-contract')
      await Promise.all([ask(), ask(), ask()])
      await ask()
      expect(await bank.readWalletBalance(account)).toBe(before + amount)
      const ways = await bank.openTopUp(account, 'bank-contract')
      const own = (await bank.listAccountDeposits(account, ways)).filter((deposit) => deposit.amount === amount)
      expect(own).toMatchObject([{ source: 'chain', holderRef: account.holderRef }])
      expect(await bank.readDeposit('chain', own[0]!.depositRef)).toMatchObject({ isKnown: true, deposits: own })
    })

    it('knows nothing of a deposit that never arrived', async () => {
      for (const source of ['bank', 'chain'] as const) {
        expect(await bank.readDeposit(source, 'never')).toEqual({
          isKnown: false,
          deposits: [],
          undone: [],
          transactions: [],
          unread: [],
        })
      }
    })

    it('refuses a message that is not its own, if it sends any', ({ skip }) => {
      const { webhooks } = bank
      if (webhooks === null) return skip('This bank sends no messages.')
      const forged = { headers: {}, body: Buffer.from('{}'), publicKey: '', now: new Date() }
      expect(() => webhooks.read(forged)).toThrow(WebhookRefused)
      expect(webhooks.topicOf('a new category')).toEqual({ kind: 'other' })
    })
  })
}
