// Top-ups: what arrives at the bank, by transfer or on chain, is in the wallet once, whoever tells us and however often.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { handleBankEvents } from '../../src/domain/banking/feeds/bank-events.ts'
import { connectPause } from '../../src/domain/banking/sandbox/connect-later.ts'
import { connectWallets } from '../../src/domain/banking/sandbox/connect-wallets.ts'
import { creditNamedDeposit, sweepDeposits } from '../../src/domain/banking/feeds/credit-deposits.ts'
import { reconcileBank } from '../../src/domain/banking/reconcile/reconcile-bank.ts'
import { type BankApp, accountAtBank, balanceAtBank, startBankApp } from '../support/bank-app.ts'
import { type TestPartner, balanceOf, get, sql } from '../support/fixtures.ts'

const FLOAT = 10_000_000_000n

let test: BankApp
beforeAll(async () => {
  test = await startBankApp()
})
afterAll(() => test.close())

type Credit = { source: 'bank'; amount_gbp: string } | { source: 'bank' | 'onchain'; amount: string }

/** Money arrives at the partner's wallet at the bank; the bank's id of the deposit. */
async function arrives(partner: TestPartner, credit: Credit): Promise<string> {
  const { walletRef } = await accountAtBank(test, partner)
  const answer = await test.bank.control<{ deposit_id: string }>('POST', `/wallets/${walletRef}/credit`, credit)
  return answer.deposit_id
}

async function deposits(partner: TestPartner): Promise<{ id: string; source: string; usdc: string }[]> {
  const { deposits: shown } = (await get(test, partner, '/v1/funding')).json<{
    deposits: { id: string; source: string; usdc: string; received_at: string }[]
  }>()
  return shown.map(({ id, source, usdc }) => ({ id, source, usdc }))
}

/** The credits in the ledger besides the float that the wallet began with. */
function credits(partner: TestPartner): Promise<{ amount: bigint; note: string }[]> {
  return sql(
    test,
    `select amount, note from ledger_entries
        where partner_id = $1 and kind = 'credit' and to_account = 'available' and note like 'Top-up%' order by id`,
    [partner.id],
  )
}

const aFloat = {
  id: expect.any(String),
  source: 'operator',
  usdc: '10000.00',
  at: expect.any(String),
  note: expect.any(String),
}

describe('how to top up', () => {
  it('is shown with bank details and an address, and no deposits yet', async () => {
    const partner = await test.aConnectedPartner()
    expect((await get(test, partner, '/v1/funding')).json()).toEqual({
      object: 'funding',
      bank_transfer: {
        account_name: expect.any(String),
        bank_name: 'Sandbox Bank',
        sort_code: '999999',
        account_number: expect.stringMatching(/^\d{8}$/),
        reference: null,
      },
      onchain: { currency: 'USDC', chain: 'base', address: expect.stringMatching(/^0x[0-9a-f]{40}$/i) },
      missing: [],
      deposits: [],
      top_ups: [aFloat],
    })
  })

  it('gives the address that feeds the wallet, never the wallet’s own, and the same as the account', async () => {
    const partner = await test.aConnectedPartner()
    const { walletRef } = await accountAtBank(test, partner)
    const [wallet] = await test.bank.query<{ address: string }>('select address from wallets where id = $1', [
      walletRef,
    ])
    const { onchain } = (await get(test, partner, '/v1/funding')).json<{ onchain: { address: string } }>()
    const { funding_wallet } = (await get(test, partner, '/v1/account')).json<{ funding_wallet: { address: string } }>()
    expect(onchain.address).not.toBe(wallet?.address)
    expect(funding_wallet.address).toBe(onchain.address)
  })

  it('is another for another partner', async () => {
    const shown = await Promise.all(
      [await test.aConnectedPartner(), await test.aConnectedPartner()].map(async (partner) => {
        const { bank_transfer, onchain } = (await get(test, partner, '/v1/funding')).json<{
          bank_transfer: { account_number: string }
          onchain: { address: string }
        }>()
        return [bank_transfer.account_number, onchain.address]
      }),
    )
    expect(new Set(shown.flat()).size).toBe(4)
  })

  it('is not known before a bank is connected', async () => {
    const partner = await test.anUnconnectedPartner()
    expect((await get(test, partner, '/v1/funding')).json()).toEqual({
      object: 'funding',
      bank_transfer: null,
      onchain: null,
      missing: [],
      deposits: [],
      top_ups: [aFloat],
    })
    await connectWallets(test.deps, 'sandbox')
  })
})

describe('a deposit', () => {
  it.each([
    {
      name: 'by bank transfer',
      credit: { source: 'bank', amount_gbp: '79.00' },
      source: 'bank',
      words: 'bank transfer',
    },
    { name: 'on chain', credit: { source: 'onchain', amount: '100.00' }, source: 'chain', words: 'USDC' },
  ] as const)('$name is credited once, however often the bank is asked', async ({ credit, source, words }) => {
    const partner = await test.aConnectedPartner()
    const id = await arrives(partner, credit)
    expect(await balanceOf(test, partner)).toBe(FLOAT)
    for (let round = 0; round < 3; round++) {
      await sweepDeposits(test.deps, 'sandbox')
      expect(await balanceOf(test, partner)).toBe(FLOAT + 100_000_000n)
    }
    expect(await deposits(partner)).toEqual([{ id, source, usdc: '100.00' }])
    // All that was put into the wallet, as the statement adds it up.
    const { top_ups: topUps } = (await get(test, partner, '/v1/funding')).json()
    expect(topUps).toEqual([{ id, source, usdc: '100.00', at: expect.any(String), note: null }, aFloat])
    expect(await credits(partner)).toEqual([{ amount: 100_000_000n, note: `Top-up by ${words}: 100.00 USDC` }])
    expect((await get(test, partner, '/v1/balance')).json()).toMatchObject({ usdc: '10100.00', approx_gbp: '7979.00' })
    expect(await balanceAtBank(test, partner)).toBe(FLOAT + 100_000_000n)
  })

  it('of a cent is credited to the cent, and many are credited each', async () => {
    const partner = await test.aConnectedPartner()
    const sent = ['0.01', '0.10', '1.00', '12345.67', '99.99']
    const ids: string[] = []
    for (const [index, amount] of sent.entries()) {
      ids.push(await arrives(partner, { source: index % 2 === 0 ? 'bank' : 'onchain', amount }))
    }
    await sweepDeposits(test.deps, 'sandbox')
    await sweepDeposits(test.deps, 'sandbox')
    expect(await balanceOf(test, partner)).toBe(FLOAT + 12_446_770_000n)
    expect(await balanceAtBank(test, partner)).toBe(FLOAT + 12_446_770_000n)
    const shown = await deposits(partner)
    expect(shown.map((each) => each.usdc).toSorted()).toEqual([...sent].toSorted())
    expect(shown.map((each) => each.id).toSorted()).toEqual(ids.toSorted())
  })

  it('is shown the newest first', async () => {
    const partner = await test.aConnectedPartner()
    const first = await arrives(partner, { source: 'bank', amount: '1.00' })
    await test.moveClocks(1_000)
    const second = await arrives(partner, { source: 'onchain', amount: '2.00' })
    await test.moveClocks(1_000)
    const third = await arrives(partner, { source: 'bank', amount: '3.00' })
    await sweepDeposits(test.deps, 'sandbox')
    expect((await deposits(partner)).map((each) => each.id)).toEqual([third, second, first])
  })

  it('is credited to the partner whose it is, and to nobody else', async () => {
    const [one, other] = [await test.aConnectedPartner(), await test.aConnectedPartner()]
    await arrives(one, { source: 'bank', amount: '10.00' })
    await sweepDeposits(test.deps, 'sandbox')
    expect(await balanceOf(test, one)).toBe(FLOAT + 10_000_000n)
    expect(await balanceOf(test, other)).toBe(FLOAT)
    expect(await deposits(other)).toEqual([])
  })

  it('is credited although more than a page of them arrived at once', async () => {
    const partner = await test.aConnectedPartner()
    for (let sent = 0; sent < 35; sent++) await arrives(partner, { source: 'bank', amount: '1.00' })
    // A deposit by bank is three rows of the bank's list, so these are more than a hundred rows.
    await sweepDeposits(test.deps, 'sandbox')
    expect(await balanceOf(test, partner)).toBe(FLOAT + 35_000_000n)
  })

  it('that came while the list could not be read is credited when it can', async () => {
    const partner = await test.aConnectedPartner()
    await arrives(partner, { source: 'onchain', amount: '5.00' })
    const route = 'GET /v0/liquidation_addresses/drains'
    for (const mode of ['500_before', 'reset_before', 'malformed_2xx', 'truncated', '429']) {
      await test.bank.control('POST', '/faults', { route, mode })
      await expect(sweepDeposits(test.deps, 'sandbox')).rejects.toThrow(/^The bank/)
      expect(await balanceOf(test, partner)).toBe(FLOAT)
    }
    await sweepDeposits(test.deps, 'sandbox')
    expect(await balanceOf(test, partner)).toBe(FLOAT + 5_000_000n)
  })

  it('is credited once by two services that sweep at once', async () => {
    const other = await test.anotherInstance()
    const partner = await test.aConnectedPartner()
    for (let round = 1n; round <= 5n; round++) {
      await arrives(partner, { source: 'bank', amount: '10.00' })
      await arrives(partner, { source: 'onchain', amount: '10.00' })
      const both = [test.deps, other.deps, test.deps, other.deps]
      await Promise.all(both.map((deps) => sweepDeposits(deps, 'sandbox')))
      // The process that found the list taken has read nothing; the next round reads it all.
      await sweepDeposits(test.deps, 'sandbox')
      expect(await balanceOf(test, partner)).toBe(FLOAT + round * 20_000_000n)
    }
    expect(await credits(partner)).toHaveLength(10)
  })

  it('is credited once by its message, the list and the daily read of the whole list, all at once', async () => {
    const other = await test.anotherInstance()
    const partner = await test.aConnectedPartner()
    const named = [
      { source: 'bank', depositRef: await arrives(partner, { source: 'bank', amount: '10.00' }) },
      { source: 'chain', depositRef: await arrives(partner, { source: 'onchain', amount: '10.00' }) },
    ] as const
    await sql(test, `update bank_feeds set read_up_to = '2020-01-01' where feed like 'all_%'`)
    await Promise.all(
      [test.deps, other.deps].flatMap((deps) => [
        ...named.map((each) => creditNamedDeposit(deps, 'sandbox', each)),
        sweepDeposits(deps, 'sandbox'),
        sweepDeposits(deps, 'sandbox', { depth: 'whole' }),
      ]),
    )
    await sweepDeposits(test.deps, 'sandbox')
    expect(await balanceOf(test, partner)).toBe(FLOAT + 20_000_000n)
    expect(await credits(partner)).toHaveLength(2)
    expect(await reconcileBank(test.deps, 'sandbox')).toEqual([])
  })

  it('that arrived before the wallet was connected here is in the wallet once', async () => {
    const partner = await test.anUnconnectedPartner()
    // The wallet is opened at the bank, and we fall over before we have written it down.
    const route = 'GET /v0/customers/{customerID}/wallets/{walletID}'
    await test.bank.control('POST', '/faults', { route, mode: 'reset_before' })
    await expect(connectWallets(test.deps, 'sandbox')).rejects.toThrow(/^The bank/)
    const [wallet] = await test.bank.query<{ id: string }>('select id from wallets order by seq desc limit 1')
    await test.bank.control('POST', `/wallets/${wallet?.id}/credit`, { source: 'onchain', amount: '50.00' })
    await test.moveClocks(connectPause(1))
    await connectWallets(test.deps, 'sandbox')
    expect(await accountAtBank(test, partner)).toMatchObject({ walletRef: wallet?.id })
    await sweepDeposits(test.deps, 'sandbox')
    expect(await balanceAtBank(test, partner)).toBe(FLOAT + 50_000_000n)
    expect(await balanceOf(test, partner)).toBe(FLOAT + 50_000_000n)
  })
})

describe('a deposit for a customer that nobody here knows', () => {
  it('credits nobody and raises an alarm with its id', async () => {
    const [one, other] = [await test.aConnectedPartner(), await test.aConnectedPartner()]
    const before = await Promise.all([balanceOf(test, one), balanceOf(test, other)])
    const stranger = await aStranger()
    const answer = await test.bank.control<{ deposit_id: string }>('POST', `/wallets/${stranger}/credit`, {
      source: 'onchain',
      amount: '777.00',
    })
    const alarmsBefore = test.alarms.length
    await sweepDeposits(test.deps, 'sandbox')
    expect(test.alarms.slice(alarmsBefore)).toEqual([
      { what: 'a deposit is for nobody we know', about: { environment: 'sandbox', depositRef: answer.deposit_id } },
    ])
    expect(await Promise.all([balanceOf(test, one), balanceOf(test, other)])).toEqual(before)
    const kept = await sql(test, 'select 1 from deposits where deposit_ref = $1', [answer.deposit_id])
    expect(kept).toEqual([])
  })

  it('does not hold up the deposits of others', async () => {
    const partner = await test.aConnectedPartner()
    const stranger = await aStranger()
    await test.bank.control('POST', `/wallets/${stranger}/credit`, { source: 'onchain', amount: '777.00' })
    await arrives(partner, { source: 'onchain', amount: '3.00' })
    await sweepDeposits(test.deps, 'sandbox')
    expect(await balanceOf(test, partner)).toBe(FLOAT + 3_000_000n)
  })

  /** A customer with a wallet and an address, made at the bank directly, without the service. */
  async function aStranger(): Promise<string> {
    const headers = (key: string) => ({
      'api-key': test.bank.provider.apiKey,
      'content-type': 'application/json',
      'idempotency-key': `${key}-${Math.trunc(performance.now() * 1_000)}`,
    })
    const ask = async (path: string, body: object): Promise<string> => {
      const reply = await fetch(`${test.bank.provider.baseUrl}${path}`, {
        method: 'POST',
        headers: headers(path),
        body: JSON.stringify(body),
      })
      return ((await reply.json()) as { id: string }).id
    }
    const customer = await ask('/customers', { type: 'business', business_legal_name: 'Stranger' })
    await ask(`/customers/${customer}/simulate_kyc_approval`, {})
    const wallet = await ask(`/customers/${customer}/wallets`, { chain: 'base' })
    const destination = { destination_payment_rail: 'base', destination_currency: 'usdc', bridge_wallet_id: wallet }
    await ask(`/customers/${customer}/liquidation_addresses`, { chain: 'base', currency: 'usdc', ...destination })
    return wallet
  }
})

describe('a deposit of which the bank tells us', () => {
  it('is credited by its message alone, and once with the sweep besides', async () => {
    const heard = await startBankApp()
    try {
      await heard.listen()
      const partner = await heard.aConnectedPartner()
      const { walletRef } = await accountAtBank(heard, partner)
      for (const [index, source] of (['bank', 'onchain'] as const).entries()) {
        await heard.bank.control('POST', `/wallets/${walletRef}/credit`, { source, amount: '25.00' })
        await vi.waitFor(async () => {
          await handleBankEvents(heard.deps)
          expect(await balanceOf(heard, partner)).toBe(FLOAT + BigInt(index + 1) * 25_000_000n)
        }, 20_000)
      }
      await Promise.all([sweepDeposits(heard.deps, 'sandbox'), handleBankEvents(heard.deps)])
      await sweepDeposits(heard.deps, 'sandbox')
      expect(await balanceOf(heard, partner)).toBe(FLOAT + 50_000_000n)
      expect(await reconcileBank(heard.deps, 'sandbox')).toEqual([])
    } finally {
      await heard.close()
    }
  })
})
