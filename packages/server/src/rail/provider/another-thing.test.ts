// A bank that answers about another thing than it was asked for: another's wallet, customer or verification is no answer,
// and an address that leads elsewhere is nobody's way in.
import { describe, expect, it } from 'vitest'

import { type Reply, clientTo, railTo, refusal } from '../../../test/support/answering-bank.ts'
import { CREATED, REQUEST } from '../../../test/support/transfer-request.ts'
import { microUsdc } from '../../core/money.ts'
import { type PartnerBank, UnreadableAnswer } from '../port.ts'
import { createProviderBank } from './provider-bank.ts'

const ACCOUNT = { holderRef: 'cust_1', walletRef: 'wallet_1' }
const bankTo = async (...replies: Reply[]): Promise<PartnerBank> =>
  createProviderBank((await clientTo(...replies)).client, ACCOUNT)
const said = (body: unknown): Reply => ({ status: 200, body })

const ENDORSED = {
  status: 'active',
  endorsements: ['base', 'faster_payments'].map((name) => ({ name, status: 'approved' })),
}
const BALANCE = { balances: [{ currency: 'usdc', balance: '5.00' }] }
const LINK = { kyc_status: 'approved', customer_id: 'cust_1' }

describe('an answer about another thing', () => {
  it.each<[string, Reply[], (bank: PartnerBank) => Promise<unknown>]>([
    ['a wallet', [said({ id: 'wallet_2', ...BALANCE })], (bank) => bank.readWalletBalance(ACCOUNT)],
    ['the operator’s own wallet', [said({ id: 'wallet_2', ...BALANCE })], (bank) => bank.excess!.readBalance()],
    ['a customer', [said({ id: 'cust_2', ...ENDORSED })], (bank) => bank.readHolder('cust_1')],
    ['a verification', [said({ id: 'kyc_2', ...LINK })], (bank) => bank.readVerification('kyc_1')],
    [
      'the customer of a verification',
      [said({ id: 'kyc_1', ...LINK }), said({ id: 'cust_2', ...ENDORSED })],
      (bank) => bank.readVerification('kyc_1'),
    ],
  ])('is none: %s', async (_what, replies, ask) => {
    await expect(ask(await bankTo(...replies))).rejects.toThrow('another thing than it was asked for')
  })

  it('is read where it is the right one', async () => {
    expect(await (await bankTo(said({ id: 'wallet_1', ...BALANCE }))).readWalletBalance(ACCOUNT)).toBe(5_000_000n)
    expect(await (await bankTo(said({ id: 'cust_1', ...ENDORSED }))).readHolder('cust_1')).toMatchObject({
      hasPounds: true,
    })
  })

  it.each<[string, object, bigint | null]>([
    ['no word of them', {}, null],
    ['nothing', { balances: null }, null],
    ['a word', { balances: '5.00' }, null],
    ['a currency without an amount', { balances: [{ currency: 'usdc' }] }, null],
    ['none', { balances: [] }, 0n],
    ['another currency’s', { balances: [{ currency: 'eurc', balance: '7.00' }] }, 0n],
    ['dollars in capitals', { balances: [{ currency: 'USDC', balance: '5.00' }] }, 5_000_000n],
  ])('is no balance of a wallet where it does not say one: %s', async (_what, body, balance) => {
    const bank = await bankTo(said({ id: 'wallet_1', ...body }))
    const unreadable = (error: unknown) => (error instanceof UnreadableAnswer ? null : error)
    expect(await bank.readWalletBalance(ACCOUNT).catch(unreadable)).toBe(balance)
  })

  it.each<[string, unknown]>([
    ['an error', { code: 'unexpected', message: 'No.' }],
    ['nothing', undefined],
    ['another transfer’s money', { id: 'tr_2', destination: { bridge_transfer_id: 'tr_9' } }],
  ])('does not say that money was added: %s', async (_what, body) => {
    const { excess } = await bankTo(said(body))
    const added = excess!.addToTransfer({ transferRef: 'tr_1', amount: microUsdc(1_000_000n), key: 'k' })
    await expect(added).rejects.toThrow('not with what was added')
  })
})

describe('an order that is answered', () => {
  it.each<[string, object]>([
    [
      'without a reference, for another recipient',
      { client_reference_id: undefined, destination: { amount: '25.00', external_account_id: 'ea_2' } },
    ],
    ['in euros', { destination: { amount: '25.00', currency: 'eur' } }],
  ])('%s is in doubt', async (_what, change) => {
    const { rail } = await railTo({ status: 201, body: { ...CREATED, ...change } })
    expect((await rail.submit(REQUEST)).kind).toBe('unknown')
  })

  // Refused from the start, the wallet was never drawn. A bank that speaks of a refund has had the money.
  it.each([
    ['undeliverable', 'done'],
    ['error', 'done'],
    ['refund_in_flight', 'in_flight'],
    ['refund_failed', 'failed'],
    ['missing_return_policy', 'failed'],
    ['refunded', 'done'],
  ])('as %s has its money back: %s', async (state, refund) => {
    const { rail } = await railTo({ status: 201, body: { ...CREATED, state } })
    expect(await rail.submit(REQUEST)).toMatchObject({ kind: 'accepted', transfer: { state: 'undeliverable', refund } })
  })
})

describe('an address that the bank names as the one there is', () => {
  const OPEN = { id: 'va_1', destination: { bridge_wallet_id: 'wallet_1' } }
  const named = { id: 'la_1', address: '0xfeed', chain: 'base', currency: 'usdc' }
  const opened = async (there: object) => {
    const bank = createProviderBank(await answeringBy(there), null)
    return bank.openTopUp(ACCOUNT, 'k')
  }
  /** The account in pounds is there; the address is refused as a duplicate, and listed so. */
  const answeringBy = async (there: object) => {
    const { client } = await clientTo(said({}))
    client.call = ({ method, path }) => {
      const is = (status: number, body: unknown) => Promise.resolve({ kind: 'answered' as const, status, body })
      if (path.includes('virtual_accounts'))
        return is(200, { data: [{ ...OPEN, source_deposit_instructions: IN_POUNDS }] })
      if (method === 'POST')
        return is(400, (refusal(400, 'duplicate_record', { id: 'la_1' }) as { body: unknown }).body)
      return path.includes('/wallets/') ? is(200, { id: 'wallet_1', address: '0xABC' }) : is(200, { data: [there] })
    }
    return client
  }
  const IN_POUNDS = { account_holder_name: 'a', bank_name: 'b', sort_code: '040004', account_number: '12345670' }

  it('is taken up where it leads to the wallet, or does not say where', async () => {
    expect(await opened({ ...named, destination_address: '0xabc' })).toMatchObject({ chainRef: 'la_1' })
    expect(await opened(named)).toMatchObject({ chainRef: 'la_1' })
  })

  it('is not taken up where it leads elsewhere', async () => {
    await expect(opened({ ...named, destination_address: '0xdead' })).rejects.toThrow('duplicate_record')
  })
})
