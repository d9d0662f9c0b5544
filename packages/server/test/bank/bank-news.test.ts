// News from the bank that does not fit: none of it is dropped in silence, each is told once with its payout, the books say
// where a difference is, and reconciliation names the true cause. The bank's own database is made to lie.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { parseUsdc } from '../../src/core/money.ts'
import { sweepDeposits } from '../../src/domain/banking/feeds/credit-deposits.ts'
import { moveByOperator } from '../../src/domain/banking/operator/move-by-operator.ts'
import { resolvePayout } from '../../src/domain/banking/operator/resolve-payout.ts'
import { reconcileBank } from '../../src/domain/banking/reconcile/reconcile-bank.ts'
import { sweepTransfers } from '../../src/domain/banking/feeds/sweep-transfers.ts'
import { followPayouts } from '../../src/domain/payouts/follow/follow-payouts.ts'
import { recordNews } from '../../src/domain/payouts/record/record-news.ts'
import type { TransferSnapshot } from '../../src/rail/transfer.ts'
import { findBreaks } from '../../src/storage/book-checks.ts'
import { type BankApp, accountAtBank, startBankApp } from '../support/bank-app.ts'
import {
  type TestPartner,
  anIdempotencyKey,
  balanceOf,
  createPayout,
  get,
  setBalance,
  sql,
} from '../support/fixtures.ts'

const FLOAT = 10_000_000_000n
const SENT = 32_070_000n
const DAY_MS = 24 * 60 * 60_000

let test: BankApp
let partner: TestPartner
beforeAll(async () => {
  test = await startBankApp()
  await test.bank.query('alter table transfers disable trigger user')
  await test.bank.standStill()
})
afterAll(() => test.close())

interface AtBank {
  readonly id: string
  readonly transferRef: string
}

async function aPayout(...steps: readonly string[]): Promise<AtBank> {
  partner = await test.aConnectedPartner()
  const { id } = (await createPayout(test, partner)).json<{ id: string }>()
  const { transfers } = await test.bank.books()
  const transferRef = transfers.find((each) => each.client_reference_id === id)!.id
  for (const step of steps) await test.bank.control('POST', `/transfers/${transferRef}/${step}`)
  await sweepTransfers(test.deps, 'sandbox')
  return { id, transferRef }
}

/** Changes a transfer in the bank's database in a way that its API does not allow. */
async function put({ transferRef }: AtBank, change: string): Promise<void> {
  await test.bank.query(
    `update transfers set ${change}, updated_at = greatest(updated_at, now()) + interval '1 second' where id = $1`,
    [transferRef],
  )
}

/** What the wallet can spend after a deposit. */
async function arrives(amount: string): Promise<bigint> {
  const { walletRef } = await accountAtBank(test, partner)
  await test.bank.control('POST', `/wallets/${walletRef}/credit`, { source: 'onchain', amount })
  await sweepDeposits(test.deps, 'sandbox')
  return balanceOf(test, partner)
}

/** What the operator is told that the wallet can spend after a credit. */
async function credited(usdc: string): Promise<bigint> {
  const scope = { partnerId: partner.id, environment: 'sandbox' as const }
  const movement = { kind: 'credit', reference: 'ticket-1', amount: parseUsdc(usdc)!, reason: 'made good' } as const
  return (await moveByOperator(test.deps, scope, movement)).balance
}

const hear = ({ id: payoutId }: AtBank, transfer: TransferSnapshot) =>
  recordNews(test.deps, { partnerId: partner.id, environment: 'sandbox' }, [{ payoutId, transfer }])
const sweep = () => sweepTransfers(test.deps, 'sandbox')
const payout = async ({ id }: AtBank) => (await get(test, partner, `/v1/payouts/${id}`)).json()
const alarmsOf = ({ id }: AtBank) => test.alarms.filter(({ about }) => about['payoutId'] === id).map(({ what }) => what)
const accounts = async () =>
  Object.fromEntries(
    (
      await sql<{ account: string; balance: bigint }>(
        test,
        `select account, balance from ledger_accounts where partner_id = $1 and environment = 'sandbox'`,
        [partner.id],
      )
    ).map(({ account, balance }) => [account, balance]),
  )
const breaksOf = async ({ id }: AtBank) =>
  (await reconcileBank(test.deps, 'sandbox')).filter(({ about }) => about === id).map(({ check }) => check)

describe('a completed payout that is undone', () => {
  it.each([
    `state = 'refunded', refund_reference = 'r'`,
    `state = 'refunded', refund_reference = 'r', return_reason = 'Sent back (1160)'`,
  ])('has come back, although all that was seen is %s', async (change) => {
    const made = await aPayout('settle')
    expect(await payout(made)).toMatchObject({ status: 'completed' })
    await put(made, change)
    await sweep()
    expect(await payout(made)).toMatchObject({ status: 'returned' })
    expect(await balanceOf(test, partner)).toBe(FLOAT)
    expect(alarmsOf(made)).toEqual([])
  })

  // Cancelled says that it never left, which is not true of what has arrived: somebody has to look.
  it.each([
    ['undeliverable', []],
    ['error', []],
    ['refund_in_flight', []],
    ['canceled', ['the bank contradicts what it said of a payout']],
  ])('as %s is returned, and paid back when the bank says so', async (state, told) => {
    const made = await aPayout('settle')
    await put(made, `state = '${state}', return_reason = 'No such account (1114)'`)
    await sweep()
    expect(await payout(made)).toMatchObject({ status: 'returned' })
    expect(await balanceOf(test, partner)).toBe(FLOAT - SENT)
    expect(alarmsOf(made)).toEqual(told)
    await put(made, `state = 'refunded', refund_reference = 'r'`)
    await sweep()
    expect(await balanceOf(test, partner)).toBe(FLOAT)
  })
})

describe('a payout that was handed over, and is then called cancelled', () => {
  it('is cancelled, and has its money back when the bank has given it back and not on that word', async () => {
    const made = await aPayout('submit')
    await put(made, `state = 'canceled'`)
    for (let round = 0; round < 3; round++) {
      await sweep()
      await test.moveClocks(10 * 60_000)
      await followPayouts(test.deps)
    }
    expect(await payout(made)).toMatchObject({ status: 'cancelled' })
    expect(await balanceOf(test, partner)).toBe(FLOAT - SENT)
    expect(alarmsOf(made)).toEqual(['the bank contradicts what it said of a payout'])
    expect(await breaksOf(made)).toEqual(['refund_differs'])
    const word = { ending: 'cancelled', transferRef: null, reason: 'the bank says so' } as const
    await expect(resolvePayout(test.deps, made.id, word)).rejects.toThrow('does not hold the money')
    const { walletRef } = await accountAtBank(test, partner)
    await test.bank.control('POST', `/wallets/${walletRef}/adjust`, { amount_micro: String(SENT), reason: 'back' })
    await resolvePayout(test.deps, made.id, word)
    expect(await balanceOf(test, partner)).toBe(FLOAT)
    expect(await findBreaks(test.deps.db)).toEqual([])
  })

  it('has it back on its word when that is `refunded`', async () => {
    const made = await aPayout('submit')
    await put(made, `state = 'canceled'`)
    await sweep()
    await put(made, `state = 'refunded', refund_reference = 'r'`)
    await sweep()
    expect([await payout(made), await balanceOf(test, partner)]).toMatchObject([{ status: 'cancelled' }, FLOAT])
  })

  const CONTRADICTS = 'the bank contradicts what it said of a payout'
  it.each([
    ['in_review', [CONTRADICTS]],
    ['funds_received', [CONTRADICTS]],
    ['quantum', ['the bank has a state that we do not know', CONTRADICTS]],
    ['old news', [CONTRADICTS]],
    ['error', [CONTRADICTS, 'a refund is not there after a day']],
    ['undeliverable', [CONTRADICTS, 'a refund is not there after a day']],
  ])('gives nothing back on that word with %s in between, and is told once', async (between, told) => {
    const made = await aPayout()
    const old = (await test.deps.rails.provider_sandbox.readListed(made.transferRef))!
    await test.bank.control('POST', `/transfers/${made.transferRef}/submit`)
    await sweep()
    if (between === 'old news') await hear(made, old)
    else await put(made, `state = '${between}', return_reason = 'No such account (1114)'`).then(sweep)
    await put(made, `state = 'canceled'`)
    for (const pause of told.length > 1 && between !== 'quantum'
      ? [0, DAY_MS + 60_000, 10 * 60_000]
      : [0, 10 * 60_000, 10 * 60_000]) {
      await sweep()
      await test.moveClocks(pause)
      await followPayouts(test.deps)
    }
    expect(await balanceOf(test, partner)).toBe(FLOAT - SENT)
    expect(alarmsOf(made)).toEqual(told)
    expect(await breaksOf(made)).toContain('refund_differs')
    await put(made, `state = 'refunded', refund_reference = 'r'`)
    await sweep()
    expect(await balanceOf(test, partner)).toBe(FLOAT)
  })

  it.each(['awaiting_funds', 'error', null])('gives nothing back although its last word is %s by now', async (word) => {
    const made = await aPayout('submit')
    await sql(test, 'update payouts set provider_state = $2 where id = $1', [made.id, word])
    await put(made, `state = 'canceled'`)
    await sweep()
    await sweep()
    expect([await payout(made), await balanceOf(test, partner)]).toMatchObject([{ status: 'cancelled' }, FLOAT - SENT])
    expect(alarmsOf(made)).toEqual([CONTRADICTS])
  })

  it.each([[[]], [['error']], [['error', 'in_review']]])(
    'gives nothing back on that word said twice, where the release before kept its last word alone (%j in between)',
    async (between) => {
      const made = await aPayout()
      await sql(test, `update payouts set provider_state = 'payment_submitted' where id = $1`, [made.id])
      for (const state of [...between, 'canceled', 'canceled']) {
        await put(made, `state = '${state}'`)
        await sweep()
        await test.moveClocks(10 * 60_000)
        await followPayouts(test.deps)
      }
      expect(await balanceOf(test, partner)).toBe(FLOAT - SENT)
      expect(alarmsOf(made)).toContain(CONTRADICTS)
    },
  )

  it('has that written down once, whatever the bank says afterwards', async () => {
    const made = await aPayout()
    const handedOver = async () =>
      (await sql<{ at: Date | null }>(test, 'select handed_over_at as at from payouts where id = $1', [made.id]))[0]!.at
    expect(await handedOver()).toBeNull()
    await test.bank.control('POST', `/transfers/${made.transferRef}/submit`)
    await sweep()
    const at = await handedOver()
    expect(at).not.toBeNull()
    for (const state of ['in_review', 'error', 'canceled', 'quantum', 'payment_processed', 'refunded']) {
      await test.moveClocks(1_000)
      await put(made, `state = '${state}', refund_reference = 'r'`).then(sweep)
      expect([state, await handedOver()]).toEqual([state, at])
    }
  })

  it.each(['submit', 'settle'])('is told although that word is older than the one before (%s)', async (step) => {
    const made = await aPayout(step)
    const { updatedAt, ...last } = (await test.deps.rails.provider_sandbox.readListed(made.transferRef))!
    await put(made, `state = 'canceled'`)
    const said = (await test.deps.rails.provider_sandbox.readListed(made.transferRef))!
    for (let round = 0; round < 2; round++) {
      await hear(made, { ...said, updatedAt: new Date(updatedAt.getTime() - 1_000) })
      await hear(made, { ...last, updatedAt: new Date(updatedAt.getTime() - 2_000) })
    }
    expect(await balanceOf(test, partner)).toBe(FLOAT - SENT)
    expect(alarmsOf(made)).toEqual([CONTRADICTS])
  })
})

describe('a payout that failed before it was handed over, and is then called cancelled', () => {
  it('has its money back on that word, once, however many hear it at once', async () => {
    const made = await aPayout()
    await put(made, `state = 'error'`)
    await sweep()
    expect([await payout(made), await balanceOf(test, partner)]).toMatchObject([{ status: 'failed' }, FLOAT - SENT])
    await put(made, `state = 'canceled'`)
    const said = (await test.deps.rails.provider_sandbox.readListed(made.transferRef))!
    const other = await test.anotherInstance()
    const news = [{ payoutId: made.id, transfer: said }]
    const scope = { partnerId: partner.id, environment: 'sandbox' } as const
    await Promise.all([test, other, test, other].map(({ deps }) => recordNews(deps, scope, news)))
    await sweep()
    expect([await payout(made), await balanceOf(test, partner)]).toMatchObject([{ status: 'failed' }, FLOAT])
    const refunds = `select from ledger_entries where cause = $1 and to_account = 'available'`
    expect([await sql(test, refunds, [made.id]), alarmsOf(made)]).toEqual([[{}], []])
    expect(await findBreaks(test.deps.db)).toEqual([])
  })

  it('has it back on that word only: a refund that is under way has not come', async () => {
    const made = await aPayout()
    await put(made, `state = 'refund_in_flight'`).then(sweep)
    await put(made, `state = 'canceled'`).then(sweep)
    expect(await balanceOf(test, partner)).toBe(FLOAT - SENT)
    await put(made, `state = 'refunded', refund_reference = 'r'`).then(sweep)
    expect(await balanceOf(test, partner)).toBe(FLOAT)
  })
})

describe('another amount than was reserved', () => {
  it.each([
    ['more', 5_000_000n],
    ['less', -20_000n],
  ])('%s: the wallet follows, the difference is in fx_diff, and it is told once', async (_which, by) => {
    const made = await aPayout()
    await put(made, `amount_micro = amount_micro + ${by}, exchange_fee_micro = 0`)
    await sweep()
    expect(await balanceOf(test, partner)).toBe(FLOAT - SENT - by)
    expect(await accounts()).toMatchObject({ in_transit: SENT, fx_diff: by, suspense: 0n })
    const { walletRef } = await accountAtBank(test, partner)
    await test.bank.control('POST', `/wallets/${walletRef}/adjust`, { amount_micro: String(-by), reason: 'taken' })
    await put(made, `state = 'payment_processed'`)
    await sweep()
    const other = await test.anotherInstance()
    const transfer = await other.deps.rails.provider_sandbox.readListed(made.transferRef)
    await recordNews(other.deps, { partnerId: partner.id, environment: 'sandbox' }, [
      { payoutId: made.id, transfer: transfer! },
    ])
    expect(alarmsOf(made)).toEqual(['the bank took another amount than we reserved'])
    expect(await accounts()).toMatchObject({ paid_out: SENT, fx_diff: by })
    expect(await breaksOf(made)).toEqual([])
    await put(made, `state = 'refunded', refund_reference = 'r', return_reason = 'Closed (00000002)'`)
    await sweep()
    expect(await balanceOf(test, partner)).toBe(FLOAT)
    expect(await accounts()).toMatchObject({ paid_out: 0n, fx_diff: 0n })
  })

  it.each([
    ['a hundred times as much', [], 'amount_micro = amount_micro * 100'],
    ['a hundred times as much, after it arrived', ['settle'], 'amount_micro = amount_micro * 100'],
    ['a hundredth, after it arrived', ['settle'], 'amount_micro = amount_micro / 100'],
  ])('that cannot be (%s) moves nothing, is told once, and is a break', async (_which, steps, change) => {
    const made = await aPayout(...steps)
    await put(made, `${change}, exchange_fee_micro = 0`)
    await sweep()
    await sweep()
    expect(await balanceOf(test, partner)).toBe(FLOAT - SENT)
    expect(await accounts()).toMatchObject({ fx_diff: 0n, suspense: 0n })
    expect(alarmsOf(made)).toEqual(['the bank took another amount than we reserved'])
    expect(await breaksOf(made)).toContain('sent_amount_differs')
    await put(made, `amount_micro = ${SENT}`)
    await sweep()
    expect(await breaksOf(made)).not.toContain('sent_amount_differs')
    expect(await balanceOf(test, partner)).toBe(FLOAT - SENT)
  })

  it.each(['amount_micro * 2', 'amount_micro / 100'])(
    'that cannot be (%s) leaves standing what was believed before',
    async (unbelievable) => {
      const made = await aPayout('settle')
      const more = SENT / 2n
      await put(made, `amount_micro = amount_micro + ${more}, exchange_fee_micro = 0`)
      await sweep()
      expect(await balanceOf(test, partner)).toBe(FLOAT - SENT - more)
      await put(made, `amount_micro = ${unbelievable}`)
      await sweep()
      await sweep()
      expect(await balanceOf(test, partner)).toBe(FLOAT - SENT - more)
      expect(await accounts()).toMatchObject({ paid_out: SENT, fx_diff: more, suspense: 0n })
      expect(await breaksOf(made)).toContain('sent_amount_differs')
    },
  )

  it('that the wallet cannot bear waits in suspense, and comes from there again', async () => {
    const made = await aPayout()
    await setBalance(test, partner, '1.00')
    await put(made, 'amount_micro = amount_micro + 5000000')
    await sweep()
    // What the bank does not hold any more is not shown as money to spend.
    expect(await accounts()).toMatchObject({ available: 0n, suspense: -4_000_000n, fx_diff: 5_000_000n })
    await put(made, `state = 'canceled'`)
    await sweep()
    expect(await accounts()).toMatchObject({ available: 1_000_000n + SENT, suspense: 0n, fx_diff: 0n })
    expect(await findBreaks(test.deps.db)).toEqual([])
  })

  it.each([
    ['a deposit', '3.00', [0n, -1_000_000n]],
    ['a deposit', '9.00', [5_000_000n, 0n]],
    ['the operator’s credit', '3.00', [0n, -1_000_000n]],
    ['the operator’s credit', '9.00', [5_000_000n, 0n]],
  ])('that the wallet could not bear is made good by %s of %s first', async (which, usdc, [available, suspense]) => {
    const made = await aPayout()
    await setBalance(test, partner, '1.00')
    await put(made, 'amount_micro = amount_micro + 5000000')
    await sweep()
    expect(await (which === 'a deposit' ? arrives(usdc) : credited(usdc))).toBe(available)
    expect(await accounts()).toMatchObject({ available, suspense, fx_diff: 5_000_000n })
    // The top-up stays whole on the statement, and what was made good is a line of its own.
    const { data, closing_usdc } = (await get(test, partner, '/v1/statement?limit=200')).json<{
      data: { kind: string; in_usdc: string | null; out_usdc: string | null; detail: string | null }[]
      closing_usdc: string
    }>()
    expect(data.slice(-2)).toMatchObject([
      { kind: 'top_up', in_usdc: usdc },
      {
        kind: 'correction',
        out_usdc: usdc === '3.00' ? '3.00' : '4.00',
        detail: expect.stringContaining('made good') as string,
      },
    ])
    expect(parseUsdc(closing_usdc)).toBe(available)
    await put(made, `state = 'canceled'`)
    await sweep()
    expect(await accounts()).toMatchObject({ suspense: 0n, fx_diff: 0n })
    expect(await balanceOf(test, partner)).toBe(1_000_000n + SENT + parseUsdc(usdc)!)
    expect(await findBreaks(test.deps.db)).toEqual([])
  })

  it('for the recipient is told, and is a break', async () => {
    const made = await aPayout()
    await put(made, 'destination_pence = destination_pence - 100')
    await sweep()
    await sweep()
    expect(alarmsOf(made)).toEqual(['the bank pays another amount than we asked for'])
    expect(await breaksOf(made)).toEqual(['received_amount_differs'])
  })
})

describe('an alarm about a payout', () => {
  it('is written down in the transaction that remembers that it was told, or not at all', async () => {
    const made = await aPayout('submit')
    const told = () => sql(test, 'select xmin::text as by from told_alarms where about = $1', [made.id])
    const written = () =>
      sql(test, `select xmin::text as by, count from alarms where about->>'payoutId' = $1`, [made.id])
    await put(made, 'destination_pence = destination_pence - 100, amount_micro = amount_micro + 1000000')
    await sql(test, 'alter table alarms rename to alarms_away')
    await sweep().catch(() => undefined)
    await sql(test, 'alter table alarms_away rename to alarms')
    expect([await told(), (await accounts())['fx_diff']]).toEqual([[], 0n])
    await test.moveClocks(2 * 60_000)
    await sweep()
    await test.deps.alarms.settled()
    const [first] = await told()
    expect(await told()).toEqual([first, first])
    const row = { ...(first as object), count: 1n }
    expect((await written()).filter((each) => (each as { by: string }).by === (first as { by: string }).by)).toEqual([
      row,
      row,
    ])
  })
})

describe('news of a moment that is still to come', () => {
  it('does not silence what the bank says later', async () => {
    const made = await aPayout()
    const at = (ms: number) => new Date(test.clock.now().getTime() + ms).toISOString()
    const say = (amount: number, when: string) =>
      test.bank.query('update transfers set amount_micro = $2, updated_at = $3 where id = $1', [
        made.transferRef,
        amount,
        when,
      ])
    await say(40_070_000, at(365 * 24 * 60 * 60_000))
    await sweep()
    expect(await accounts()).toMatchObject({ fx_diff: 8_000_000n })
    await say(33_070_000, at(1_000))
    await sweep()
    expect(await accounts()).toMatchObject({ fx_diff: 1_000_000n })
    expect(await balanceOf(test, partner)).toBe(FLOAT - SENT - 1_000_000n)
  })
})

describe('a state that nobody knows', () => {
  it('changes nothing, is told once, and reconciliation names it', async () => {
    const made = await aPayout()
    await put(made, `state = 'quantum'`)
    await sweep()
    await test.moveClocks(10_000)
    await followPayouts(test.deps)
    expect(await payout(made)).toMatchObject({ status: 'processing' })
    expect(alarmsOf(made)).toEqual(['the bank has a state that we do not know'])
    expect(await breaksOf(made)).toEqual(['transfer_state_unknown'])
    await put(made, `state = 'payment_processed'`)
    await sweep()
    expect(await payout(made)).toMatchObject({ status: 'completed' })
  })

  it('is told for each new word, and five times at most for one payout', async () => {
    const made = await aPayout()
    for (const word of ['quantum', 'frozen', 'frozen', 'quantum', 'w3', 'w4', 'w5', 'w6', 'w7', 'w5']) {
      await put(made, `state = '${word}'`)
      await sweep()
      await test.moveClocks(10_000)
      await followPayouts(test.deps)
    }
    const told = test.alarms.filter(({ about }) => about['payoutId'] === made.id).map(({ about }) => about['bankState'])
    expect(told).toEqual(['quantum', 'frozen', 'w3', 'w4', 'w5'])
  })
})

describe('a move that cannot be', () => {
  it('back from its end is told once and changes nothing', async () => {
    const made = await aPayout('settle', 'return', 'refund')
    await put(made, `state = 'payment_processed'`)
    await sweep()
    await sweep()
    expect(await payout(made)).toMatchObject({ status: 'returned' })
    expect(await balanceOf(test, partner)).toBe(FLOAT)
    expect(alarmsOf(made)).toEqual(['the bank contradicts what it said of a payout'])
    expect(await breaksOf(made)).toEqual(['paid_after_ending'])
  })

  it('is no alarm when it is only old news', async () => {
    const made = await aPayout('settle')
    const old = await test.deps.rails.provider_sandbox.readListed(made.transferRef)
    await test.bank.control('POST', `/transfers/${made.transferRef}/return`)
    await sweep()
    await recordNews(test.deps, { partnerId: partner.id, environment: 'sandbox' }, [
      { payoutId: made.id, transfer: old! },
    ])
    expect(await payout(made)).toMatchObject({ status: 'returned' })
    expect(alarmsOf(made)).toEqual([])
  })
})

describe('money that the wallet does not have at the bank', () => {
  it('is told at once, once, and the payout pays when it is there', async () => {
    partner = await test.aConnectedPartner()
    const { walletRef } = await accountAtBank(test, partner)
    const adjust = (amount: bigint) =>
      test.bank.control('POST', `/wallets/${walletRef}/adjust`, { amount_micro: String(amount), reason: 'gone' })
    await adjust(-FLOAT)
    const key = { 'idempotency-key': anIdempotencyKey() }
    const alarms = test.alarms.length
    const ask = async () => (await createPayout(test, partner, {}, key)).statusCode
    // What is missing may have gone for this very payout: only a wallet that is whole again proves that it has not.
    expect([await ask(), await ask(), await ask()]).toEqual([502, 409, 409])
    expect(test.alarms.slice(alarms)).toMatchObject([
      { what: 'the bank’s wallet does not hold what our books say', about: { partnerId: partner.id } },
    ])
    await adjust(FLOAT)
    const paid = await createPayout(test, partner, {}, key)
    expect([paid.statusCode, paid.json().id]).toEqual([201, test.alarms.at(-1)?.about['payoutId']])
  })

  it('and that the bank waits for is told after two minutes', async () => {
    const made = await aPayout()
    await put(made, `state = 'awaiting_funds'`)
    await sweep()
    expect(alarmsOf(made)).toEqual([])
    await test.moveClocks(3 * 60_000)
    await followPayouts(test.deps)
    await test.moveClocks(10 * 60_000)
    await followPayouts(test.deps)
    expect(alarmsOf(made)).toEqual(['a payout waits for funds at the bank'])
  })
})

describe('another transfer under a payout’s reference', () => {
  it('turns nothing and credits nothing, and is told', async () => {
    const made = await aPayout('settle')
    await test.bank.query(
      `insert into transfers overriding system value
       select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'seq', t.seq + 1000000,
         'state', 'refunded', 'refund_reference', 'r', 'updated_at', t.updated_at + interval '1 second'))).*
         from transfers t where id = $1`,
      [made.transferRef],
    )
    await sweep()
    await sweep()
    expect(await payout(made)).toMatchObject({ status: 'completed' })
    expect(await balanceOf(test, partner)).toBe(FLOAT - SENT)
    expect(alarmsOf(made)).toEqual(['the bank has another transfer under a payout’s reference'])
    expect(await breaksOf(made)).toContain('transfer_twice_at_bank')
  })
})
