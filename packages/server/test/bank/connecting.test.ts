// A sandbox is brought to the bank in the background: a customer, a wallet and two ways in, each once, whatever breaks.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { microUsdc } from '../../src/core/money.ts'
import { connectPause } from '../../src/domain/banking/sandbox/connect-later.ts'
import { connectWallets } from '../../src/domain/banking/sandbox/connect-wallets.ts'
import { moveByOperator } from '../../src/domain/banking/operator/move-by-operator.ts'
import { sweepDeposits } from '../../src/domain/banking/feeds/credit-deposits.ts'
import { listNotConnected } from '../../src/domain/banking/verification/live-standing.ts'
import { reconcileBank } from '../../src/domain/banking/reconcile/reconcile-bank.ts'
import { type BankApp, accountAtBank, balanceAtBank, startBankApp } from '../support/bank-app.ts'
import { type TestPartner, balanceOf, createPayout, get, sql } from '../support/fixtures.ts'

const FLOAT = 10_000_000_000n
const HOUR_MS = 60 * 60 * 1_000
/** After the first try in vain, the next one is due. */
const SOON_MS = connectPause(1)

let test: BankApp
beforeAll(async () => {
  test = await startBankApp()
})
afterAll(() => test.close())

interface Opened {
  readonly customers: number
  readonly wallets: number
  readonly accounts: number
  readonly addresses: number
}

/** What is opened at the bank meanwhile. */
async function opened(during: () => Promise<unknown>): Promise<Opened> {
  const count = async () => {
    const [row] = await test.bank.query<Opened>(`select
      (select count(*)::int from customers) as customers, (select count(*)::int from wallets) as wallets,
      (select count(*)::int from virtual_accounts) as accounts,
      (select count(*)::int from liquidation_addresses) as addresses`)
    return row!
  }
  const before = await count()
  await during()
  const after = await count()
  return {
    customers: after.customers - before.customers,
    wallets: after.wallets - before.wallets,
    accounts: after.accounts - before.accounts,
    addresses: after.addresses - before.addresses,
  }
}

const ONE_OF_EACH: Opened = { customers: 1, wallets: 1, accounts: 1, addresses: 1 }

const missingFor = async (partner: TestPartner) =>
  (await get(test, partner, '/v1/funding')).json<{ missing: string[] }>().missing
const railOf = async (partner: TestPartner) => (await get(test, partner, '/v1/account')).json<{ rail: string }>().rail

async function expectConnected(partner: TestPartner): Promise<void> {
  expect(await railOf(partner)).toBe('provider_sandbox')
  expect(await balanceOf(test, partner)).toBe(await balanceAtBank(test, partner))
  expect(await reconcileBank(test.deps, 'sandbox')).toEqual([])
}

describe('connecting a sandbox', () => {
  it('opens one of each at the bank, and the wallet is the bank’s from then on', async () => {
    const partner = await test.anUnconnectedPartner()
    expect(await railOf(partner)).toBe('simulated')
    expect(await opened(() => connectWallets(test.deps, 'sandbox'))).toEqual(ONE_OF_EACH)
    await expectConnected(partner)
    expect(await balanceOf(test, partner)).toBe(FLOAT)
    expect(await opened(() => connectWallets(test.deps, 'sandbox'))).toEqual({
      customers: 0,
      wallets: 0,
      accounts: 0,
      addresses: 0,
    })
  })

  it('by four at once, over two services, opens one of each', async () => {
    const other = await test.anotherInstance()
    const partner = await test.anUnconnectedPartner()
    const connect = () => Promise.all([test, other, test, other].map(({ deps }) => connectWallets(deps, 'sandbox')))
    let connected: number[] = []
    expect(await opened(async () => (connected = await connect()))).toEqual(ONE_OF_EACH)
    expect(connected.reduce((sum, count) => sum + count, 0)).toBe(1)
    await expectConnected(partner)
    expect(await balanceOf(test, partner)).toBe(FLOAT)
  })

  const STEPS = [
    'POST /v0/customers',
    'POST /v0/customers/{customerId}/simulate_kyc_approval',
    'POST /v0/customers/{customerId}/wallets',
    'POST /v0/customers/{customerId}/virtual_accounts',
    'POST /v0/customers/{customerId}/liquidation_addresses',
    'GET /v0/customers/{customerId}/wallets/{walletId}',
  ]
  const BREAKS = STEPS.flatMap((route) =>
    ['reset_before', 'reset_after', 'malformed_2xx'].map((mode) => ({ route, mode })),
  )

  it.each(BREAKS)('that breaks off with $mode at $route is finished by the next round', async ({ route, mode }) => {
    const partner = await test.anUnconnectedPartner()
    const all = await opened(async () => {
      await test.bank.control('POST', '/faults', { route, mode })
      await expect(connectWallets(test.deps, 'sandbox')).rejects.toThrow(/^The bank/)
      // Until then the partner pays over the simulated rail, and notices nothing.
      expect(await railOf(partner)).toBe('simulated')
      await test.moveClocks(SOON_MS)
      expect(await connectWallets(test.deps, 'sandbox')).toBe(1)
    })
    expect(all).toEqual(ONE_OF_EACH)
    await expectConnected(partner)
  })

  it('that broke off more than a day ago is finished too', async () => {
    const partner = await test.anUnconnectedPartner()
    let walletRef = ''
    const all = await opened(async () => {
      await test.bank.control('POST', '/faults', { route: STEPS.at(-1), mode: 'reset_before' })
      await expect(connectWallets(test.deps, 'sandbox')).rejects.toThrow(/^The bank/)
      const [wallet] = await test.bank.query<{ id: string }>('select id from wallets order by seq desc limit 1')
      walletRef = wallet!.id
      await test.moveClocks(25 * HOUR_MS)
      await connectWallets(test.deps, 'sandbox').catch(() => 0)
    })
    expect(all).toEqual(ONE_OF_EACH)
    expect(await railOf(partner)).toBe('provider_sandbox')
    expect(await accountAtBank(test, partner)).toMatchObject({ walletRef })
  })
})

describe('a sandbox that is in use', () => {
  let busy: BankApp
  beforeAll(async () => {
    busy = await startBankApp()
  })
  afterAll(() => busy.close())

  const railIn = async (partner: TestPartner) => (await get(busy, partner, '/v1/account')).json<{ rail: string }>().rail
  const statusOf = async (partner: TestPartner, id: string) =>
    (await get(busy, partner, `/v1/payouts/${id}`)).json<{ status: string }>().status

  it('is connected although money is under way over the simulated rail, where it ends as it began', async () => {
    const partner = await busy.anUnconnectedPartner()
    const created = await createPayout(busy, partner, { reference: 'sandbox:late' })
    expect(created.json()).toMatchObject({ status: 'pending' })
    const { id } = created.json<{ id: string }>()
    expect(await connectWallets(busy.deps, 'sandbox')).toBe(1)
    expect(await railIn(partner)).toBe('provider_sandbox')
    for (let round = 0; round < 3; round++) await busy.pass(3_000)
    expect(await statusOf(partner, id)).toBe('completed')
    expect(await balanceOf(busy, partner)).toBe(FLOAT)
    expect((await busy.bank.books()).transfers.filter((each) => each.client_reference_id === id)).toEqual([])
    expect(await reconcileBank(busy.deps, 'sandbox')).toEqual([])
  })

  it('keeps what the operator had put in, and what is put in while it is being connected', async () => {
    const partner = await busy.anUnconnectedPartner()
    const scope = { partnerId: partner.id, environment: 'sandbox' as const }
    const credit = (reference: string) =>
      moveByOperator(busy.deps, scope, {
        kind: 'credit',
        reference,
        amount: microUsdc(500_000_000_000n),
        reason: 'more test money',
      })
    await credit('one')
    await createPayout(busy, partner)
    const [connected] = await Promise.all([connectWallets(busy.deps, 'sandbox'), credit('two')])
    await connectWallets(busy.deps, 'sandbox')
    expect([connected, await railIn(partner)]).toEqual([expect.any(Number), 'provider_sandbox'])
    expect(await credit('three')).toEqual({ balance: FLOAT + 1_500_000_000_000n, isRepeated: false })
    expect(await balanceAtBank(busy, partner)).toBe(FLOAT + 1_500_000_000_000n)
    await sweepDeposits(busy.deps, 'sandbox')
    expect(await balanceOf(busy, partner)).toBe(FLOAT + 1_500_000_000_000n)
    expect(await reconcileBank(busy.deps, 'sandbox')).toEqual([])
  })

  it('is connected although a payout is under way for good, which stays where it began', async () => {
    const partner = await busy.anUnconnectedPartner()
    const { id } = (await createPayout(busy, partner, { reference: 'sandbox:hold' })).json<{ id: string }>()
    expect(await connectWallets(busy.deps, 'sandbox')).toBe(1)
    await busy.pass(61_000)
    expect(await statusOf(partner, id)).toBe('processing')
    expect(await balanceOf(busy, partner)).toBe(FLOAT)
    expect(await reconcileBank(busy.deps, 'sandbox')).toEqual([])
  })

  /** A round leaves out a wallet that a payout holds at that moment; the next one takes it. */
  const connectedOnceFree = async () => {
    while ((await connectWallets(busy.deps, 'sandbox')) === 0);
  }

  it('agrees with the bank when it is connected in the middle of payouts', async () => {
    for (let round = 0; round < 4; round++) {
      const partner = await busy.anUnconnectedPartner()
      const connecting = connectedOnceFree()
      const until = new AbortController()
      const payUntilConnected = async () => {
        while (!until.signal.aborted) expect((await createPayout(busy, partner)).statusCode).toBe(201)
      }
      const paying = Promise.all(Array.from({ length: 8 }, payUntilConnected))
      await connecting
      until.abort()
      await paying
      for (let pass = 0; pass < 3; pass++) await busy.pass(5_000)
      expect(await railIn(partner)).toBe('provider_sandbox')
      expect(await balanceOf(busy, partner)).toBe(await balanceAtBank(busy, partner))
    }
    expect(await reconcileBank(busy.deps, 'sandbox')).toEqual([])
  })

  const MOMENTS = ['return', 'fail', 'cancel'].flatMap((story) => [0, 2_500, 4_500].map((ms) => ({ story, ms })))

  it.each(MOMENTS)(
    'that is sent money back by sandbox:$story agrees with the bank, connected after $ms ms',
    async ({ story, ms }) => {
      const partner = await busy.anUnconnectedPartner()
      const created = await createPayout(busy, partner, { reference: `sandbox:${story}` })
      await busy.pass(ms)
      await connectWallets(busy.deps, 'sandbox')
      for (let round = 0; round < 3; round++) await busy.pass(10_000)
      await connectWallets(busy.deps, 'sandbox')
      const ends = { return: 'returned', fail: 'failed', cancel: 'cancelled' }
      expect(await statusOf(partner, created.json<{ id: string }>().id)).toBe(ends[story as keyof typeof ends])
      expect(await railIn(partner)).toBe('provider_sandbox')
      expect(await balanceOf(busy, partner)).toBe(await balanceAtBank(busy, partner))
    },
  )
})

/** The keys under which something was asked for a partner, the oldest first. */
async function keysOf(partner: TestPartner, route: string): Promise<readonly (string | null)[]> {
  const keys = (await test.bank.requests(route)).map((each) => each.idempotency_key)
  return keys.filter((key) => key?.includes(partner.id)).toReversed()
}

describe('a customer of the bank’s sandbox', () => {
  const WALLETS = 'POST /v0/customers/{customerId}/wallets'

  it('is asked to be approved for pounds too, has an email of its own, and is approved by the simulation', async () => {
    const partner = await test.aConnectedPartner()
    const { holderRef } = await accountAtBank(test, partner)
    const [customer] = await test.bank.query('select email, status from customers where id = $1', [holderRef])
    expect(customer).toEqual({ email: `${partner.id}@example.com`, status: 'active' })
    const endorsed = await test.bank.query('select name, status from endorsements where customer_id = $1', [holderRef])
    expect(endorsed).toEqual([
      { name: 'base', status: 'approved' },
      { name: 'faster_payments', status: 'approved' },
    ])
  })

  it('is another one for the second business of one person: both connect', async () => {
    const [one, other] = [await test.anUnconnectedPartner(), await test.anUnconnectedPartner()]
    await sql(test, `update partners set name = 'Same Ltd', contact_email = 'owner@same.test' where id = any($1)`, [
      [one.id, other.id],
    ])
    expect(await connectWallets(test.deps, 'sandbox')).toBe(2)
    await expectConnected(one)
    await expectConnected(other)
    const [first, second] = [await accountAtBank(test, one), await accountAtBank(test, other)]
    expect(first.holderRef).not.toBe(second.holderRef)
  })

  it('is found by its email when the bank forgot the key, and is not made twice', async () => {
    const partner = await test.anUnconnectedPartner()
    const all = await opened(async () => {
      await test.bank.control('POST', '/faults', { route: 'POST /v0/customers', mode: 'reset_after' })
      await expect(connectWallets(test.deps, 'sandbox')).rejects.toThrow(/^The bank/)
      await test.moveClocks(25 * HOUR_MS)
      expect(await connectWallets(test.deps, 'sandbox')).toBe(1)
    })
    expect(all).toEqual(ONE_OF_EACH)
    await expectConnected(partner)
  })

  it('whose wallet was made although the bank said no has one wallet all the same', async () => {
    const partner = await test.anUnconnectedPartner()
    const all = await opened(async () => {
      for (const [tries, mode] of ['reset_before', 'refused_after'].entries()) {
        await test.bank.control('POST', '/faults', { route: WALLETS, mode })
        await connectWallets(test.deps, 'sandbox').catch(() => 0)
        await test.moveClocks(connectPause(tries + 1))
      }
      await connectWallets(test.deps, 'sandbox')
    })
    expect(all).toEqual(ONE_OF_EACH)
    // After no answer the key is the same.
    const key = `wallet:sandbox:${partner.id}`
    expect((await keysOf(partner, WALLETS)).slice(0, 2)).toEqual([key, key])
    await expectConnected(partner)
  })
})

describe('a wallet that cannot be connected', () => {
  const APPROVE = 'POST /v0/customers/{customerId}/simulate_kyc_approval'
  const tried = async () => (await test.bank.requests()).length

  it('is tried less and less often, at most every quarter of an hour, by two workers no more than by one', async () => {
    const other = await test.anotherInstance()
    const partner = await test.anUnconnectedPartner()
    await test.bank.control('POST', '/faults', { route: APPROVE, mode: '500_before', times: 50 })
    const pauses: number[] = []
    for (let tries = 1; tries <= 12; tries++) {
      const before = await tried()
      const all = await Promise.allSettled([test, other, test].map(({ deps }) => connectWallets(deps, 'sandbox')))
      expect(all.filter(({ status }) => status === 'rejected')).toHaveLength(1)
      const after = await tried()
      expect(after - before).toBeLessThan(5)
      // A try or two in vain is nothing to tell the business of.
      expect((await missingFor(partner)).length).toBe(tries < 3 ? 0 : 1)
      await test.moveClocks(connectPause(tries) - 1_000)
      // By whichever process: before its time nothing is asked. The clocks run on, so the shortest pauses prove nothing.
      const early = tries > 5 ? await connectWallets((tries % 2 === 0 ? test : other).deps, 'sandbox') : 0
      expect([early, await tried()]).toEqual([0, after])
      await test.moveClocks(1_000)
      pauses.push(connectPause(tries) / 1_000)
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
    expect(test.alarms.at(-1)).toEqual({
      what: 'a wallet cannot be opened at the bank',
      about: { partnerId: partner.id, environment: 'sandbox' },
    })
    expect(await listNotConnected(test.deps)).toMatchObject([
      { slug: partner.slug, environment: 'sandbox', isHalf: false, tries: 12, trouble: expect.stringMatching(/500/) },
    ])
    // The business reads that it waits, and for what; the bank's own words are the operator's.
    expect(await missingFor(partner)).toEqual([expect.stringMatching(/^The wallet: .*payouts here are simulated/)])
    await test.bank.control('DELETE', '/faults')
    expect(await connectWallets(test.deps, 'sandbox')).toBe(1)
    await expectConnected(partner)
    expect(await listNotConnected(test.deps)).toEqual([])
    expect(await missingFor(partner)).toEqual([])
  })

  it('does not keep another one waiting', async () => {
    const stuck = await test.anUnconnectedPartner()
    await test.bank.control('POST', '/faults', { route: 'POST /v0/customers', mode: '500_before' })
    await expect(connectWallets(test.deps, 'sandbox')).rejects.toThrow(/^The bank/)
    const next = await test.anUnconnectedPartner()
    expect(await connectWallets(test.deps, 'sandbox')).toBe(1)
    expect([await railOf(stuck), await railOf(next)]).toEqual(['simulated', 'provider_sandbox'])
    await test.moveClocks(SOON_MS)
    expect(await connectWallets(test.deps, 'sandbox')).toBe(1)
  })

  it('is taken over when whoever was at it died', async () => {
    const partner = await test.anUnconnectedPartner()
    await sql(test, `update wallets set connect_at = $2 where partner_id = $1 and environment = 'sandbox'`, [
      partner.id,
      new Date(test.clock.now().getTime() + 120_000),
    ])
    expect(await connectWallets(test.deps, 'sandbox')).toBe(0)
    await test.moveClocks(121_000)
    expect(await connectWallets(test.deps, 'sandbox')).toBe(1)
    await expectConnected(partner)
  })
})

describe('a bank that has not switched pounds on', () => {
  const offer = (offered: boolean) => test.bank.control('POST', '/terms', { not_enabled: offered ? [] : ['gbp'] })

  it('gives a wallet and an address for USDC all the same; the account in pounds is named as missing, and follows', async () => {
    await offer(false)
    const partner = await test.anUnconnectedPartner()
    try {
      expect(await connectWallets(test.deps, 'sandbox')).toBe(1)
      await expectConnected(partner)
      const funding = async () => (await get(test, partner, '/v1/funding')).json<Record<string, unknown>>()
      expect(await funding()).toMatchObject({ bank_transfer: null, onchain: { address: expect.stringMatching(/^0x/) } })
      expect(await listNotConnected(test.deps)).toMatchObject([
        { slug: partner.slug, isHalf: true, trouble: expect.stringMatching(/^No account in pounds.*faster_payments/) },
      ])
      expect(await missingFor(partner)).toEqual([expect.stringMatching(/^Bank transfers: /)])
      await test.moveClocks(connectPause(1))
      await expect(connectWallets(test.deps, 'sandbox')).rejects.toThrow(/^No account in pounds/)
      await offer(true)
      await test.moveClocks(connectPause(2))
      expect(await connectWallets(test.deps, 'sandbox')).toBe(1)
      expect(await funding()).toMatchObject({ bank_transfer: { sort_code: '999999' } })
      // The bank may keep a refusal under its key: each one is followed by another key.
      const key = `virtual-account:sandbox:${partner.id}`
      const keys = await keysOf(partner, 'POST /v0/customers/{customerId}/virtual_accounts')
      expect(keys).toEqual([key, `${key}:1`, `${key}:2`])
      expect(await listNotConnected(test.deps)).toEqual([])
      const { walletRef } = await accountAtBank(test, partner)
      await test.bank.control('POST', `/wallets/${walletRef}/credit`, { source: 'bank', amount_gbp: '79.00' })
      await sweepDeposits(test.deps, 'sandbox')
      await expectConnected(partner)
      expect(await balanceOf(test, partner)).toBe(FLOAT + 100_000_000n)
    } finally {
      await offer(true)
    }
  })
})
