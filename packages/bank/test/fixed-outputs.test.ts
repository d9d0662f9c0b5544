// Whose the rest of a transfer's dollars is, what becomes of one that the rate has made too small, and what a refund brings.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { aKey, ask, control } from './support/ask.ts'
import {
  type Party,
  aParty,
  aTransferBody,
  advance,
  balanceOf,
  reset,
  sendTransfer,
  stateOf,
} from './support/fixtures.ts'
import { disagreements } from './support/real-bank-schemas.ts'
import { type TestBank, aBank } from './support/test-bank.ts'

describe('fixed outputs', () => {
  let bank: TestBank
  let party: Party
  let excessWallet: string

  beforeAll(async () => {
    bank = await aBank()
  })
  afterAll(() => bank.close())
  beforeEach(async () => {
    await reset(bank)
    excessWallet = (await control(bank, '/terms')).json.excess_wallet_id
    party = await aParty(bank)
  })

  const terms = (change: object) => control(bank, '/terms', change)
  const readTransfer = async (id: string) => (await ask(bank, `/v0/transfers/${id}`)).json
  /** What the developer's own wallet holds, by the books and not by the API. */
  const excess = async () => {
    const { wallets } = (await control(bank, '/ledger')).json
    return wallets.find((each: { id: string }) => each.id === excessWallet)?.balance ?? null
  }
  const historyOf = async (walletId: string) => {
    const rows = (await ask(bank, `/v0/wallets/${walletId}/history`)).json.data
    return rows.map((row: { amount: string; destination: { currency: string } }) => [
      row.amount,
      row.destination.currency,
    ])
  }
  const topUpBody = (transferId: string, amount: string, walletId = excessWallet) => ({
    amount,
    source: { payment_rail: 'bridge_wallet', currency: 'usdc', bridge_wallet_id: walletId },
    destination: { payment_rail: 'bridge_transfer', currency: 'usdc', bridge_transfer_id: transferId },
  })
  const topUp = (transferId: string, amount: string, walletId?: string, key = aKey()) =>
    ask(bank, '/v0/transfers', { body: topUpBody(transferId, amount, walletId), key })
  /** A transfer of 100.00 GBP that sends 127.00 USDC, and that lacks 1.21 at a rate of 0.78. */
  const anUnderfunded = async (reference?: string) => {
    const parts = { sourceAmount: '127.00', ...(reference === undefined ? {} : { reference }) }
    const { json } = await sendTransfer(bank, party, parts)
    await control(bank, '/rate', { rate: '0.78' })
    await advance(bank, 600_000)
    return json.id as string
  }

  describe('with more dollars than the pounds need', () => {
    it('give the rest to the developer’s own wallet, on the receipt, when they are exchanged and not before', async () => {
      const { json: sent } = await sendTransfer(bank, party, {
        sourceAmount: '130.00',
        extra: { developer_fee: '1.5' },
      })
      expect([sent.receipt.developer_exchange_fee, await excess()]).toEqual([undefined, '0.00'])
      await advance(bank, 500)
      const { receipt, ...transfer } = await readTransfer(sent.id)
      expect(disagreements('Transfer', { receipt, ...transfer })).toEqual([])
      expect(receipt).toMatchObject({
        initial_amount: '130.00',
        developer_fee: '1.50',
        exchange_fee: '0.00',
        developer_exchange_fee: { amount: '1.91', currency: 'usdc' },
        subtotal_amount: '126.59',
      })
      expect([await excess(), await balanceOf(bank, party)]).toEqual(['1.91', '9870.00'])
      expect(await historyOf(excessWallet)).toEqual([['1.91', 'usdc']])
      await advance(bank, 600_000)
      expect(await excess()).toBe('1.91')
    })

    it('give as much as the rate of that moment leaves', async () => {
      const { json } = await sendTransfer(bank, party, { sourceAmount: '130.00' })
      await control(bank, '/rate', { rate: '0.78' })
      await advance(bank, 500)
      const { receipt } = await readTransfer(json.id)
      expect([receipt.developer_exchange_fee.amount, receipt.exchange_rate]).toEqual(['1.79', '0.78'])
    })
  })

  describe('that the rate has made too small', () => {
    it('are underfunded, say how much is missing, and go no further by themselves', async () => {
      const id = await anUnderfunded()
      const transfer = await readTransfer(id)
      expect(disagreements('Transfer', transfer)).toEqual([])
      expect(transfer).toMatchObject({
        state: 'underfunded',
        additional_funding_instructions: {
          amount: '1.21',
          destination: { payment_rail: 'bridge_transfer', bridge_transfer_id: id },
        },
      })
      expect(transfer.receipt.developer_exchange_fee).toBeUndefined()
      expect([await balanceOf(bank, party), await excess()]).toEqual(['9873.00', '0.00'])
    })

    it('go on when what is missing is added, and the transfer shows its own amount', async () => {
      const id = await anUnderfunded()
      await control(bank, `/wallets/${excessWallet}/adjust`, {
        amount_micro: '5000000',
        reason: 'the developer’s money',
      })
      const added = await topUp(id, '1.21')
      expect([added.status, added.json.state, added.json.amount]).toEqual([201, 'payment_processed', '1.21'])
      expect(await stateOf(bank, id)).toBe('payment_submitted')
      // It is a transfer of its own, in the list before the one that it went to, and is read like one.
      const { data } = (await ask(bank, '/v0/transfers')).json
      expect(data.slice(0, 2)).toMatchObject([
        { id: added.json.id, destination: { payment_rail: 'bridge_transfer', bridge_transfer_id: id } },
        { id },
      ])
      expect((await ask(bank, `/v0/transfers?starting_after=${added.json.id}&limit=1`)).json.data[0].id).toBe(id)
      expect((await ask(bank, `/v0/transfers/${added.json.id}`)).json).toEqual(added.json)
      const own = await ask(bank, `/v0/customers/${party.customerId}/transfers`)
      expect(own.json.data.map((each: { id: string }) => each.id)).not.toContain(added.json.id)
      await advance(bank, 1_500)
      const { state, amount, receipt, additional_funding_instructions: more } = await readTransfer(id)
      expect([state, amount, receipt.developer_exchange_fee.amount, more]).toEqual([
        'payment_processed',
        '127.00',
        '0.00',
        undefined,
      ])
      expect([await excess(), await balanceOf(bank, party)]).toEqual(['3.79', '9873.00'])
    })

    it('show what was added in their amount, where the terms say so', async () => {
      await terms({ amount_shows: 'source_and_top_ups' })
      const id = await anUnderfunded()
      await control(bank, `/wallets/${excessWallet}/adjust`, {
        amount_micro: '5000000',
        reason: 'the developer’s money',
      })
      await topUp(id, '1.21')
      expect(await readTransfer(id)).toMatchObject({ amount: '128.21', receipt: { initial_amount: '128.21' } })
    })

    it('lack the rest when too little is added, and what is too much is the developer’s again', async () => {
      const id = await anUnderfunded()
      await control(bank, `/wallets/${excessWallet}/adjust`, {
        amount_micro: '5000000',
        reason: 'the developer’s money',
      })
      await topUp(id, '1.00')
      expect((await readTransfer(id)).additional_funding_instructions.amount).toBe('0.21')
      await topUp(id, '0.50')
      expect((await readTransfer(id)).receipt.developer_exchange_fee.amount).toBe('0.29')
      expect(await excess()).toBe('3.79')
    })

    it('take it once, however many come at once, and only while it is missing', async () => {
      const id = await anUnderfunded()
      await control(bank, `/wallets/${excessWallet}/adjust`, {
        amount_micro: '5000000',
        reason: 'the developer’s money',
      })
      const key = aKey()
      const same = await Promise.all([1, 2, 3].map(() => topUp(id, '1.21', excessWallet, key)))
      expect(new Set(same.map((reply) => reply.json.id)).size).toBe(1)
      const late = await topUp(id, '1.21')
      expect([late.status, late.json.source]).toEqual([
        400,
        { location: 'body', key: 'destination.bridge_transfer_id' },
      ])
      expect(await excess()).toBe('3.79')
    })

    it.each([
      { why: 'more than the wallet holds', amount: '9.99', wallet: null, key: 'amount' },
      { why: 'nothing', amount: '0.00', wallet: null, key: 'amount' },
      {
        why: 'money of a wallet that nobody has',
        amount: '1.21',
        wallet: '00000000-0000-4000-8000-000000000000',
        key: 'source.bridge_wallet_id',
      },
    ])('are not topped up with $why', async ({ amount, wallet, key }) => {
      const id = await anUnderfunded()
      const reply = await topUp(id, amount, wallet ?? excessWallet)
      expect([reply.status, reply.json.source.key]).toEqual([400, key])
      expect([await stateOf(bank, id), await excess()]).toEqual(['underfunded', '0.00'])
    })

    it('are not topped up with another customer’s money', async () => {
      const id = await anUnderfunded()
      const other = await aParty(bank)
      const reply = await topUp(id, '1.21', other.walletId)
      expect([reply.status, reply.json.source.key]).toEqual([400, 'source.bridge_wallet_id'])
      expect(await balanceOf(bank, other)).toBe('10000.00')
    })

    it('can be cancelled: everybody has their own money back', async () => {
      const id = await anUnderfunded()
      await control(bank, `/wallets/${excessWallet}/adjust`, {
        amount_micro: '1000000',
        reason: 'the developer’s money',
      })
      await topUp(id, '1.00')
      await control(bank, `/transfers/${id}/cancel`, {})
      expect([await stateOf(bank, id), await balanceOf(bank, party), await excess()]).toEqual([
        'canceled',
        '10000.00',
        '1.00',
      ])
    })
  })

  describe('that are refunded', () => {
    const aReturned = async () => {
      const { json } = await sendTransfer(bank, party, { sourceAmount: '130.00', reference: 'sandbox:hold' })
      await advance(bank, 500)
      await control(bank, `/transfers/${json.id}/return`, { reason: 'Account holder asked for it back' })
      return json.id as string
    }

    it('bring everything back, the surplus out of the developer’s wallet too, unless the terms say otherwise', async () => {
      const id = await aReturned()
      expect(await excess()).toBe('3.41')
      await control(bank, `/transfers/${id}/refund`, {})
      expect([await balanceOf(bank, party), await excess()]).toEqual(['10000.00', '0.00'])
      expect((await readTransfer(id)).receipt.developer_exchange_fee.amount).toBe('0.00')
    })

    it('bring back what was exchanged, where the terms say so', async () => {
      await terms({ refunds_return: 'converted' })
      const id = await aReturned()
      await control(bank, `/transfers/${id}/refund`, {})
      expect([await balanceOf(bank, party), await excess()]).toEqual(['9996.59', '3.41'])
      expect((await historyOf(party.walletId))[0]).toEqual(['126.59', 'usdc'])
    })

    it('bring back less, nothing, or what is left, and never more than there is', async () => {
      const less = await aReturned()
      await control(bank, `/transfers/${less}/refund`, { amount: '120.01' })
      expect(await balanceOf(bank, party)).toBe('9990.01')
      const nothing = await aReturned()
      await control(bank, `/transfers/${nothing}/refund`, { amount: '0' })
      expect([await stateOf(bank, nothing), await balanceOf(bank, party)]).toEqual(['refunded', '9860.01'])
      const spent = await aReturned()
      await control(bank, `/wallets/${excessWallet}/adjust`, { amount_micro: '-10220000', reason: 'spent' })
      await control(bank, `/transfers/${spent}/refund`, {})
      expect([await balanceOf(bank, party), await excess()]).toEqual(['9856.61', '0.00'])
    })

    it('are told of as a movement of the wallet, without an amount on the transfer', async () => {
      const webhook = await ask(bank, '/v0/webhooks', {
        body: { url: 'https://x.test/', event_epoch: 'webhook_creation', event_categories: ['bridge_wallet.activity'] },
      })
      const id = await aReturned()
      await control(bank, `/transfers/${id}/refund`, { amount: '120.01' })
      const { json } = await ask(bank, `/v0/webhooks/${webhook.json.id}/events`)
      expect(json.data.map((event: { event_object: object }) => event.event_object)).toEqual([
        expect.objectContaining({
          bridge_wallet_id: party.walletId,
          amount: '120.01',
          available_balance: '9990.01',
          currency: 'usdc',
        }),
      ])
      const details = (await readTransfer(id)).return_details
      expect(details).toEqual({ reason: 'Account holder asked for it back', refund_reference_id: expect.any(String) })
    })
  })

  describe('by the bank’s terms', () => {
    it('have a smallest amount, which is 1.00 GBP here and 3.00 at the real bank', async () => {
      expect((await sendTransfer(bank, party, { amount: '0.99' })).json.source.key).toBe('destination.amount')
      expect((await sendTransfer(bank, party, { amount: '1.00' })).status).toBe(201)
      await terms({ smallest_gbp: '3.00' })
      const before = await balanceOf(bank, party)
      const refused = await sendTransfer(bank, party, { amount: '2.99' })
      expect([refused.status, refused.json.code, refused.json.source.key]).toEqual([
        400,
        'invalid_parameters',
        'destination.amount',
      ])
      expect(await balanceOf(bank, party)).toBe(before)
      expect((await sendTransfer(bank, party, { amount: '3.00' })).status).toBe(201)
    })

    it('may not be switched on: a dry run says so in its notes, and a real one is refused', async () => {
      await terms({ not_enabled: ['gbp', 'fixed_outputs'] })
      const body = await aTransferBody(bank, party)
      const dry = await ask(bank, '/v0/transfers', { body: { ...body, dry_run: true } })
      expect([dry.status, dry.json.state, dry.json.notes.length]).toEqual([201, 'invalid', 2])
      expect((await ask(bank, '/v0/transfers', { body })).json.source.key).toBe('destination.currency')
      expect(await balanceOf(bank, party)).toBe('10000.00')
      expect((await ask(bank, '/v0/transfers')).json.count).toBe(0)
    })

    it('show deposits in pounds, with the dollars on the receipt', async () => {
      await ask(bank, `/v0/customers/${party.customerId}/virtual_accounts`, {
        body: {
          source: { currency: 'gbp' },
          destination: { payment_rail: 'base', currency: 'usdc', bridge_wallet_id: party.walletId },
        },
      })
      await terms({ deposits_shown_in: 'gbp' })
      await control(bank, `/wallets/${party.walletId}/credit`, { source: 'bank', amount_gbp: '77.00' })
      const [last] = (await ask(bank, '/v0/virtual_accounts/history')).json.data
      expect(last).toMatchObject({
        type: 'payment_processed',
        amount: '77.00',
        currency: 'gbp',
        receipt: { final_amount: '97.46' },
      })
    })
  })
})
