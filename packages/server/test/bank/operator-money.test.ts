// What the bank really took and gave back: what transfers leave over, lack and bring back is booked to the operator, once,
// and never to the partner; the two sets of books agree to the millionth.
import { EXCESS_WALLET_ID } from '@kestrel/bank'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { parseDecimalUsdc } from '../../src/core/money.ts'
import { sweepDeposits } from '../../src/domain/banking/feeds/credit-deposits.ts'
import { handleBankEvents } from '../../src/domain/banking/feeds/bank-events.ts'
import { sweepTransfers } from '../../src/domain/banking/feeds/sweep-transfers.ts'
import { bookTopUp, closeRefused } from '../../src/domain/banking/operator/book-top-up.ts'
import { noteExcessMovement } from '../../src/domain/banking/operator/excess-funds.ts'
import { makeRefundGood, refundByHand } from '../../src/domain/banking/operator/refund-by-hand.ts'
import { topUpPayout } from '../../src/domain/banking/operator/top-up-payout.ts'
import { reconcileBank } from '../../src/domain/banking/reconcile/reconcile-bank.ts'
import { checkRefunds } from '../../src/domain/banking/refunds/check-refunds.ts'
import { findTopUpsBack } from '../../src/domain/banking/refunds/top-ups-back.ts'
import { findBreaks } from '../../src/storage/book-checks.ts'
import { lockPayouts } from '../../src/storage/payout-records.ts'
import { type Tx, statement } from '../../src/storage/sql.ts'
import { type BankApp, accountAtBank, balanceAtBank, startBankApp } from '../support/bank-app.ts'
import { keepMessages } from '../support/bank-message.ts'
import { type TestPartner, balanceOf, createPayout, get, sql } from '../support/fixtures.ts'

const FLOAT = 10_000_000_000n
/** 25.00 GBP and the bank's share at 0.79; the pounds alone cost 31.65. */
const SENT = 32_070_000n
const SURPLUS = 420_000n
/** What 25.00 GBP cost more than that at 0.75: 33.34. */
const MISSING = 1_270_000n

let test: BankApp
let partner: TestPartner
let funded = 0
beforeAll(async () => {
  test = await startBankApp()
  await test.bank.standStill()
})
afterAll(() => test.close())
beforeEach(async () => {
  await test.bank.control('POST', '/rate', { rate: '0.79' })
  partner = await test.aConnectedPartner()
})

const sweep = () => sweepTransfers(test.deps, 'sandbox')
const rate = (text: string) => test.bank.control('POST', '/rate', { rate: text })
const terms = (change: object) => test.bank.control('POST', '/terms', change)
const step = (ref: string, name: string, body: object = {}) =>
  test.bank.control('POST', `/transfers/${ref}/${name}`, body)
const adjust = (walletRef: string, amount: bigint) =>
  test.bank.control('POST', `/wallets/${walletRef}/adjust`, { amount_micro: String(amount), reason: 'by hand' })
const alarmsOf = (id: string) =>
  test.alarms.filter(({ about }) => about['payoutId'] === id).map(({ what, about }) => [what, about])
const entriesOf = async (id: string, kind: string) =>
  (
    await sql<{ from: string; to: string; amount: bigint }>(
      test,
      `select from_account as from, to_account as to, amount from ledger_entries where cause = $1 and kind = $2 order by seq`,
      [id, kind],
    )
  ).map(({ from, to, amount }) => `${from}>${to} ${amount}`)
const booksAgree = async () => {
  await sweep()
  expect(await findBreaks(test.deps.db)).toEqual([])
  expect(await reconcileBank(test.deps, 'sandbox')).toEqual([])
}
const statusOf = async (id: string) => (await get(test, partner, `/v1/payouts/${id}`)).json<{ status: string }>().status

async function aPayout(...steps: readonly string[]): Promise<{ id: string; ref: string }> {
  const { id } = (await createPayout(test, partner)).json<{ id: string }>()
  const ref = (await test.bank.books()).transfers.find((each) => each.client_reference_id === id)!.id
  for (const name of steps) await step(ref, name)
  await sweep()
  return { id, ref }
}

/** The operator puts money into its own wallet at the bank, and notes it. */
async function fundOperator(amount: bigint): Promise<void> {
  await adjust(EXCESS_WALLET_ID, amount)
  await noteExcessMovement(test.deps, 'sandbox', { amount, reference: `funded-${funded++}`, reason: 'for top-ups' })
}

async function anUnderfunded(): Promise<{ id: string; ref: string }> {
  const made = await aPayout()
  await rate('0.75')
  await step(made.ref, 'submit')
  await sweep()
  return made
}

/** Transactions that wait for another's lock. */
const WAITING = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

/** The transaction that they wait for goes on talking: the database ends one that says nothing for ten seconds. */
const untilWaiting = (tx: Tx, isEnough: (waiting: number) => boolean) =>
  vi.waitUntil(
    async () => {
      await tx.query(statement('', 'select'))
      return isEnough((await sql(test, WAITING)).length)
    },
    { timeout: 60_000 },
  )

const excessAtBank = async () =>
  BigInt((await test.bank.books()).wallets.find(({ id }) => id === EXCESS_WALLET_ID)!.balance_micro)

describe('the surplus goes to the operator’s own wallet and not to the bank', () => {
  it('and is booked as such, once, without a word of it to the partner', async () => {
    const { id } = await aPayout('settle')
    expect(await entriesOf(id, 'surplus')).toEqual([`operator_result>excess_funds ${SURPLUS}`])
    await sweep()
    expect(await entriesOf(id, 'surplus')).toHaveLength(1)
    expect(await balanceOf(test, partner)).toBe(FLOAT - SENT)
    expect(alarmsOf(id)).toEqual([])
    await booksAgree()
  })

  it('comes back with a refund that brings everything back', async () => {
    const { id, ref } = await aPayout('settle', 'return')
    await step(ref, 'refund')
    await sweep()
    await checkRefunds(test.deps, 'sandbox')
    expect(await entriesOf(id, 'surplus')).toEqual([
      `operator_result>excess_funds ${SURPLUS}`,
      `excess_funds>operator_result ${SURPLUS}`,
    ])
    expect(await entriesOf(id, 'refund_diff')).toEqual([])
    expect([await statusOf(id), await balanceOf(test, partner)]).toEqual(['returned', FLOAT])
    await booksAgree()
  })

  it('is reconciled to the millionth, and what the operator moves itself is noted', async () => {
    await adjust(EXCESS_WALLET_ID, 1n)
    const breaks = await reconcileBank(test.deps, 'sandbox')
    expect(breaks.map(({ check }) => check)).toEqual(['excess_differs'])
    const note = { amount: 1n, reference: 'a-millionth', reason: 'found' }
    const both = await Promise.all([1, 2].map(() => noteExcessMovement(test.deps, 'sandbox', note)))
    expect(both.filter(({ isRepeated }) => isRepeated)).toHaveLength(1)
    await expect(noteExcessMovement(test.deps, 'sandbox', { ...note, amount: 2n })).rejects.toThrow('0.000001')
    await booksAgree()
  })
})

describe('a transfer that the rate has made too small (underfunded)', () => {
  it('is followed, told of with what it lacks, and costs the partner no more', async () => {
    const { id } = await anUnderfunded()
    expect(await statusOf(id)).toBe('processing')
    expect(alarmsOf(id)).toEqual([['a payout lacks money at the bank', expect.objectContaining({ missing: '1.27' })]])
    expect(await balanceOf(test, partner)).toBe(FLOAT - SENT)
    await sweep()
    expect(alarmsOf(id)).toHaveLength(1)
    await booksAgree()
  })

  it('is topped up from the operator’s own wallet, once, however many say so at once', async () => {
    await fundOperator(5_000_000n)
    const { id, ref } = await anUnderfunded()
    const tried = await Promise.allSettled([1, 2, 3].map(() => topUpPayout(test.deps, id)))
    expect(tried.some(({ status }) => status === 'fulfilled')).toBe(true)
    expect(await entriesOf(id, 'top_up')).toEqual([`excess_funds>operator_result ${MISSING}`])
    await expect(topUpPayout(test.deps, id)).rejects.toThrow('lacks nothing')
    // The bank lists what was added as a transfer of its own: it is nobody's payout, and nobody is told of it.
    const rail = test.deps.rails[test.deps.bankRails.sandbox]!
    const [added] = await test.bank.query<{ id: string }>('select id from top_ups where transfer_id = $1', [ref])
    const listed = await rail.listTransfers(new Date(0), null)
    expect(listed.transfers.map(({ transferRef }) => transferRef)).not.toContain(added!.id)
    expect([listed.unread, await rail.readListed(added!.id)]).toEqual([[], null])
    // Its message is dealt with, and does not wait for a payment that the bank will never show.
    const message = { eventId: `ev-${added!.id}`, objectRef: added!.id }
    await keepMessages(test.deps, [message])
    await handleBankEvents(test.deps)
    const handled = 'select from bank_events where event_id = $1 and handled_at is not null'
    expect(await sql(test, handled, [message.eventId])).toHaveLength(1)
    expect(test.alarms.filter(({ about }) => about['transferRef'] === added!.id)).toEqual([])
    await step(ref, 'settle')
    await sweep()
    expect([await statusOf(id), await balanceOf(test, partner)]).toEqual(['completed', FLOAT - SENT])
    await booksAgree()
  })

  it('is topped up once though the bank’s answer was lost, or the books could not be written', async () => {
    await fundOperator(5_000_000n)
    const { id, ref } = await anUnderfunded()
    const before = await excessAtBank()
    await test.bank.control('POST', '/faults', { route: 'POST /v0/transfers', mode: 'reset_after' })
    await expect(topUpPayout(test.deps, id)).rejects.toThrow('Run the command again')
    await sql(
      test,
      `create function refuse_top_up() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
       create trigger refuse_top_up before update on payout_top_ups for each row execute function refuse_top_up()`,
    )
    await expect(topUpPayout(test.deps, id)).rejects.toThrow('no')
    await sql(test, 'drop trigger refuse_top_up on payout_top_ups; drop function refuse_top_up')
    expect(await entriesOf(id, 'top_up')).toEqual([])
    await topUpPayout(test.deps, id)
    expect(await entriesOf(id, 'top_up')).toEqual([`excess_funds>operator_result ${MISSING}`])
    expect(await excessAtBank()).toBe(before - MISSING)
    await step(ref, 'settle')
    await booksAgree()
  })

  it('is not topped up while the operator’s wallet is too low, and moves nothing', async () => {
    const { id, ref } = await anUnderfunded()
    const has = await excessAtBank()
    await fundOperator(-has)
    await expect(topUpPayout(test.deps, id)).rejects.toThrow('refused to add 1.27 USDC')
    expect([await entriesOf(id, 'top_up'), await excessAtBank()]).toEqual([[], 0n])
    await fundOperator(5_000_000n + has)
    await topUpPayout(test.deps, id)
    expect(await entriesOf(id, 'top_up')).toHaveLength(1)
    await step(ref, 'settle')
    await booksAgree()
  })

  it('is not topped up by what makes no sense: nothing, or more than was sent', async () => {
    await fundOperator(50_000_000n)
    const { id, ref } = await anUnderfunded()
    const before = await excessAtBank()
    const asks = (micro: bigint) =>
      test.bank.query('update transfers set missing_micro = $2 where id = $1', [ref, micro])
    await test.bank.query('alter table transfers drop constraint transfers_missing_micro_check')
    for (const micro of [0n, SENT + 1n]) {
      await asks(micro)
      await expect(topUpPayout(test.deps, id)).rejects.toThrow('makes no sense')
    }
    expect([await entriesOf(id, 'top_up'), await excessAtBank()]).toEqual([[], before])
    await asks(MISSING)
    await topUpPayout(test.deps, id)
    expect(await entriesOf(id, 'top_up')).toEqual([`excess_funds>operator_result ${MISSING}`])
    await step(ref, 'settle')
    await booksAgree()
  })

  it('may show what was added in its amount: the partner is not debited for it', async () => {
    await terms({ amount_shows: 'source_and_top_ups' })
    await fundOperator(5_000_000n)
    const { id, ref } = await anUnderfunded()
    await topUpPayout(test.deps, id)
    await sweep()
    expect(await balanceOf(test, partner)).toBe(FLOAT - SENT)
    expect(alarmsOf(id)).toHaveLength(1)
    await step(ref, 'settle')
    await booksAgree()
    await terms({ amount_shows: 'source' })
  })
})

describe('what was added to a payout while the bank’s answer is lost', () => {
  it('is never debited to the partner, whose payout goes on', async () => {
    await terms({ amount_shows: 'source_and_top_ups' })
    await fundOperator(5_000_000n)
    const { id, ref } = await anUnderfunded()
    await test.bank.control('POST', '/faults', { route: 'POST /v0/transfers', mode: 'reset_after' })
    await expect(topUpPayout(test.deps, id)).rejects.toThrow('Run the command again')
    await step(ref, 'settle')
    await sweep()
    expect([await statusOf(id), await balanceOf(test, partner)]).toEqual(['completed', FLOAT - SENT])
    expect(await entriesOf(id, 'adjust')).toEqual([])
    expect(alarmsOf(id).map(([what]) => what)).toEqual(['a payout lacks money at the bank'])
    await topUpPayout(test.deps, id)
    expect(await entriesOf(id, 'top_up')).toEqual([`excess_funds>operator_result ${MISSING}`])
    expect(await balanceOf(test, partner)).toBe(FLOAT - SENT)
    await terms({ amount_shows: 'source' })
    await booksAgree()
  })
})

describe('an addition that the bank never answered, and has forgotten', () => {
  const unanswered = async (mode: string) => {
    await rate('0.79')
    await fundOperator(5_000_000n)
    const made = await anUnderfunded()
    await test.bank.control('POST', '/faults', { route: 'POST /v0/transfers', mode })
    await expect(topUpPayout(test.deps, made.id)).rejects.toThrow('Run the command again')
    return made
  }
  const askedBefore = (id: string, ago: string) =>
    sql(test, `update payout_top_ups set asked_at = asked_at - $2::interval where payout_id = $1`, [id, ago])
  const forgotten = async (mode: string) => {
    const made = await unanswered(mode)
    await askedBefore(made.id, '26 hours')
    await test.bank.query(`delete from idempotency_keys where key like 'top-up:%'`)
    return { ...made, before: await excessAtBank() }
  }
  const settleAll = (refs: readonly string[]) =>
    Promise.all(refs.map((ref) => step(ref, 'settle').catch(() => undefined)))

  it('is booked when the wallet shows that it was made, and not asked for again', async () => {
    const { id, ref, before } = await forgotten('reset_after')
    await adjust(EXCESS_WALLET_ID, 1n)
    await expect(topUpPayout(test.deps, id)).rejects.toThrow('tell neither')
    await adjust(EXCESS_WALLET_ID, -1n)
    await expect(topUpPayout(test.deps, id)).rejects.toThrow('lacks nothing')
    expect([await entriesOf(id, 'top_up'), await excessAtBank()]).toEqual([
      [`excess_funds>operator_result ${MISSING}`],
      before,
    ])
    // The bank may have been quicker.
    await step(ref, 'settle').catch(() => undefined)
    await booksAgree()
  })

  it('is not taken as refused when money that nobody noted makes up for it', async () => {
    const { id, ref } = await forgotten('reset_after')
    await adjust(EXCESS_WALLET_ID, MISSING)
    await expect(topUpPayout(test.deps, id)).rejects.toThrow('tell neither')
    const open = 'select from payout_top_ups where payout_id = $1 and refused_at is null and added_at is null'
    expect([await entriesOf(id, 'top_up'), await sql(test, open, [id])]).toEqual([[], [{}]])
    await noteExcessMovement(test.deps, 'sandbox', { amount: MISSING, reference: `late-${id}`, reason: 'noted late' })
    await expect(topUpPayout(test.deps, id)).rejects.toThrow('lacks nothing')
    expect(await entriesOf(id, 'top_up')).toEqual([`excess_funds>operator_result ${MISSING}`])
    await step(ref, 'settle').catch(() => undefined)
    await booksAgree()
  })

  it('is booked once when another is settled at the same moment, and only one of the two was made', async () => {
    const made = await forgotten('reset_after')
    const lost = await forgotten('reset_before')
    const other = await test.anotherInstance()
    let answered = 0
    // Both have looked at the wallet when the first of them writes.
    const both = await test.deps.db.inTransaction(async (tx) => {
      await lockPayouts(tx, { partnerId: partner.id, environment: 'sandbox' }, [made.id, lost.id])
      const settling = [topUpPayout(test.deps, made.id), topUpPayout(other.deps, lost.id)].map((each) =>
        each.catch(() => undefined).finally(() => void (answered += 1)),
      )
      await untilWaiting(tx, (waiting) => waiting + answered >= 2)
      return { settling }
    })
    await Promise.all(both.settling)
    // Whichever came first: what was made is booked, and what was lost asked for anew, by now or by the next command.
    for (const { id } of [made, lost]) await topUpPayout(test.deps, id).catch(() => undefined)
    expect(await entriesOf(made.id, 'top_up')).toHaveLength(1)
    expect([await entriesOf(lost.id, 'top_up'), await excessAtBank()]).toEqual([
      [`excess_funds>operator_result ${MISSING}`],
      lost.before - MISSING,
    ])
    await settleAll([made.ref, lost.ref])
    await booksAgree()
  })

  it('is booked although another was made and forgotten too', async () => {
    const both = [await forgotten('reset_after'), await forgotten('reset_after')]
    const before = await excessAtBank()
    for (const { id } of both) {
      await expect(topUpPayout(test.deps, id)).rejects.toThrow('lacks nothing')
      expect(await entriesOf(id, 'top_up')).toEqual([`excess_funds>operator_result ${MISSING}`])
    }
    expect(await excessAtBank()).toBe(before)
    await settleAll(both.map(({ ref }) => ref))
    await booksAgree()
  })

  it('is not told from another of the same amount that is being asked for', async () => {
    const made = await forgotten('reset_before')
    const asked = await unanswered('reset_after')
    const before = await excessAtBank()
    await expect(topUpPayout(test.deps, made.id)).rejects.toThrow(asked.id)
    expect([await entriesOf(made.id, 'top_up'), await excessAtBank()]).toEqual([[], before])
    await topUpPayout(test.deps, asked.id)
    await topUpPayout(test.deps, made.id)
    expect(await entriesOf(made.id, 'top_up')).toHaveLength(1)
    await settleAll([made.ref, asked.ref])
    await booksAgree()
  })

  it('is settled beside a surplus that nobody has booked yet', async () => {
    const { id, ref } = await forgotten('reset_after')
    await rate('0.79')
    const { id: other } = (await createPayout(test, partner)).json<{ id: string }>()
    await step((await test.bank.books()).transfers.find((each) => each.client_reference_id === other)!.id, 'settle')
    await expect(topUpPayout(test.deps, id)).rejects.toThrow('lacks nothing')
    expect(await entriesOf(id, 'top_up')).toEqual([`excess_funds>operator_result ${MISSING}`])
    await settleAll([ref])
    await booksAgree()
  })

  it('is neither asked for again nor settled while a request may be on its way', async () => {
    const { id, ref } = await unanswered('reset_before')
    const before = await excessAtBank()
    await askedBefore(id, '23.5 hours')
    await expect(topUpPayout(test.deps, id)).rejects.toThrow('Run the command again from')
    expect([await entriesOf(id, 'top_up'), await excessAtBank()]).toEqual([[], before])
    await askedBefore(id, '2 hours')
    await topUpPayout(test.deps, id)
    expect(await excessAtBank()).toBe(before - MISSING)
    await settleAll([ref])
    await booksAgree()
  })

  it('is booked when the bank says that it was added, although it was taken as refused meanwhile', async () => {
    const { id, ref } = await unanswered('reset_after')
    const scope = { partnerId: partner.id, environment: 'sandbox' } as const
    const first = { payoutId: id, nth: 1, at: test.clock.now() }
    await test.deps.db.inTransaction((tx) => closeRefused(tx, { scope, ...first }))
    await Promise.all(
      [1, 2].map(() => test.deps.db.inTransaction((tx) => bookTopUp(tx, test.deps, { scope, ...first }))),
    )
    await test.deps.db.inTransaction((tx) => closeRefused(tx, { scope, ...first }))
    expect(await entriesOf(id, 'top_up')).toEqual([`excess_funds>operator_result ${MISSING}`])
    await settleAll([ref])
    await booksAgree()
  })

  it('is asked for anew when the wallet shows that it was not made', async () => {
    const { id, ref, before } = await forgotten('reset_before')
    const other = await test.anotherInstance()
    await Promise.allSettled([test, other, test].map(({ deps }) => topUpPayout(deps, id)))
    expect([await entriesOf(id, 'top_up'), await excessAtBank()]).toEqual([
      [`excess_funds>operator_result ${MISSING}`],
      before - MISSING,
    ])
    await settleAll([ref])
    await booksAgree()
  })
})

describe('what was added to a payout that then came to nothing', () => {
  const anAddedInVain = async (amount?: string) => {
    await rate('0.79')
    const made = await anUnderfunded()
    await topUpPayout(test.deps, made.id)
    await step(made.ref, 'undeliver')
    await step(made.ref, 'refund', amount === undefined ? {} : { amount })
    await sweep()
    await checkRefunds(test.deps, 'sandbox')
    return made
  }
  const lookNow = async () => {
    await sql(test, 'update payout_top_ups set next_look_at = null')
    return findTopUpsBack(test.deps, 'sandbox')
  }
  const back = (id: string) => entriesOf(id, 'top_up_back')
  const BACK = `operator_result>excess_funds ${MISSING}`

  it('is the operator’s again by itself, once, however many look at once', async () => {
    await fundOperator(5_000_000n)
    const both = [await anAddedInVain(), await anAddedInVain()]
    const other = await test.anotherInstance()
    await Promise.all([test, other, test].map(({ deps }) => findTopUpsBack(deps, 'sandbox')))
    expect(await lookNow()).toBe(0)
    for (const { id } of both) expect(await back(id)).toEqual([BACK])
    expect(await balanceOf(test, partner)).toBe(FLOAT)
    const again = { amount: MISSING, reference: `top-up-back:${both[0]!.id}`, reason: 'seen' }
    await expect(noteExcessMovement(test.deps, 'sandbox', again)).rejects.toThrow('booked already')
    await booksAgree()
  })

  it('is booked whole or not at all, and keeps no other from being booked', async () => {
    await fundOperator(5_000_000n)
    const both = [(await anAddedInVain()).id, (await anAddedInVain()).id]
    const [id, other] = both.toSorted()
    await sql(
      test,
      `create function refuse_entry() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
       create trigger refuse_entry before insert on ledger_entries for each row
         when (new.kind = 'top_up_back' and new.cause::text = '${id}') execute function refuse_entry()`,
    )
    await expect(findTopUpsBack(test.deps, 'sandbox')).rejects.toThrow('no')
    expect([await back(id!), await back(other!)]).toEqual([[], [BACK]])
    // What cannot be booked is tried later, and not at once for ever.
    await expect(lookNow()).rejects.toThrow('no')
    expect(await findTopUpsBack(test.deps, 'sandbox')).toBe(0)
    await sql(test, 'drop trigger refuse_entry on ledger_entries; drop function refuse_entry')
    expect(await findBreaks(test.deps.db)).toEqual([])
    expect([await back(id!), await lookNow(), await back(id!)]).toEqual([[], 1, [BACK]])
    await booksAgree()
  })

  /** Of two additions, the bank did not answer the second. */
  const anAddedTwice = async (amount?: string) => {
    await fundOperator(5_000_000n)
    const made = await anUnderfunded()
    await rate('0.74')
    await topUpPayout(test.deps, made.id)
    await test.bank.control('POST', '/faults', { route: 'POST /v0/transfers', mode: 'reset_after' })
    await expect(topUpPayout(test.deps, made.id)).rejects.toThrow('Run the command again')
    await step(made.ref, 'undeliver')
    await step(made.ref, 'refund', amount === undefined ? {} : { amount })
    await sweep()
    await checkRefunds(test.deps, 'sandbox')
    return made
  }
  /** What 25.00 GBP cost more at 0.74 than at 0.75. */
  const MORE = 450_000n

  it('is booked though the bank said of a part only later that it was added', async () => {
    const { id } = await anAddedTwice()
    expect([await lookNow(), await back(id)]).toEqual([1, [BACK]])
    await topUpPayout(test.deps, id)
    expect([await lookNow(), await back(id)]).toEqual([1, [BACK, `operator_result>excess_funds ${MORE}`]])
    expect(await lookNow()).toBe(0)
    await booksAgree()
  })

  it('is noted by hand when a part of it is booked already, and the rest is not', async () => {
    const { id } = await anAddedTwice()
    expect(await lookNow()).toBe(1)
    await topUpPayout(test.deps, id)
    const word = { amount: MORE, reference: `top-up-back:${id}`, reason: 'the bank says so' }
    expect(await noteExcessMovement(test.deps, 'sandbox', word)).toEqual({ isRepeated: false })
    expect([await lookNow(), await back(id)]).toEqual([0, [BACK]])
    expect(await noteExcessMovement(test.deps, 'sandbox', word)).toEqual({ isRepeated: true })
    await booksAgree()
  })

  it('is not booked with more than the wallet showed when another addition is booked meanwhile', async () => {
    const { id } = await anAddedTwice('32.07')
    await adjust(EXCESS_WALLET_ID, MISSING + MORE)
    await sql(test, 'update payout_top_ups set next_look_at = null')
    const scope = { partnerId: partner.id, environment: 'sandbox' } as const
    const looked = await test.deps.db.inTransaction(async (tx) => {
      await lockPayouts(tx, scope, [id])
      const looking = findTopUpsBack(test.deps, 'sandbox')
      await untilWaiting(tx, (waiting) => waiting > 0)
      await bookTopUp(tx, test.deps, { scope, payoutId: id, nth: 2, at: test.clock.now() })
      return { looking }
    })
    expect([await looked.looking, await back(id)]).toEqual([0, []])
    expect([await lookNow(), await back(id)]).toEqual([1, [`operator_result>excess_funds ${MISSING + MORE}`]])
    await booksAgree()
  })

  it('is a break with the payouts’ names while the wallet does not show whose it is', async () => {
    await fundOperator(5_000_000n)
    const kept = await anAddedInVain('32.07')
    const given = await anAddedInVain()
    expect(await lookNow()).toBe(0)
    const [found, ...others] = await reconcileBank(test.deps, 'sandbox')
    expect([found?.check, others]).toEqual(['excess_differs', []])
    for (const { id } of [kept, given]) expect(found?.detail).toContain(`${id} (1.27 USDC)`)
    expect([...(await back(kept.id)), ...(await back(given.id))]).toEqual([])
    const word = { amount: MISSING, reference: `top-up-back:${given.id}`, reason: 'the bank says so' }
    const tried = await Promise.all([noteExcessMovement(test.deps, 'sandbox', word), lookNow()])
    expect(tried).toEqual([{ isRepeated: false }, 0])
    await booksAgree()
    // A millionth more is not what was added to the other.
    await adjust(EXCESS_WALLET_ID, MISSING + 1n)
    expect(await lookNow()).toBe(0)
    await adjust(EXCESS_WALLET_ID, -1n)
    expect([await lookNow(), await back(kept.id), await back(given.id)]).toEqual([1, [BACK], []])
    await booksAgree()
  })
})

describe('a refund that returns less than was sent', () => {
  const aRefunded = async (amount: string, steps: readonly string[] = ['submit', 'undeliver']) => {
    const made = await aPayout(...steps)
    await step(made.ref, 'refund', { amount })
    await sweep()
    return made
  }
  const dayLater = () =>
    sql(
      test,
      `update refund_checks set refunded_at = refunded_at - interval '1 hour', next_look_at = now() - interval '1 second' where found_at is null`,
    )

  it.each([
    ['failed', ['submit', 'undeliver']],
    ['returned', ['settle', 'return']],
  ])(
    'gives the partner of a %s payout back what it sent; the difference is the operator’s, once',
    async (status, steps) => {
      const { id } = await aRefunded('31.50', steps)
      expect([await statusOf(id), await balanceOf(test, partner)]).toEqual([status, FLOAT])
      expect(await checkRefunds(test.deps, 'sandbox')).toBe(0)
      await dayLater()
      const other = await test.anotherInstance()
      await Promise.all([test, other, test].map(({ deps }) => checkRefunds(deps, 'sandbox')))
      await dayLater()
      await checkRefunds(test.deps, 'sandbox')
      expect(await entriesOf(id, 'refund_diff')).toEqual(['refund_diff>operator_result 570000'])
      expect(alarmsOf(id)).toEqual([
        [
          'the bank gave back another amount than it took',
          expect.objectContaining({ sent: '32.07', cameBack: '31.50' }),
        ],
      ])
      expect(await balanceAtBank(test, partner)).toBe(FLOAT - 570_000n)
      await booksAgree()
    },
  )

  it('is booked although another wallet’s cannot be', async () => {
    const { id } = await aRefunded('31.50')
    partner = await test.aConnectedPartner()
    const other = await aRefunded('31.50')
    await dayLater()
    await sql(
      test,
      `create function refuse_entry() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
       create trigger refuse_entry before insert on ledger_entries for each row
         when (new.kind = 'refund_diff' and new.cause::text = '${id}') execute function refuse_entry()`,
    )
    await expect(checkRefunds(test.deps, 'sandbox')).rejects.toThrow('no')
    await sql(test, 'drop trigger refuse_entry on ledger_entries; drop function refuse_entry')
    expect([await entriesOf(id, 'refund_diff'), (await entriesOf(other.id, 'refund_diff')).length]).toEqual([[], 1])
    await dayLater()
    expect(await checkRefunds(test.deps, 'sandbox')).toBe(1)
    expect(await entriesOf(id, 'refund_diff')).toHaveLength(1)
    await booksAgree()
  })

  it('is made good by the operator when the money is there, and not before', async () => {
    const { id } = await aRefunded('31.50')
    await dayLater()
    await checkRefunds(test.deps, 'sandbox')
    await expect(makeRefundGood(test.deps, id, 'moved')).rejects.toThrow('must hold 0.57 USDC more')
    const { walletRef } = await accountAtBank(test, partner)
    await adjust(walletRef, 570_000n)
    await fundOperator(570_000n)
    await adjust(EXCESS_WALLET_ID, -570_000n)
    const tried = await Promise.allSettled([1, 2].map(() => makeRefundGood(test.deps, id, 'moved')))
    expect(tried.filter((each) => each.status === 'fulfilled')).toHaveLength(1)
    expect(await balanceAtBank(test, partner)).toBe(await balanceOf(test, partner))
    await booksAgree()
  })

  it('is made good together with another in one movement, and each is noted', async () => {
    const both = [await aRefunded('31.50'), await aRefunded('31.00')]
    await dayLater()
    await checkRefunds(test.deps, 'sandbox')
    const { walletRef } = await accountAtBank(test, partner)
    await adjust(walletRef, 1_000_000n)
    for (const { id } of both) await expect(makeRefundGood(test.deps, id, 'moved')).rejects.toThrow('and it is 1.00')
    await adjust(walletRef, 640_000n)
    await fundOperator(1_640_000n)
    await adjust(EXCESS_WALLET_ID, -1_640_000n)
    for (const { id } of both) await makeRefundGood(test.deps, id, 'moved')
    expect(await balanceAtBank(test, partner)).toBe(await balanceOf(test, partner))
    await booksAgree()
  })

  it('is found when it comes later, among deposits and other refunds', async () => {
    const late = await aRefunded('0')
    const whole = await aPayout('submit', 'undeliver')
    await step(whole.ref, 'refund')
    const { walletRef } = await accountAtBank(test, partner)
    await test.bank.control('POST', `/wallets/${walletRef}/credit`, { source: 'onchain', amount: '12.00' })
    await sweep()
    await sweepDeposits(test.deps, 'sandbox')
    await dayLater()
    expect(await checkRefunds(test.deps, 'sandbox')).toBe(1)
    await adjust(walletRef, 30_000_000n)
    await dayLater()
    expect(await checkRefunds(test.deps, 'sandbox')).toBe(1)
    // Both had sent the same, so nobody can tell which is which: it is booked once, to one of them.
    const both = [...(await entriesOf(late.id, 'refund_diff')), ...(await entriesOf(whole.id, 'refund_diff'))]
    expect(both).toEqual(['refund_diff>operator_result 2070000'])
    await booksAgree()
  })

  it('is no deposit that is not credited here yet, and nothing that the operator has made good', async () => {
    const { walletRef } = await accountAtBank(test, partner)
    const short = await aRefunded('1.00')
    await refundByHand(test.deps, short.id, { cameBack: parseDecimalUsdc('1.00')!, reason: 'the bank says so' })
    const late = await aRefunded('0')
    await adjust(walletRef, SENT - 1_000_000n)
    await fundOperator(SENT - 1_000_000n)
    await adjust(EXCESS_WALLET_ID, 1_000_000n - SENT)
    await makeRefundGood(test.deps, short.id, 'moved')
    await test.bank.control('POST', `/wallets/${walletRef}/credit`, { source: 'onchain', amount: '31.50' })
    await dayLater()
    expect(await checkRefunds(test.deps, 'sandbox')).toBe(0)
    await sweepDeposits(test.deps, 'sandbox')
    await dayLater()
    expect(await checkRefunds(test.deps, 'sandbox')).toBe(0)
    expect(await entriesOf(late.id, 'refund_diff')).toEqual([])
    await adjust(walletRef, 31_900_000n)
    await dayLater()
    expect(await checkRefunds(test.deps, 'sandbox')).toBe(1)
    expect(await entriesOf(late.id, 'refund_diff')).toEqual([`refund_diff>operator_result 170000`])
    await booksAgree()
  })

  it('is no deposit of what was sent that is not credited here yet', async () => {
    const { walletRef } = await accountAtBank(test, partner)
    const late = await aRefunded('0')
    await test.bank.control('POST', `/wallets/${walletRef}/credit`, { source: 'onchain', amount: '32.07' })
    for (const isOld of [false, true]) {
      if (isOld) await dayLater()
      expect(await checkRefunds(test.deps, 'sandbox')).toBe(0)
    }
    await sweepDeposits(test.deps, 'sandbox')
    await dayLater()
    expect(await checkRefunds(test.deps, 'sandbox')).toBe(0)
    await adjust(walletRef, SENT)
    await dayLater()
    expect(await checkRefunds(test.deps, 'sandbox')).toBe(1)
    expect([await entriesOf(late.id, 'refund_diff'), await balanceOf(test, partner)]).toEqual([[], FLOAT + SENT])
    await booksAgree()
  })

  it.each(['31.50', '32.07'])('is no second payment of %s in one transaction, which was left out', async (usdc) => {
    const { walletRef } = await accountAtBank(test, partner)
    const arrives = async (amount: string) => {
      const path = `/wallets/${walletRef}/credit`
      return (await test.bank.control<{ deposit_id: string }>('POST', path, { source: 'onchain', amount })).deposit_id
    }
    const first = await arrives('12.00')
    await sweepDeposits(test.deps, 'sandbox')
    const late = await aRefunded('0')
    const second = await arrives(usdc)
    await test.bank.query(
      'update drains set deposit_tx_hash = (select deposit_tx_hash from drains where id = $1) where id = $2',
      [first, second],
    )
    await sweepDeposits(test.deps, 'sandbox')
    expect(await balanceOf(test, partner)).toBe(FLOAT + 12_000_000n)
    for (let look = 0; look < 2; look++) {
      await sql(test, `update refund_checks set refunded_at = refunded_at - interval '2 days' where found_at is null`)
      await dayLater()
      expect(await checkRefunds(test.deps, 'sandbox')).toBe(0)
    }
    expect(await entriesOf(late.id, 'refund_diff')).toEqual([])
    expect(alarmsOf(late.id).map(([what]) => what)).toEqual(['a refund is not in the bank’s wallet'])
    expect(test.alarms.filter(({ about }) => about['depositRef'] === second).map(({ what }) => what)).toEqual([
      'a deposit was left out',
    ])
    await refundByHand(test.deps, late.id, { cameBack: parseDecimalUsdc('0')!, reason: 'the bank kept it' })
    await adjust(walletRef, 0n - parseDecimalUsdc(usdc)!)
    await booksAgree()
  })

  it('is said by the operator where the history does not tell, once', async () => {
    const { id } = await aRefunded('0')
    const word = { cameBack: parseDecimalUsdc('0')!, reason: 'the bank kept it' }
    const tried = await Promise.allSettled([1, 2].map(() => refundByHand(test.deps, id, word)))
    expect(tried.filter((each) => each.status === 'fulfilled')).toHaveLength(1)
    expect(await entriesOf(id, 'refund_diff')).toEqual([`refund_diff>operator_result ${SENT}`])
    await booksAgree()
  })

  it('brings only what was exchanged, by the bank’s terms: the surplus stays with the operator', async () => {
    await terms({ refunds_return: 'converted' })
    const { id, ref } = await aPayout('settle', 'return')
    await step(ref, 'refund')
    await sweep()
    await dayLater()
    await checkRefunds(test.deps, 'sandbox')
    expect(await entriesOf(id, 'surplus')).toEqual([`operator_result>excess_funds ${SURPLUS}`])
    expect(await entriesOf(id, 'refund_diff')).toEqual([`refund_diff>operator_result ${SURPLUS}`])
    await booksAgree()
    await terms({ refunds_return: 'everything' })
  })

  it('is looked for when the bank tells of the wallet’s activity', async () => {
    await test.listen()
    const { id } = await aRefunded('31.50')
    await dayLater()
    const found = async () => {
      await handleBankEvents(test.deps)
      return (await entriesOf(id, 'refund_diff')).length
    }
    await expect.poll(found, { timeout: 20_000 }).toBe(1)
  })
})

describe('a refund that is seen alone, with free words for a reason', () => {
  it('is no return: what was never seen to arrive did not go', async () => {
    const made = await aPayout()
    await step(made.ref, 'submit')
    await step(made.ref, 'return', { reason: 'The account holder does not want it' })
    await step(made.ref, 'refund')
    await sweep()
    expect([await statusOf(made.id), await balanceOf(test, partner)]).toEqual(['failed', FLOAT])
  })
})

describe('a deposit whose event is in pounds', () => {
  it('is credited as the USDC that arrived, and never pounds as dollars', async () => {
    await terms({ deposits_shown_in: 'gbp' })
    const { walletRef } = await accountAtBank(test, partner)
    await test.bank.control('POST', `/wallets/${walletRef}/credit`, { source: 'bank', amount_gbp: '77.00' })
    await sweepDeposits(test.deps, 'sandbox')
    expect(await balanceOf(test, partner)).toBe(FLOAT + 97_460_000n)
    await terms({ deposits_shown_in: 'usdc' })
    await booksAgree()
  })
})
