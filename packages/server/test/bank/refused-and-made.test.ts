// A bank that says no and has acted: whatever it said, and whoever repeats the request how soon, one key pays once.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { microUsdc } from '../../src/core/money.ts'
import { reconcileBank } from '../../src/domain/banking/reconcile/reconcile-bank.ts'
import { moveByOperator } from '../../src/domain/banking/operator/move-by-operator.ts'
import { sweepTransfers } from '../../src/domain/banking/feeds/sweep-transfers.ts'
import { followPayouts } from '../../src/domain/payouts/follow/follow-payouts.ts'
import type { PayoutRail } from '../../src/rail/port.ts'
import { type BankApp, balanceAtBank, startBankApp } from '../support/bank-app.ts'
import { type PayoutBody, type TestPartner, aRecipient, anIdempotencyKey, balanceOf } from '../support/fixtures.ts'
import { createPayout, get, sql } from '../support/fixtures.ts'
import { type LyingBank, startLyingBank } from '../support/lying-bank.ts'

const FLOAT = 10_000_000_000n
const SENT = 32_070_000n
const POST = 'POST /v0/transfers'
const LIST = 'GET /v0/transfers'
const MINUTE_MS = 60_000
/** The fields that the bank refuses an order for. */
const [ACCOUNT, WALLET, AMOUNT] = [
  'destination.external_account_id',
  'source.bridge_wallet_id',
  'source.amount',
] as const
const GIVEN_UP = 'the bank has a transfer for a payout that was given up'

let test: BankApp
let lying: LyingBank
let partner: TestPartner
beforeAll(async () => {
  test = await startBankApp({
    through: async (bank) => {
      lying = await startLyingBank(bank.provider)
      return lying.provider
    },
  })
  await test.bank.standStill()
})
afterAll(async () => {
  await test.close()
  await lying.close()
})
beforeEach(async () => {
  lying.tellTheTruth()
  lying.refuse(null)
  await test.bank.control('DELETE', '/faults')
  await test.moveClocks(31_000)
  partner = await test.aConnectedPartner()
  // The recipient is known, so that only the transfer is asked for.
  await createPayout(test, partner)
})

const fault = (mode: string, route: string, more: object = {}) =>
  test.bank.control('POST', '/faults', { route, mode, ...more })
const pay = (key: string, body: PayoutBody = {}, at = test) =>
  createPayout(at, partner, body, { 'idempotency-key': key })
const idOf = async (key: string) =>
  (await sql<{ id: string }>(test, 'select id from payouts where idempotency_key = $1 order by id', [key]))[0]!.id
const payout = async (id: string) => (await get(test, partner, `/v1/payouts/${id}`)).json()
const toldOf = (id: string) =>
  test.alarms.filter(({ what, about }) => what === GIVEN_UP && about['payoutId'] === id).length
const transfersOf = async (id: string) =>
  (await test.bank.books()).transfers.filter((each) => each.client_reference_id === id)
const orders = async (id: string) =>
  (await test.bank.requests(POST)).map((each) => each.idempotency_key).filter((key) => key?.startsWith(id) === true)
const tally = (replies: readonly { statusCode: number }[]) =>
  replies.reduce<Record<number, number>>(
    (counts, { statusCode }) => ({ ...counts, [statusCode]: (counts[statusCode] ?? 0) + 1 }),
    {},
  )
const heldBy = async () =>
  (
    await sql<{ held: bigint }>(
      test,
      `select balance as held from ledger_accounts where partner_id = $1 and environment = 'sandbox' and account = 'held'`,
      [partner.id],
    )
  )[0]!.held

/** One round looks at a few wallets, and there is one for each test. */
async function follow(): Promise<void> {
  for (let rounds = 0; rounds < 20 && (await followPayouts(test.deps)) > 0; rounds++);
}

const debit = (reference: string, amount = SENT) =>
  moveByOperator(
    test.deps,
    { partnerId: partner.id, environment: 'sandbox' },
    { kind: 'debit', reference, amount: microUsdc(amount), reason: 'The bank has sent it.' },
  )

/** The bank makes the transfer, and says that it refuses it for this reason. */
async function refusedAndMade(field: string): Promise<{ key: string; id: string }> {
  const key = anIdempotencyKey()
  await fault('refused_after', POST, { key: field })
  const refused = await pay(key)
  expect([422, 502]).toContain(refused.statusCode)
  const id = await idOf(key)
  expect([await transfersOf(id), await balanceOf(test, partner)]).toMatchObject([[{}], FLOAT - SENT])
  return { key, id }
}

/** Its list does not show a payout's transfer, as if it came late. */
const hide = (id: string) =>
  lying.lieAbout('/transfers', (rows) => rows.filter((row) => row['client_reference_id'] !== id))

async function paidOnce(id: string, keys: readonly string[] = [id]): Promise<void> {
  expect(await payout(id)).toMatchObject({ id, status: 'processing' })
  expect([(await orders(id)).toReversed(), await transfersOf(id)]).toMatchObject([keys, [{}]])
  const [ours, theirs] = [await balanceOf(test, partner), await balanceAtBank(test, partner)]
  expect([ours, theirs, await heldBy()]).toEqual([FLOAT - 2n * SENT, FLOAT - 2n * SENT, 0n])
}

describe.each([{ field: ACCOUNT }, { field: WALLET }, { field: AMOUNT }])(
  'a payout that the bank made and refused for its $field',
  ({ field }) => {
    it('is the payout of whoever repeats the request, at once and before any sweep, and somebody is told', async () => {
      const { key, id } = await refusedAndMade(field)
      const again = await pay(key)
      expect([again.statusCode, again.json()]).toMatchObject([201, { id, status: 'processing' }])
      expect(toldOf(id)).toBe(1)
      await paidOnce(id)
      const third = await pay(key)
      expect([third.statusCode, third.headers['idempotent-replayed'], third.json()]).toMatchObject([
        200,
        'true',
        { id },
      ])
      await sweepTransfers(test.deps, 'sandbox')
      await paidOnce(id)
    })

    it('is that of every one of ten who repeat it at once, in two processes', async () => {
      const { key, id } = await refusedAndMade(field)
      const other = await test.anotherInstance()
      const replies = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          createPayout(index % 2 === 0 ? test : other, partner, {}, { 'idempotency-key': key }),
        ),
      )
      expect(tally(replies)).toEqual({ 200: 9, 201: 1 })
      expect(new Set(replies.map((reply) => reply.json<{ id: string }>().id))).toEqual(new Set([id]))
      await paidOnce(id)
    })

    it('is not said to be nothing by a bank that is down, and gives no rate either', async () => {
      const { key, id } = await refusedAndMade(field)
      await test.moveClocks(31_000)
      await test.bank.control('POST', '/faults', { mode: 'down', times: 100 })
      const unsure = await pay(key)
      expect([unsure.statusCode, unsure.json().error.code]).toEqual([503, 'unavailable'])
      expect(unsure.json().error.message).not.toContain('Nothing was sent')
      // Nor to a key that the bank has refused nothing under: there it is certain.
      expect((await pay(anIdempotencyKey())).json().error.message).toContain('Nothing was sent')
      await test.bank.control('DELETE', '/faults')
      await pay(key)
      await paidOnce(id)
    })

    it('is not sent by a request whose lease ended while the list was read, nor by the worker after it', async () => {
      const { key, id } = await refusedAndMade(field)
      const real = test.deps.rails.provider_sandbox
      const slow: PayoutRail = {
        ...real,
        findTransfers: async () => {
          Object.assign(test.deps.rails, { provider_sandbox: real })
          await test.moveClocks(31_000)
          return { own: [], others: [], earlier: [], nameless: [] }
        },
      }
      Object.assign(test.deps.rails, { provider_sandbox: slow })
      await sql(test, 'update payouts set listed_by = now() where id = $1', [id])
      expect((await pay(key)).json()).toMatchObject({ id, status: 'pending' })
      expect(await orders(id)).toEqual([id])
      await test.moveClocks(2_000)
      await follow()
      await paidOnce(id)
    })

    it('closes its key to another request: that is refused, nothing is sent, and somebody is told', async () => {
      const { key, id } = await refusedAndMade(field)
      for (let time = 0; time < 2; time++) {
        const corrected = await pay(key, { recipient: aRecipient({ account_number: '87654321' }) })
        expect([corrected.statusCode, corrected.json().error]).toMatchObject([
          422,
          { code: 'idempotency_key_reused', message: expect.stringContaining(id) as string, details: { fields: [] } },
        ])
        expect(corrected.json().error.message).not.toContain('Nothing was sent')
        expect([await balanceOf(test, partner), await heldBy()]).toEqual([FLOAT - SENT, 0n])
      }
      expect(toldOf(id)).toBe(1)
      expect(await balanceAtBank(test, partner)).toBe(FLOAT - 2n * SENT)
    })
  },
)

describe('a payout that the bank made and refused, and that is repeated', () => {
  it('at another rate, costs what the bank took', async () => {
    const { key, id } = await refusedAndMade(AMOUNT)
    await test.bank.control('POST', '/rate', { rate: '0.81' })
    try {
      const again = await pay(key)
      expect([again.statusCode, again.json()]).toMatchObject([201, { id, status: 'processing' }])
    } finally {
      await test.bank.control('POST', '/rate', { rate: '0.79' })
    }
    await paidOnce(id)
  })

  it.each([
    { why: 'with too little left in the wallet', code: 'insufficient_funds', limit: undefined },
    { why: 'with a limit that is below it', code: 'rate_moved', limit: '1.00' },
  ])('$why, is refused without a word about what became of it', async ({ code, limit }) => {
    const { key, id } = await refusedAndMade(ACCOUNT)
    if (limit === undefined) await debit(anIdempotencyKey(), FLOAT - SENT - 1n)
    const headers = { 'idempotency-key': key, ...(limit === undefined ? {} : { 'max-wallet-debit-usdc': limit }) }
    const { error } = (await createPayout(test, partner, {}, headers)).json()
    expect(error).toMatchObject({ code, message: expect.stringContaining('This request sent nothing.') as string })
    expect(error.message).not.toContain('Nothing was sent')
    expect(error.details.earlier_attempt).toBe(true)
    // A key of its own has sent nothing, and is told so.
    const own = await createPayout(test, partner, {}, { ...headers, 'idempotency-key': anIdempotencyKey() })
    expect(own.json().error).toMatchObject({ code, message: expect.stringContaining('Nothing was sent.') as string })
    expect(own.json().error.details).not.toHaveProperty('earlier_attempt')
    expect(await orders(id)).toEqual([id])
  })
})

describe('a payout that the bank was too busy to take, at two rates,', () => {
  it('had no earlier attempt that could have been made: the refusal of the next says that nothing was sent', async () => {
    const key = anIdempotencyKey()
    await fault('429', POST, { times: 2 })
    expect((await pay(key)).statusCode).toBe(502)
    await test.bank.control('POST', '/rate', { rate: '0.70' })
    await test.moveClocks(MINUTE_MS)
    expect((await pay(key)).statusCode).toBe(502)
    const attempts = await sql(test, 'select bank_attempt from payouts where idempotency_key = $1', [key])
    expect(attempts).toEqual([{ bank_attempt: 2 }])
    const headers = { 'idempotency-key': key, 'max-wallet-debit-usdc': '1.00' }
    const { error } = (await createPayout(test, partner, {}, headers)).json()
    await test.bank.control('POST', '/rate', { rate: '0.79' })
    await test.moveClocks(MINUTE_MS)
    expect(error).toMatchObject({
      code: 'rate_moved',
      message: expect.stringContaining('Nothing was sent.') as string,
    })
    expect(error.details).not.toHaveProperty('earlier_attempt')
    expect(await transfersOf(await idOf(key))).toEqual([])
  })
})

describe('a payout that the bank made and refused, with a list that', () => {
  it.each(['500_before', '429', 'reset_before', 'hang_before', 'malformed_2xx', 'truncated'])(
    'cannot be read because of %s, is not sent again, and nobody is told that nothing was sent',
    async (mode) => {
      const { key, id } = await refusedAndMade(ACCOUNT)
      await fault(mode, LIST, { times: 100, ms: 300 })
      const unsure = await pay(key)
      expect([unsure.statusCode, unsure.json().error.code]).toEqual([503, 'unavailable'])
      expect(unsure.headers['retry-after']).toBe('5')
      expect(unsure.json().error.message).not.toContain('Nothing was sent')
      expect([await orders(id), await balanceOf(test, partner), await heldBy()]).toEqual([[id], FLOAT - SENT, 0n])
      await test.bank.control('DELETE', '/faults')
      expect((await pay(key)).json()).toMatchObject({ id, status: 'processing' })
      await paidOnce(id)
    },
  )

  it('takes its time, is found all the same', async () => {
    const { key, id } = await refusedAndMade(ACCOUNT)
    await fault('slow', LIST, { ms: 700 })
    expect((await pay(key)).json()).toMatchObject({ id, status: 'processing' })
    await paidOnce(id)
  })
})

describe('a payout that the bank made and refused, and lists late', () => {
  it.each([
    { field: ACCOUNT, status: 422, said: 'recipient_account_rejected', details: { earlier_attempt: true } },
    // A code of doubt by itself.
    { field: WALLET, status: 409, said: 'idempotency_key_in_progress', details: undefined },
    { field: AMOUNT, status: 409, said: 'idempotency_key_in_progress', details: undefined },
  ])('after $field is not sent again within the hour, however often, and is found when it is there', async (each) => {
    const { key, id } = await refusedAndMade(each.field)
    hide(id)
    for (const pause of [0, 20, 39]) {
      await test.moveClocks(pause * MINUTE_MS)
      const soon = await pay(key)
      expect([soon.statusCode, soon.json().error.code]).toEqual([each.status, each.said])
      expect(soon.json().error.message).not.toContain('Nothing was sent')
      expect(soon.json().error.details).toEqual(each.details)
      expect([await orders(id), await balanceOf(test, partner), await heldBy()]).toEqual([[id], FLOAT - SENT, 0n])
    }
    lying.tellTheTruth()
    expect((await pay(key)).json()).toMatchObject({ id, status: 'processing' })
    await paidOnce(id)
  })

  it('keeps another request with its key waiting too, because the money is missing', async () => {
    const { key, id } = await refusedAndMade(ACCOUNT)
    hide(id)
    const other = { recipient: aRecipient({ account_number: '87654321' }) }
    const soon = await pay(key, other)
    expect([soon.statusCode, soon.json().error.code]).toEqual([409, 'idempotency_key_in_progress'])
    lying.tellTheTruth()
    expect((await pay(key, other)).json().error).toMatchObject({ message: expect.stringContaining(id) as string })
    expect([await balanceOf(test, partner), await heldBy()]).toEqual([FLOAT - SENT, 0n])
    expect(await balanceAtBank(test, partner)).toBe(FLOAT - 2n * SENT)
  })

  it('says how long it takes until the key can be used', async () => {
    const { key, id } = await refusedAndMade(WALLET)
    hide(id)
    await test.moveClocks(20 * MINUTE_MS)
    const seconds = Number((await pay(key)).headers['retry-after'])
    expect(seconds).toBeGreaterThan(39 * 60)
    expect(seconds).toBeLessThanOrEqual(40 * 60)
  })
})

describe('a payout that the bank refused and did not make', () => {
  async function refused(field: string): Promise<{ key: string; id: string }> {
    const key = anIdempotencyKey()
    lying.refuse(({ method, path }) =>
      method === 'POST' && path === '/transfers' ? { status: 400, key: field } : null,
    )
    expect([422, 502]).toContain((await pay(key)).statusCode)
    lying.refuse(null)
    return { key, id: await idOf(key) }
  }

  it('because of its account is sent under a new key an hour later, once, when the list does not have it', async () => {
    const { key, id } = await refused(ACCOUNT)
    await test.moveClocks(59 * MINUTE_MS)
    expect((await pay(key)).json().error.code).toBe('recipient_account_rejected')
    expect(await orders(id)).toEqual([])
    await test.moveClocks(MINUTE_MS)
    const other = await test.anotherInstance()
    const replies = await Promise.all([pay(key), pay(key, {}, other as BankApp), pay(key)])
    expect(tally(replies)).toEqual({ 200: 2, 201: 1 })
    await paidOnce(id, [`${id}:2`])
    expect(toldOf(id)).toBe(0)
  })

  it.each([WALLET, AMOUNT])(
    'for its %s is sent at once, when the list does not have it and the wallet is whole',
    async (field) => {
      const { key, id } = await refused(field)
      await fault('500_before', 'GET /v0/customers/{customerId}/wallets/{walletId}')
      expect((await pay(key)).json().error.code).toBe('unavailable')
      expect([await orders(id), await balanceOf(test, partner), await heldBy()]).toEqual([[], FLOAT - SENT, 0n])
      const other = await test.anotherInstance()
      expect(tally(await Promise.all([pay(key), pay(key, {}, other as BankApp)]))).toEqual({ 200: 1, 201: 1 })
      await paidOnce(id, [`${id}:2`])
    },
  )

  it('makes room for another request at once, when the list does not have it', async () => {
    const { key } = await refused(ACCOUNT)
    const before = lying.asked('/transfers')
    const corrected = await pay(key, { recipient: aRecipient({ first_name: 'Ada', account_number: '87654321' }) })
    expect(corrected.statusCode).toBe(201)
    // The list, and the order.
    expect(lying.asked('/transfers') - before).toBe(2)
    await paidOnce(corrected.json<{ id: string }>().id)
  })

  it('makes no room for another request while the list cannot be read', async () => {
    const { key } = await refused(ACCOUNT)
    await fault('500_before', LIST)
    const other = { recipient: aRecipient({ first_name: 'Ada', account_number: '87654321' }) }
    const unsure = await pay(key, other)
    expect([unsure.statusCode, unsure.json().error.code]).toEqual([503, 'unavailable'])
    expect([await balanceOf(test, partner), await heldBy()]).toEqual([FLOAT - SENT, 0n])
    const paid = await pay(key, other)
    await paidOnce(paid.json<{ id: string }>().id)
  })
})

describe('a payout that the bank made and refused, and the operator who pays for it by hand', () => {
  const expectBothAgree = async () =>
    expect([await balanceOf(test, partner), await balanceAtBank(test, partner), await heldBy()]).toEqual([
      FLOAT - 2n * SENT,
      FLOAT - 2n * SENT,
      0n,
    ])
  const expectClosed = async (key: string, id: string, body: PayoutBody = {}) => {
    const reply = await pay(key, body)
    expect([reply.statusCode, reply.json().error]).toMatchObject([
      422,
      { code: 'idempotency_key_reused', message: expect.stringContaining(id) as string, details: { fields: [] } },
    ])
    expect(reply.json().error.message).not.toContain('Nothing was sent')
  }
  const otherBody = { recipient: aRecipient({ account_number: '87654321' }) }

  it.each(['payout', 'transfer'])('under %s: closes its key, whatever is asked for with it', async (named) => {
    const { key, id } = await refusedAndMade(AMOUNT)
    await sweepTransfers(test.deps, 'sandbox')
    const reference = named === 'payout' ? `payout:${id}` : `transfer:${(await transfersOf(id))[0]!.id}`
    expect(await debit(reference)).toMatchObject({ isRepeated: false })
    for (const body of [{}, otherBody, {}]) await expectClosed(key, id, body)
    expect(await debit(reference)).toMatchObject({ isRepeated: true })
    expect(await orders(id)).toEqual([id])
    await expectBothAgree()
    const breaks = await reconcileBank(test.deps, 'sandbox')
    expect(breaks.filter(({ partnerId }) => partnerId === partner.id)).toEqual([])
  })

  it('after another request had its key: it stays closed, to that one too', async () => {
    const { key, id } = await refusedAndMade(ACCOUNT)
    await expectClosed(key, id, otherBody)
    await debit(`payout:${id}`)
    // Not even a bank that shows nothing opens it again.
    hide(id)
    for (const body of [otherBody, {}, otherBody]) await expectClosed(key, id, body)
    expect(await orders(id)).toEqual([id])
    await expectBothAgree()
  })

  it.each(['payout', 'transfer'])(
    'under %s: is refused once a repeated request has taken the transfer',
    async (named) => {
      const { key, id } = await refusedAndMade(WALLET)
      expect((await pay(key)).statusCode).toBe(201)
      const reference = named === 'payout' ? `payout:${id}` : `transfer:${(await transfersOf(id))[0]!.id}`
      await expect(debit(reference)).rejects.toThrow(/on_its_way.*a second time.*Nothing was moved/)
      await expectBothAgree()
    },
  )

  it('is refused while a repeated request is in doubt', async () => {
    const { key, id } = await refusedAndMade(ACCOUNT)
    await sweepTransfers(test.deps, 'sandbox')
    lying.refuse(({ path }) => (path.startsWith('/transfers/') ? 500 : null))
    expect((await pay(key)).json()).toMatchObject({ id, status: 'pending' })
    for (const named of [`payout:${id}`, `transfer:${(await transfersOf(id))[0]!.id}`]) {
      await expect(debit(named)).rejects.toThrow(/in_doubt.*a second time/)
    }
    lying.refuse(null)
    await test.moveClocks(2_000)
    await follow()
    await paidOnce(id)
  })

  /** Lets what is under way go on a little. */
  const turns = async (count: number) => {
    for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
  }

  it('at the same moment as a repeated request: one of the two, and the books are right', async () => {
    for (let round = 0; round < 4; round++) {
      partner = await test.aConnectedPartner()
      expect((await createPayout(test, partner)).statusCode).toBe(201)
      const { key, id } = await refusedAndMade(AMOUNT)
      const [paid, debited] = await Promise.all([
        pay(key),
        turns(round * 8)
          .then(() => debit(`payout:${id}`))
          .then(
            () => true,
            () => false,
          ),
      ])
      expect(paid.statusCode).toBe(debited ? 422 : 201)
      if (!debited) await paidOnce(id)
      await expectBothAgree()
    }
  })

  it('is refused for a payout that this wallet does not have', async () => {
    await expect(debit('payout:0190a000-0000-7000-8000-000000000000')).rejects.toThrow(/has no payout/)
    expect(await balanceOf(test, partner)).toBe(FLOAT - SENT)
  })
})

describe('what a payout asks the bank', () => {
  const asked = async (work: () => Promise<unknown>) => {
    const before = lying.log.length
    await work()
    return lying.log.slice(before).filter((each) => each !== 'GET /exchange_rates')
  }

  it('is one order if the recipient is known, one for a repeat after 429, and none for a replay', async () => {
    expect(await asked(() => pay(anIdempotencyKey()))).toEqual(['POST /transfers'])
    const key = anIdempotencyKey()
    await fault('429', POST)
    expect(await asked(() => pay(key))).toEqual(['POST /transfers'])
    expect(await asked(() => pay(key))).toEqual(['POST /transfers'])
    expect(await asked(() => pay(key))).toEqual([])
  })

  it('is the recipient before that, if it is new', async () => {
    const recipient = aRecipient({ first_name: 'Grace', account_number: '87654322' })
    expect(await asked(() => pay(anIdempotencyKey(), { recipient }))).toEqual([
      expect.stringMatching(/^POST \/customers\/[^/]+\/external_accounts$/),
      'POST /transfers',
    ])
  })

  it('is the list, if the bank has forgotten the key of an attempt that it turned away', async () => {
    const key = anIdempotencyKey()
    await fault('429', POST)
    await pay(key)
    await test.moveClocks(24 * 60 * MINUTE_MS)
    expect(await asked(() => pay(key))).toEqual(['GET /transfers', 'POST /transfers'])
  })
})

describe('a bank that answers an order with `undeliverable`, and has drawn the wallet', () => {
  const breaks = async () =>
    (await reconcileBank(test.deps, 'sandbox')).filter(({ partnerId }) => partnerId === partner.id)

  it('is told of at the next look at its list, and the books say by how much it is off', async () => {
    lying.lieAbout('POST /transfers', ([transfer]) => [{ ...transfer, state: 'undeliverable' }])
    const { id } = (await pay(anIdempotencyKey())).json<{ id: string }>()
    lying.tellTheTruth()
    // By the bank's own word nothing was taken, so the partner has it back.
    expect(await payout(id)).toMatchObject({ status: 'failed' })
    expect([await balanceOf(test, partner), await balanceAtBank(test, partner)]).toEqual([
      FLOAT - SENT,
      FLOAT - 2n * SENT,
    ])
    await test.moveClocks(31_000)
    await sweepTransfers(test.deps, 'sandbox')
    const told = test.alarms.filter(({ about }) => about['payoutId'] === id)
    expect(told.map(({ what }) => what)).toEqual(['the bank contradicts what it said of a payout'])
    expect(await breaks()).toMatchObject([
      { check: 'status_differs', about: id },
      {
        check: 'wallet_differs',
        detail: expect.stringContaining(`${FLOAT - 2n * SENT}`) as string,
      },
    ])
    // The bank mends itself: it gives back what it took, and the books agree again.
    const [made] = await transfersOf(id)
    for (const step of ['undeliver', 'refund']) await test.bank.control('POST', `/transfers/${made!.id}/${step}`)
    await sweepTransfers(test.deps, 'sandbox')
    expect(await balanceOf(test, partner)).toBe(FLOAT - SENT)
    expect(await balanceAtBank(test, partner)).toBe(FLOAT - SENT)
    expect(await breaks()).toEqual([])
  })
})
