// The bank's lists as a bank really gives them: rows that come late, are dated in the future, or cannot be read, and a
// bank that is busy in the middle of a long list. Nothing is passed over, and nobody pays for somebody else's row.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { handleBankEvents } from '../../src/domain/banking/feeds/bank-events.ts'
import { newId } from '../../src/core/ids.ts'
import { microUsdc } from '../../src/core/money.ts'
import { creditDeposit, creditNamedDeposit, sweepDeposits } from '../../src/domain/banking/feeds/credit-deposits.ts'
import { countedOnce } from '../../src/domain/banking/feeds/left-out-deposits.ts'
import { moveByOperator } from '../../src/domain/banking/operator/move-by-operator.ts'
import { connectPause } from '../../src/domain/banking/sandbox/connect-later.ts'
import { connectWallets } from '../../src/domain/banking/sandbox/connect-wallets.ts'
import { sweepTransfers } from '../../src/domain/banking/feeds/sweep-transfers.ts'
import { tidyBank } from '../../src/domain/banking/feeds/tidy-bank.ts'
import { reconcileBank } from '../../src/domain/banking/reconcile/reconcile-bank.ts'
import type { Deposit } from '../../src/rail/account.ts'
import { RailUnavailable } from '../../src/rail/port.ts'
import { saveReconciliation } from '../../src/storage/bank-comparison.ts'
import { type BankApp, accountAtBank, balanceAtBank, startBankApp } from '../support/bank-app.ts'
import { keepMessages } from '../support/bank-message.ts'
import { StandingTime } from '../support/clock.ts'
import { type TestPartner, balanceOf, createPayout, get, sql } from '../support/fixtures.ts'
import { type LyingBank, startLyingBank } from '../support/lying-bank.ts'

const FLOAT = 10_000_000_000n
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const DRAINS = '/liquidation_addresses/drains'
const HISTORY = '/virtual_accounts/history'
const NOWHERE = '00000000-0000-4000-8000-000000000000'

let test: BankApp
let lying: LyingBank
let [one, other]: TestPartner[] = []
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
  one = await test.aConnectedPartner()
  other = await test.aConnectedPartner()
})

const sweep = () => sweepDeposits(test.deps, 'sandbox')

async function arrives(partner: TestPartner, source: 'bank' | 'onchain', amount: string): Promise<string> {
  const { walletRef } = await accountAtBank(test, partner)
  const path = `/wallets/${walletRef}/credit`
  return (await test.bank.control<{ deposit_id: string }>('POST', path, { source, amount })).deposit_id
}

/** The deposit's moment at the bank, moved by so much from now. */
async function redate(depositRef: string, byMs: number): Promise<void> {
  const by = `${byMs} milliseconds`
  const drains = 'update drains set updated_at = updated_at + $2::interval where id = $1'
  const events = 'update virtual_account_events set created_at = created_at + $2::interval where deposit_id = $1'
  for (const text of [drains, events]) await test.bank.query(text, [depositRef, by])
}

const alarmsSince = (count: number) => test.alarms.slice(count).map((alarm) => alarm.what)

describe('a deposit is credited', () => {
  it.each(['bank', 'onchain'] as const)('although its row by %s shows up half an hour late', async (source) => {
    await arrives(other!, source, '1.00')
    await sweep()
    await redate(await arrives(one!, source, '5.00'), -30 * MINUTE_MS)
    await sweep()
    expect(await balanceOf(test, one!)).toBe(FLOAT + 5_000_000n)
  })

  it.each(['bank', 'onchain'] as const)('after a row by %s that was dated an hour ahead', async (source) => {
    await redate(await arrives(other!, source, '1.00'), 60 * MINUTE_MS)
    await sweep()
    await arrives(one!, source, '9.00')
    await sweep()
    expect([await balanceOf(test, one!), await balanceOf(test, other!)]).toEqual([
      FLOAT + 9_000_000n,
      FLOAT + 1_000_000n,
    ])
  })

  it.each([
    ['chain_deposits', 'onchain'],
    ['bank_deposits', 'bank'],
  ] as const)('although the mark of %s had run ahead before', async (feed, source) => {
    await sweep()
    await sql(test, `update bank_feeds set read_up_to = now() + interval '3 hours' where feed = $1`, [feed])
    await arrives(one!, source, '4.00')
    await sweep()
    expect(await balanceOf(test, one!)).toBe(FLOAT + 4_000_000n)
  })

  it('although another partner’s row cannot be read, which is told once and credited when it can', async () => {
    for (const [path, source] of [
      [DRAINS, 'onchain'],
      [HISTORY, 'bank'],
    ] as const) {
      const [before, beforeOther] = [await balanceOf(test, one!), await balanceOf(test, other!)]
      const alarms = test.alarms.length
      const ref = await arrives(other!, source, '7.00')
      await arrives(one!, source, '6.00')
      const isBad = (row: Record<string, unknown>) => row['id'] === ref || row['deposit_id'] === ref
      lying.lieAbout(path, (rows) => rows.map((row) => (isBad(row) ? { ...row, amount: '7.0000001' } : row)))
      for (let round = 0; round < 3; round++) {
        await sweep()
        await test.moveClocks(2 * MINUTE_MS)
      }
      expect(await balanceOf(test, one!)).toBe(before + 6_000_000n)
      expect(await balanceOf(test, other!)).toBe(beforeOther)
      expect(alarmsSince(alarms)).toEqual(['a deposit at the bank cannot be read'])
      await test.moveClocks(DAY_MS)
      lying.lieAbout(path, null)
      await sweep()
      expect(await balanceOf(test, other!)).toBe(beforeOther + 7_000_000n)
    }
  })

  it('although other rows of its page are of nobody, are no objects, or have no id', async () => {
    const alarms = test.alarms.length
    await arrives(one!, 'onchain', '2.00')
    lying.lieAbout(DRAINS, (rows) => ['nonsense', null, { state: 'payment_processed' }, ...rows])
    await sweep()
    await sweep()
    lying.lieAbout(DRAINS, null)
    expect(await balanceOf(test, one!)).toBe(FLOAT + 2_000_000n)
    expect(alarmsSince(alarms)).toEqual(Array.from({ length: 3 }, () => 'a deposit at the bank cannot be read'))
  })

  it('although an earlier one of the same page cannot be written down', async () => {
    const alarms = test.alarms.length
    await sql(
      test,
      `create function refuse_seven() returns trigger language plpgsql as
         $$ begin if new.amount_micro = 77000000 then raise exception 'not this one'; end if; return new; end $$`,
    )
    await sql(
      test,
      'create trigger refuse_seven before insert on deposits for each row execute function refuse_seven()',
    )
    await arrives(one!, 'onchain', '2.00')
    await arrives(other!, 'onchain', '77.00')
    await arrives(one!, 'onchain', '2.00')
    await sweep()
    await sweep()
    expect(await balanceOf(test, one!)).toBe(FLOAT + 4_000_000n)
    expect(alarmsSince(alarms)).toEqual(['a deposit could not be credited'])
    await sql(test, 'drop trigger refuse_seven on deposits')
    await test.moveClocks(10 * MINUTE_MS)
    await sweep()
    expect(await balanceOf(test, other!)).toBe(FLOAT + 77_000_000n)
  })
})

describe('a deposit that was credited', () => {
  type Row = Record<string, unknown>
  /** Every character takes three bytes, and no two are alike. */
  const UNPACKABLE = String.fromCodePoint(...Array.from({ length: 490 }, (_, index) => 0x4e00 + index))
  const CHANGED = 'the bank has changed a deposit that was credited'
  const LEFT_OUT = 'a deposit was left out'

  /** The bank's row of this deposit is so from now on. */
  const nowSays = (path: string, ref: string, change: (row: Row) => Row[]) =>
    lying.lieAbout(path, (rows) =>
      rows.flatMap((row) => (row['id'] === ref || row['deposit_id'] === ref ? change(row) : [row])),
    )
  const told = (since: number) => test.alarms.slice(since).map(({ what, about }) => [what, about['depositRef']])
  const depositsOfOneTransaction = (count: number) =>
    Array.from({ length: count }, (_, index): Deposit => {
      const at = test.clock.now()
      const ids = { depositRef: `${one!.id}-${index}`, transactionRef: `hash-of-${one!.id}`, holderRef: 'its holder' }
      return { ...ids, source: 'chain', amount: microUsdc(1_000_000n), receivedAt: at, updatedAt: at }
    })

  it.each(['bank', 'onchain'] as const)('by %s stays as it is when the bank changes its amount', async (source) => {
    const ref = await arrives(one!, source, '5.00')
    await sweep()
    const alarms = test.alarms.length
    const amount = { amount: '4.00', receipt: { final_amount: '4.00', outgoing_amount: '4.00' } }
    nowSays(source === 'bank' ? HISTORY : DRAINS, ref, (row) => [{ ...row, ...amount }])
    await Promise.all([sweep(), sweep()])
    await sweep()
    lying.tellTheTruth()
    expect(await balanceOf(test, one!)).toBe(FLOAT + 5_000_000n)
    expect(told(alarms)).toEqual([[CHANGED, ref]])
    expect(test.alarms.at(-1)!.about).toMatchObject({ partnerId: one!.id, usdc: '4.00' })
  })

  it('is in one wallet although the bank shows it in two names, at once or later', async () => {
    const { holderRef } = await accountAtBank(test, other!)
    const [first, second] = [await arrives(one!, 'onchain', '5.00'), await arrives(one!, 'onchain', '6.00')]
    const alarms = test.alarms.length
    nowSays(DRAINS, first, (row) => [row, { ...row, customer_id: holderRef }])
    await sweep()
    nowSays(DRAINS, second, (row) => [{ ...row, customer_id: holderRef }])
    await sweep()
    lying.tellTheTruth()
    await sweep()
    expect([await balanceOf(test, one!), await balanceOf(test, other!)]).toEqual([FLOAT + 11_000_000n, FLOAT])
    expect(told(alarms)).toEqual(expect.arrayContaining([[CHANGED, second]]))
  })

  /** The bank takes a deposit back, so much later than it arrived. Of a bank transfer it lists both. */
  const takenBack = (source: 'bank' | 'onchain', byMs: number) => (row: Row) => {
    const field = source === 'bank' ? 'created_at' : 'updated_at'
    const at = new Date(Date.parse(String(row[field])) + byMs).toISOString()
    const back = { ...row, [field]: at, ...(source === 'bank' ? { type: 'refunded' } : { state: 'returned' }) }
    return source === 'bank' ? [{ ...back, id: `again-${String(row['id'])}` }, row] : [back]
  }
  const LISTS = [
    ['bank', HISTORY],
    ['onchain', DRAINS],
  ] as const

  it.each(LISTS)('by %s and is taken back is told of once', async (source, path) => {
    const ref = await arrives(one!, source, '5.00')
    await sweep()
    const alarms = test.alarms.length
    nowSays(path, ref, takenBack(source, MINUTE_MS))
    await sweep()
    await sweep()
    expect(told(alarms)).toEqual([[CHANGED, ref]])
    expect(await balanceOf(test, one!)).toBe(FLOAT + 5_000_000n)
    // One that was taken back before it was ever seen is in nobody's wallet.
    const unseen = await arrives(other!, source, '7.00')
    nowSays(path, unseen, takenBack(source, MINUTE_MS))
    await sweep()
    lying.tellTheTruth()
    expect(await balanceOf(test, other!)).toBe(FLOAT)
    expect(told(alarms)).toEqual([[CHANGED, ref]])
  })

  it.each(LISTS)('by %s and was taken back is not credited by what the bank said before', async (source, path) => {
    const ref = await arrives(one!, source, '5.00')
    const alarms = test.alarms.length
    nowSays(path, ref, takenBack(source, MINUTE_MS))
    await sweep()
    lying.tellTheTruth()
    const named = { source: source === 'bank' ? 'bank' : 'chain', depositRef: ref } as const
    await Promise.all([sweep(), creditNamedDeposit(test.deps, 'sandbox', named)])
    expect([await balanceOf(test, one!), told(alarms)]).toEqual([FLOAT, []])
    // What it says afterwards contradicts it, and somebody has to look.
    await redate(ref, 10 * MINUTE_MS)
    for (let round = 0; round < 2; round++) await sweep()
    expect([await balanceOf(test, one!), told(alarms)]).toEqual([FLOAT, [[LEFT_OUT, ref]]])
  })

  const undated = (row: Row) => ({ ...row, created_at: 'some day', updated_at: 'some day' })
  const SHOWN_AGAIN = [
    ['at the moment of its undoing', (back: (byMs: number) => Row) => [back(0)]],
    ['after an undoing without a moment', (back: (byMs: number) => Row) => [undated(back(0))]],
    ['on one page with an earlier undoing', (back: (byMs: number) => Row, row: Row) => [row, back(-MINUTE_MS)]],
  ] as const
  it.each(
    LISTS.flatMap(([source, path]) =>
      ['before it was credited', 'after it was credited'].flatMap((had) =>
        SHOWN_AGAIN.map(([how, undone]) => [source, had, how, { path, undone }] as const),
      ),
    ),
  )('by %s, undone %s and shown as good %s is told of once', async (source, had, _, { path, undone }) => {
    const alarms = test.alarms.length
    const ref = await arrives(one!, source, '5.00')
    if (had === 'after it was credited') await sweep()
    const before = await balanceOf(test, one!)
    nowSays(path, ref, (row) => undone((byMs) => takenBack(source, byMs)(row)[0]!, row))
    await sweep()
    lying.tellTheTruth()
    const named = { source: source === 'bank' ? 'bank' : 'chain', depositRef: ref } as const
    for (let round = 0; round < 2; round++) {
      await Promise.all([sweep(), creditNamedDeposit(test.deps, 'sandbox', named)])
    }
    const expected = had === 'after it was credited' ? [CHANGED, CHANGED] : [LEFT_OUT]
    expect([await balanceOf(test, one!), told(alarms)]).toEqual([before, expected.map((what) => [what, ref])])
  })

  it('by the operator’s word is not, if the bank has undone it on a later page', async () => {
    const scope = { partnerId: one!.id, environment: 'sandbox' } as const
    let newest: Row = {}
    lying.lieAbout(DRAINS, (rows, query) => {
      if (query.has('starting_after')) return [{ ...newest, state: 'returned' }]
      newest = rows[0]!
      return Array.from({ length: 100 }, () => newest)
    })
    const movement = { kind: 'credit', amount: microUsdc(3_000_000n), reference: 'undone', reason: 'a test' } as const
    await moveByOperator(test.deps, scope, movement)
    lying.tellTheTruth()
    expect(await balanceOf(test, one!)).toBe(FLOAT)
  })

  it('in one transaction and under two ids is credited once, and told of once', async () => {
    const [ref, elsewhere] = [await arrives(one!, 'onchain', '5.00'), await arrives(other!, 'onchain', '6.00')]
    const [{ hash }] = (await test.bank.query<{ hash: string }>(
      'select deposit_tx_hash as hash from drains where id = $1',
      [ref],
    )) as [{ hash: string }]
    const alarms = test.alarms.length
    const twin = `twin-${ref}`
    lying.lieAbout(DRAINS, (rows) =>
      rows.flatMap((row) => {
        if (row['id'] === ref) return [row, { ...row, id: twin, deposit_tx_hash: hash.toUpperCase() }]
        // Another business may be paid in the same transaction.
        return row['id'] === elsewhere ? [{ ...row, deposit_tx_hash: hash }] : [row]
      }),
    )
    for (let round = 0; round < 2; round++) await sweep()
    expect([await balanceOf(test, one!), await balanceOf(test, other!)]).toEqual([
      FLOAT + 5_000_000n,
      FLOAT + 6_000_000n,
    ])
    expect(told(alarms)).toEqual([[LEFT_OUT, twin]])
    const breaks = await reconcileBank(test.deps, 'sandbox')
    expect(breaks.filter(({ partnerId }) => [one!.id, other!.id].includes(partnerId ?? ''))).toEqual([])
    lying.tellTheTruth()
  })

  describe('by an earlier release, which kept no transactions,', () => {
    let [ref, twin, alarms] = ['', '', 0]
    let row: Row = {}
    beforeEach(async () => {
      ref = await arrives(one!, 'onchain', '5.00')
      lying.lieAbout(DRAINS, (rows) => {
        row = rows.find(({ id }) => id === ref) ?? row
        return rows
      })
      await sweep()
      // Long enough that the lists are read without it.
      await test.moveClocks(5 * 60 * MINUTE_MS)
      await arrives(other!, 'onchain', '1.00')
      await sweep()
      await sql(test, 'delete from deposit_transactions where deposit_ref = $1', [ref])
      await sql(test, 'update deposits set has_claimed = false where deposit_ref = $1', [ref])
      alarms = test.alarms.length
      twin = `twin-${ref}`
    })
    afterEach(() => {
      lying.tellTheTruth()
      lying.refuse(null)
    })

    /** The bank lists it once more, under another id and as new; `change` is about the first one. */
    const listsTwice = (change: (first: Row) => Row[] = (first) => [first]) => {
      const now = test.clock.now()
      lying.lieAbout(DRAINS, (rows, query) => {
        const again = { ...row, id: twin, updated_at: now.toISOString() }
        const first = rows.flatMap((each) => (each['id'] === ref ? change(each) : [each]))
        return query.has('starting_after') ? first : [again, ...first]
      })
    }
    const asCredited = (count: bigint) => [FLOAT + count * 5_000_000n, count === 1n ? [[LEFT_OUT, twin]] : []]
    const state = async () => [await balanceOf(test, one!), told(alarms)]

    it.each(['after', 'before'] as const)('is credited once when its twin stands %s it', async (where) => {
      lying.lieAbout(DRAINS, (rows) => {
        const both = [row, { ...row, id: twin }]
        const rest = rows.filter(({ id }) => id !== ref)
        return [...(where === 'after' ? both : both.toReversed()), ...rest]
      })
      await sweep()
      expect(await state()).toEqual(asCredited(1n))
    })

    it('is credited once when the list shows its twin first', async () => {
      listsTwice()
      await sweep()
      expect(await state()).toEqual(asCredited(1n))
    })

    it('is credited once when a message names its twin first', async () => {
      listsTwice()
      await creditNamedDeposit(test.deps, 'sandbox', { source: 'chain', depositRef: twin })
      expect(await state()).toEqual([FLOAT + 5_000_000n, []])
      await sweep()
      expect(await state()).toEqual(asCredited(1n))
    })

    it.each([
      ['undone', (first: Row) => [{ ...first, state: 'returned' }]],
      ['in a state that says nothing', (first: Row) => [{ ...first, state: 'in_review' }]],
      ['unreadable', (first: Row) => [{ ...first, amount: '5.0000001' }]],
    ] as const)('is credited once although it is %s by now', async (_, change) => {
      listsTwice(change)
      await sweep()
      expect((await state())[0]).toBe(FLOAT + 5_000_000n)
      expect(told(alarms)).toContainEqual([LEFT_OUT, twin])
    })

    it('is credited once although the whole list breaks off, and two processes read it at once', async () => {
      const { deps } = await test.anotherInstance()
      let asked = 0
      listsTwice()
      // The recent list can be read, the whole list after it cannot.
      lying.refuse(({ path }) => (path === DRAINS && (asked += 1) > 1 ? 500 : null))
      await expect(sweep()).rejects.toThrow('could not be read')
      expect(await state()).toEqual([FLOAT + 5_000_000n, []])
      // After an hour of that somebody has to look.
      for (let round = 0; round < 3; round++) {
        await test.moveClocks(61 * MINUTE_MS)
        asked = 0
        await expect(sweep()).rejects.toThrow('could not be read')
      }
      expect(await state()).toEqual([FLOAT + 5_000_000n, [['a deposit could not be credited', twin]]])
      alarms = test.alarms.length
      lying.refuse(null)
      await Promise.all([sweep(), sweepDeposits(deps, 'sandbox'), sweepDeposits(deps, 'sandbox', { depth: 'whole' })])
      await sweep()
      expect(await state()).toEqual(asCredited(1n))
    })

    it('holds up nothing for ever: what comes later is credited, also if the bank has forgotten the old one', async () => {
      listsTwice(() => [])
      await sweep()
      expect(await state()).toEqual(asCredited(2n))
    })

    it('costs one read of the whole list, and none afterwards', async () => {
      const next = async (usdc: string) => {
        await arrives(one!, 'onchain', usdc)
        const before = lying.asked(DRAINS)
        await sweep()
        return lying.asked(DRAINS) - before
      }
      const costs = [await next('1.00'), await next('2.00'), await next('3.00')]
      expect(costs[0]).toBeGreaterThan(1)
      expect([costs.slice(1), await balanceOf(test, one!)]).toEqual([[1, 1], FLOAT + 11_000_000n])
    })

    it('twice is told of, because both are in the wallet', async () => {
      await sql(
        test,
        `insert into deposits (partner_id, environment, deposit_ref, source, amount_micro, received_at, credited_at)
         select partner_id, environment, $2, source, amount_micro, received_at, credited_at from deposits where deposit_ref = $1`,
        [ref, twin],
      )
      listsTwice()
      await test.moveClocks(DAY_MS)
      for (let round = 0; round < 2; round++) await sweepDeposits(test.deps, 'sandbox', { depth: 'whole' })
      await sweep()
      expect(told(alarms)).toEqual([[CHANGED, expect.stringContaining(ref)]])
    })
  })

  it('in one transaction with one that was left out is counted when a wallet is connected', async () => {
    const scope = { partnerId: one!.id, environment: 'sandbox' } as const
    const [gone, stays] = depositsOfOneTransaction(2)
    await sql(
      test,
      `insert into deposits_left_out (environment, deposit_ref, reason, at) values ('sandbox', $1, 'undone', now())`,
      [gone!.depositRef],
    )
    const counted = (all: Deposit[]) => test.deps.db.inTransaction((tx) => countedOnce(tx, scope, all))
    expect([await counted([gone!, stays!]), await counted([stays!, gone!])]).toEqual([[stays], [stays]])
  })

  it('while its wallet is connected is in it once, although the list changes and is as long as before', async () => {
    const partner = await test.anUnconnectedPartner()
    await test.bank.control('POST', '/faults', {
      route: 'GET /v0/customers/{customerID}/wallets/{walletID}',
      mode: 'reset_before',
    })
    await expect(connectWallets(test.deps, 'sandbox')).rejects.toThrow(/^The bank/)
    const [address] = await test.bank.query<{ id: string; holder: string; wallet: string }>(
      `select l.id, l.customer_id as holder, l.wallet_id as wallet
         from liquidation_addresses l join wallets w on w.id = l.wallet_id order by w.seq desc limit 1`,
    )
    const { id, holder, wallet } = address!
    const credit = async (amount: string) => {
      const answer = await test.bank.control<{ deposit_id: string }>('POST', `/wallets/${wallet}/credit`, {
        source: 'onchain',
        amount,
      })
      return answer.deposit_id
    }
    const unseen = [await credit('50.00'), await credit('20.00')]
    let looks = 0
    lying.lieAbout(`/customers/${holder}/liquidation_addresses/${id}/drains`, (rows) => {
      const hidden = unseen[looks++]
      return rows.filter((row) => row['id'] !== hidden)
    })
    await test.moveClocks(connectPause(1))
    await expect(connectWallets(test.deps, 'sandbox')).rejects.toThrow('listed other deposits')
    await test.moveClocks(connectPause(2))
    expect(await connectWallets(test.deps, 'sandbox')).toBe(1)
    lying.tellTheTruth()
    await test.moveClocks(DAY_MS)
    await sweepDeposits(test.deps, 'sandbox', { depth: 'whole' })
    expect(await balanceOf(test, partner)).toBe(await balanceAtBank(test, partner))
    expect(looks).toBe(4)
  })

  it('in one transaction and under ten ids at once is credited once', async () => {
    const scope = { partnerId: one!.id, environment: 'sandbox' } as const
    await Promise.all(
      depositsOfOneTransaction(10).map((each) =>
        test.deps.db.inTransaction((tx) => creditDeposit(test.deps, tx, scope, each)),
      ),
    )
    expect(await balanceOf(test, one!)).toBe(FLOAT + 1_000_000n)
  })

  it('with a hash that is none is told from others by its id alone', async () => {
    for (const hash of ['0x', `0x${'0'.repeat(64)}`, 'pending', 7, null]) {
      const both = [await arrives(one!, 'onchain', '1.00'), await arrives(one!, 'onchain', '1.00')]
      lying.lieAbout(DRAINS, (rows) =>
        rows.map((row) => (both.includes(String(row['id'])) ? { ...row, deposit_tx_hash: hash } : row)),
      )
      await sweep()
    }
    lying.tellTheTruth()
    expect(await balanceOf(test, one!)).toBe(FLOAT + 10_000_000n)
  })

  it('under the id of one on the other list is told of, although it is as much', async () => {
    const ref = await arrives(one!, 'onchain', '5.00')
    await sweep()
    const alarms = test.alarms.length
    nowSays(HISTORY, await arrives(one!, 'bank', '5.00'), (row) => [{ ...row, deposit_id: ref }])
    for (let round = 0; round < 2; round++) await sweep()
    lying.tellTheTruth()
    expect([await balanceOf(test, one!), told(alarms)]).toEqual([FLOAT + 5_000_000n, [[CHANGED, ref]]])
  })

  it('under an id and in words that are as long as they may be is told of once, too', async () => {
    const ref = await arrives(one!, 'onchain', '5.00')
    const alarms = test.alarms.length
    nowSays(DRAINS, ref, (row) => [{ ...row, id: UNPACKABLE }])
    await sweep()
    expect(await balanceOf(test, one!)).toBe(FLOAT + 5_000_000n)
    nowSays(DRAINS, ref, (row) => [{ ...row, id: UNPACKABLE, state: `returned ${UNPACKABLE}` }])
    await sweep()
    await sweep()
    lying.tellTheTruth()
    expect(told(alarms)).toEqual([[CHANGED, UNPACKABLE]])
    expect(await balanceOf(test, one!)).toBe(FLOAT + 5_000_000n)
  })
})

describe('a long list', () => {
  it('is read on from where the bank broke off, page by page', async () => {
    for (let sent = 0; sent < 70; sent++) await arrives(one!, 'bank', '1.00')
    let asked = 0
    // Every second question is one too many: a read that began anew each time would never come to an end.
    lying.refuse(({ path }) => (path === HISTORY && ++asked % 2 === 0 ? 429 : null))
    let rounds = 0
    for (; (await balanceOf(test, one!)) < FLOAT + 70_000_000n && rounds < 10; rounds++)
      await sweep().catch(() => undefined)
    lying.refuse(null)
    expect(await balanceOf(test, one!)).toBe(FLOAT + 70_000_000n)
    expect(rounds).toBeLessThan(10)
  })
})

describe('a list that goes round', () => {
  it('is left, however long the round, and read from its beginning when the bank has mended it', async () => {
    const names = await Promise.all(Array.from({ length: 3 }, () => arrives(one!, 'onchain', '1.00')))
    // Full pages of the same rows, after each of which another one comes that has not arrived yet.
    const page = (rows: Record<string, unknown>[], query: URLSearchParams) => {
      const next = names[(names.indexOf(query.get('starting_after') ?? '') + 1) % names.length]
      const rest = rows.length === 0 ? [{ id: next }] : rows
      const last = { ...rest[0], id: next, state: 'payment_submitted', deposit_tx_hash: null }
      return [...Array.from({ length: 99 }, () => rest[0]!), last]
    }
    lying.lieAbout(DRAINS, page)
    const asked = lying.asked(DRAINS)
    for (let round = 0; round < 3; round++) await expect(sweep()).rejects.toThrow('goes round in a circle')
    expect(lying.asked(DRAINS) - asked).toBeLessThan(60)
    lying.lieAbout(DRAINS, null)
    await arrives(one!, 'onchain', '5.00')
    await sweep()
    expect(await balanceOf(test, one!)).toBe(FLOAT + 8_000_000n)
  })
})

describe('what every overlap would miss', () => {
  it('is found by the daily read of the whole list, which is not done twice a day', async () => {
    const whole = () => sweepDeposits(test.deps, 'sandbox', { depth: 'whole' })
    await sql(test, `delete from bank_feeds where feed like 'all%'`)
    await redate(await arrives(one!, 'bank', '3.00'), -DAY_MS)
    await redate(await arrives(one!, 'onchain', '4.00'), -DAY_MS)
    await sweep()
    expect(await balanceOf(test, one!)).toBe(FLOAT)
    await whole()
    expect(await balanceOf(test, one!)).toBe(FLOAT + 7_000_000n)
    const asked = lying.asked(DRAINS)
    await whole()
    expect(lying.asked(DRAINS)).toBe(asked)
    await test.moveClocks(DAY_MS + 2 * MINUTE_MS)
    await whole()
    expect(lying.asked(DRAINS)).toBeGreaterThan(asked)
  })

  it('and is nobody’s when first met is looked for from its own time on, and never by reading all of history', async () => {
    const whole = () => sweepDeposits(test.deps, 'sandbox', { depth: 'whole' })
    await sql(test, 'delete from bank_rows_waiting')
    const { holderRef } = await accountAtBank(test, one!)
    const recent = await arrives(one!, 'onchain', '11.00')
    const ancient = await arrives(one!, 'onchain', '13.00')
    await redate(recent, -2 * DAY_MS)
    await redate(ancient, -30 * DAY_MS)
    const twoDaysAgo = test.clock.now().getTime() - 2 * DAY_MS
    // As long as the bank calls its customer by another name, nobody here is known to have it.
    const sinces: number[] = []
    const isLate = (row: Record<string, unknown>) => row['id'] === recent || row['id'] === ancient
    const lie = (name: unknown) =>
      lying.lieAbout(DRAINS, (rows, query) => {
        sinces.push(Number(query.get('updated_after_ms')))
        return rows.map((row) => (isLate(row) ? { ...row, customer_id: name } : row))
      })
    lie('somebody')
    await test.moveClocks(DAY_MS + 2 * MINUTE_MS)
    await whole()
    expect(Math.min(...sinces)).toBe(0)
    sinces.length = 0
    for (let round = 0; round < 6; round++) {
      await sweep()
      await test.moveClocks(10 * MINUTE_MS)
    }
    // Two days and an hour, with a minute for the test itself.
    expect(Math.min(...sinces)).toBeGreaterThan(twoDaysAgo - 61 * MINUTE_MS)
    expect(Math.min(...sinces)).toBeLessThan(twoDaysAgo)
    lie(holderRef)
    await test.moveClocks(7 * 60 * MINUTE_MS)
    await sweep()
    expect(await balanceOf(test, one!)).toBe(FLOAT + 11_000_000n)
    await test.moveClocks(DAY_MS)
    await whole()
    lying.lieAbout(DRAINS, null)
    expect(await balanceOf(test, one!)).toBe(FLOAT + 24_000_000n)
    expect(await sql(test, 'select 1 from bank_rows_waiting where ref = any($1)', [[recent, ancient]])).toEqual([])
  })

  it('is credited by the bank’s message, which names it', async () => {
    for (const [source, category] of [
      ['bank', 'virtual_account.activity'],
      ['onchain', 'liquidation_address.drain'],
    ] as const) {
      const before = await balanceOf(test, one!)
      const ref = await arrives(one!, source, '8.00')
      await redate(ref, -3 * 60 * MINUTE_MS)
      await told(category, ref)
      await handleBankEvents(test.deps)
      expect(await balanceOf(test, one!)).toBe(before + 8_000_000n)
      expect(await unhandled()).toEqual([])
    }
  })

  it('is left to the next go, and asked for at once, where there was no time to read what a message names', async () => {
    const time = new StandingTime(() => test.clock.now())
    const bank = test.deps.banks.sandbox!
    let read = 0
    const readDeposit: typeof bank.readDeposit = (...named) => {
      read += 1
      time.pass(200)
      return bank.readDeposit(...named)
    }
    const deps = { ...test.deps, clock: time, banks: { ...test.deps.banks, sandbox: { ...bank, readDeposit } } }
    for (let nth = 0; nth < 8; nth++) await told('liquidation_address.drain', `${NOWHERE.slice(0, -1)}${nth}`)
    await handleBankEvents(deps)
    expect(read).toBe(5)
    await handleBankEvents(deps)
    expect(read).toBe(8)
    await handleBankEvents(deps)
    expect(read).toBe(8)
    await sql(test, 'delete from bank_events')
  })

  it('is asked for again while the bank’s message names what it does not show, and told of after a day', async () => {
    const refs = Object.entries({ transfer: NOWHERE, 'liquidation_address.drain': NOWHERE })
    for (const [category, ref] of refs) await told(category, ref)
    const alarms = test.alarms.length
    for (let round = 0; round < 3; round++) {
      await handleBankEvents(test.deps)
      await test.moveClocks(MINUTE_MS)
    }
    expect(await unhandled()).toHaveLength(2)
    expect(alarmsSince(alarms)).toEqual([])
    await test.moveClocks(DAY_MS)
    await handleBankEvents(test.deps)
    expect(await unhandled()).toEqual([])
    expect(alarmsSince(alarms)).toEqual(refs.map(() => 'the bank has named something that it does not show'))
    await test.moveClocks(31 * DAY_MS)
    await tidyBank(test.deps)
    expect(await sql(test, 'select 1 from bank_events')).toEqual([])
  })

  it('is given up and told of, too, when reading what it names has failed for a day', async () => {
    lying.refuse(({ path }) => (path.startsWith('/transfers/') || path === DRAINS ? 500 : null))
    const refs = Object.entries({ transfer: NOWHERE, 'liquidation_address.drain': NOWHERE })
    for (const [category, ref] of refs) await told(category, ref)
    const alarms = test.alarms.length
    const hear = () => handleBankEvents(test.deps)
    await expect(hear()).rejects.toThrow('The bank answered 500.')
    await test.moveClocks(DAY_MS - MINUTE_MS)
    await expect(hear()).rejects.toThrow('The bank answered 500.')
    expect([(await unhandled()).length, alarmsSince(alarms)]).toEqual([2, []])
    await test.moveClocks(2 * MINUTE_MS)
    expect(await hear()).toBe(2)
    lying.refuse(null)
    expect(await unhandled()).toEqual([])
    const err = expect.any(RailUnavailable) as unknown
    const about = refs.map(([category, objectRef]) => ({ environment: 'sandbox', category, objectRef, err }))
    const what = 'the bank has named something that it does not show'
    expect(test.alarms.slice(alarms)).toEqual(about.map((each) => ({ what, about: each })))
  })

  const told = (category: string, ref: string) =>
    keepMessages(test.deps, [{ eventId: `event of ${category} ${ref}`, category, objectRef: ref }])
  const unhandled = () => sql(test, 'select event_id from bank_events where handled_at is null')
})

describe('a return', () => {
  it('is seen although its row is dated half an hour back, or another was dated ahead', async () => {
    const made = [await createPayout(test, one!), await createPayout(test, one!)]
    const ids = made.map((each) => each.json<{ id: string }>().id)
    const refs = await Promise.all(ids.map(transferOf))
    for (const ref of refs) await test.bank.control('POST', `/transfers/${ref}/settle`)
    await test.bank.query(`update transfers set updated_at = updated_at + interval '1 hour' where id = $1`, [refs[0]])
    await sweepTransfers(test.deps, 'sandbox')
    await test.bank.control('POST', `/transfers/${refs[1]}/return`)
    await test.bank.query(`update transfers set updated_at = updated_at - interval '30 minutes' where id = $1`, [
      refs[1],
    ])
    await test.moveClocks(6 * MINUTE_MS)
    await sweepTransfers(test.deps, 'sandbox')
    expect((await get(test, one!, `/v1/payouts/${ids[1]}`)).json()).toMatchObject({ status: 'returned' })
  })

  it('that is listed days late is missed by every overlap, and found by the daily read of all transfers', async () => {
    const statusOf = async () => (await get(test, one!, `/v1/payouts/${id}`)).json<{ status: string }>().status
    const id = (await createPayout(test, one!)).json<{ id: string }>().id
    const ref = await transferOf(id)
    await test.bank.control('POST', `/transfers/${ref}/settle`)
    await sweepTransfers(test.deps, 'sandbox')
    await test.bank.control('POST', `/transfers/${ref}/return`)
    await test.bank.query(`update transfers set updated_at = updated_at - interval '3 days' where id = $1`, [ref])
    await test.moveClocks(DAY_MS + 2 * MINUTE_MS)
    await sweepTransfers(test.deps, 'sandbox')
    expect(await statusOf()).toBe('completed')
    await sweepTransfers(test.deps, 'sandbox', { depth: 'whole' })
    expect(await statusOf()).toBe('returned')
  })

  const transferOf = async (id: string) =>
    (await test.bank.books()).transfers.find((each) => each.client_reference_id === id)!.id
})

describe('a comparison of the books', () => {
  it('is kept for 90 days when it found nothing, and for 800 when it found something', async () => {
    const found = [{ check: 'found by a test' }]
    const runs = [
      { days: 89, breaks: [] },
      { days: 91, breaks: [] },
      { days: 91, breaks: found },
      { days: 799, breaks: found },
      { days: 801, breaks: found },
    ]
    await sql(test, 'delete from reconciliations')
    for (const { days, breaks } of runs) {
      const at = new Date(test.clock.now().getTime() - days * DAY_MS)
      await saveReconciliation(test.deps.db, { id: newId(at), startedAt: at, finishedAt: at, breaks })
    }
    await tidyBank(test.deps)
    const left = await sql<{ at: Date; breaks: unknown }>(
      test,
      'select started_at as at, breaks from reconciliations order by started_at desc',
    )
    const ageOf = (at: Date) => Math.round((test.clock.now().getTime() - at.getTime()) / DAY_MS)
    expect(left.map(({ at, breaks }) => ({ days: ageOf(at), breaks }))).toEqual([runs[0], runs[2], runs[3]])
  })
})

describe('a credit by the operator that the bank does not list', () => {
  it.each(['command', 'sweep'])(
    'is not said to be made until it is; then it is in the wallet once, by the %s',
    async (by) => {
      const scope = { partnerId: one!.id, environment: 'sandbox' } as const
      const movement = {
        kind: 'credit',
        reference: `unlisted-${by}`,
        amount: microUsdc(3_000_000n),
        reason: 'x',
      } as const
      const credit = () => moveByOperator(test.deps, scope, movement)
      lying.lieAbout(DRAINS, () => [])
      for (let round = 0; round < 2; round++) {
        await expect(credit()).rejects.toThrow(
          /not in the wallet yet: the bank does not list it yet.*--reference unlisted-/,
        )
        expect([await balanceOf(test, one!), await balanceAtBank(test, one!)]).toEqual([FLOAT, FLOAT + 3_000_000n])
        await test.moveClocks(2 * MINUTE_MS)
      }
      lying.lieAbout(DRAINS, null)
      if (by === 'sweep') await sweep()
      const made = await Promise.all([credit(), credit()])
      expect(made.map(({ balance }) => balance)).toEqual([FLOAT + 3_000_000n, FLOAT + 3_000_000n])
      expect(made.filter(({ isRepeated }) => !isRepeated)).toHaveLength(1)
      await sweep()
      expect([await balanceOf(test, one!), await balanceAtBank(test, one!)]).toEqual([
        FLOAT + 3_000_000n,
        FLOAT + 3_000_000n,
      ])
    },
  )
})

describe.each([{ client_references_are_unique: true }, { cursors_go_with_times: false }])(
  'with a bank where %j, its lists',
  (reading) => {
    const isSplit = 'cursors_go_with_times' in reading
    const old = new Map<string, Record<string, unknown>>()
    beforeEach(async () => {
      await createPayout(test, other!)
      await arrives(other!, 'onchain', '1.00')
      for (const path of ['/transfers', DRAINS]) lying.lieAbout(path, (rows) => (old.set(path, rows[0]!), rows))
      await sweepTransfers(test.deps, 'sandbox')
      await sweep()
      await test.bank.control('POST', '/readings', reading)
      // Where a cursor takes no time: a first page full of what is known already. Everything else stands behind it.
      for (const path of ['/transfers', DRAINS]) {
        lying.lieAbout(path, (rows, query) => {
          const isWhole = !query.has('updated_before_ms') && !query.has('starting_after')
          return isSplit && isWhole && rows.length > 0 ? Array.from({ length: 100 }, () => old.get(path)!) : rows
        })
      }
    })
    afterEach(async () => {
      lying.tellTheTruth()
      await test.bank.control('DELETE', '/readings')
    })
    const transfersOf = async (id: string) =>
      (await test.bank.books()).transfers.filter((each) => each.client_reference_id === id)
    const wasSplit = (since: number) => lying.wire.slice(since).some(({ query }) => query.includes('updated_before_ms'))

    it.each(['answered', 'in doubt'])('bring a payout that is %s to its end, and it is sent once', async (how) => {
      const since = lying.wire.length
      if (how === 'in doubt') {
        await test.bank.control('POST', '/faults', { route: 'POST /v0/transfers', mode: '500_after' })
      }
      const { id, status } = (await createPayout(test, one!)).json<{ id: string; status: string }>()
      expect(status).toBe(how === 'in doubt' ? 'pending' : 'processing')
      await sweepTransfers(test.deps, 'sandbox')
      const shown = async () => (await get(test, one!, `/v1/payouts/${id}`)).json<{ status: string }>().status
      expect(await shown()).toBe('processing')
      const [transfer, ...others] = await transfersOf(id)
      await test.bank.control('POST', `/transfers/${transfer!.id}/settle`)
      await sweepTransfers(test.deps, 'sandbox')
      expect([await shown(), others, wasSplit(since)]).toEqual(['completed', [], isSplit])
      expect(await balanceOf(test, one!)).toBe(await balanceAtBank(test, one!))
    })

    it('bring a deposit into the wallet, once', async () => {
      const since = lying.wire.length
      await arrives(one!, 'onchain', '5.00')
      for (let round = 0; round < 2; round++) await sweep()
      expect([await balanceOf(test, one!), wasSplit(since)]).toEqual([FLOAT + 5_000_000n, isSplit])
    })
  },
)
