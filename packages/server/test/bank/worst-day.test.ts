// The bank on its worst day: answers that are well formed and not true. Whatever it says, nobody is paid twice, nothing that
// was sent is given back, nothing is credited that did not arrive, and somebody is told.
import { EXCESS_WALLET_ID } from '@kestrel/bank'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { sweepDeposits } from '../../src/domain/banking/feeds/credit-deposits.ts'
import { sweepTransfers } from '../../src/domain/banking/feeds/sweep-transfers.ts'
import { noteExcessMovement } from '../../src/domain/banking/operator/excess-funds.ts'
import { topUpPayout } from '../../src/domain/banking/operator/top-up-payout.ts'
import { reconcileBank } from '../../src/domain/banking/reconcile/reconcile-bank.ts'
import { connectLater } from '../../src/domain/banking/sandbox/connect-later.ts'
import { connectWallets } from '../../src/domain/banking/sandbox/connect-wallets.ts'
import { followPayouts } from '../../src/domain/payouts/follow/follow-payouts.ts'
import { RailUnavailable } from '../../src/rail/port.ts'
import { findBreaks } from '../../src/storage/book-checks.ts'
import { type BankApp, accountAtBank, startBankApp } from '../support/bank-app.ts'
import { type TestPartner, balanceOf, createPayout, get, sql } from '../support/fixtures.ts'
import { type LyingBank, startLyingBank } from '../support/lying-bank.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const SENT = 32_070_000n
const ANOTHER_AMOUNT = 'the bank took another amount than we reserved'

type Row = Record<string, unknown>
interface Made {
  readonly id: string
  readonly ref: string
}

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
  partner = await test.aConnectedPartner()
})
afterAll(async () => {
  await test.close()
  await lying.close()
})
afterEach(async () => {
  lying.tellTheTruth()
  await test.bank.control('POST', '/rate', { rate: '0.79' })
  await test.moveClocks(HOUR_MS)
  await followPayouts(test.deps)
  await sweepTransfers(test.deps, 'sandbox')
  await sql(test, 'delete from bank_rows_waiting')
  await booksAgree()
})

/** Once the bank tells the truth again, the two sets of books agree to the millionth. */
async function booksAgree(): Promise<void> {
  expect(await findBreaks(test.deps.db)).toEqual([])
  expect(await reconcileBank(test.deps, 'sandbox')).toEqual([])
}

async function aPayout(...steps: readonly string[]): Promise<Made> {
  const { id } = (await createPayout(test, partner)).json<{ id: string }>()
  const { id: ref } = (await test.bank.books()).transfers.find((each) => each.client_reference_id === id)!
  for (const step of steps) await move(ref, step)
  return { id, ref }
}
const move = (ref: string, step: string) => test.bank.control('POST', `/transfers/${ref}/${step}`)
const shown = async ({ ref }: Pick<Made, 'ref'>): Promise<Row> => {
  const { baseUrl, apiKey } = test.bank.provider
  return (await (await fetch(`${baseUrl}/transfers/${ref}`, { headers: { 'api-key': apiKey } })).json()) as Row
}
const sweep = () => sweepTransfers(test.deps, 'sandbox')
const statusOf = async ({ id }: Pick<Made, 'id'>) =>
  (await get(test, partner, `/v1/payouts/${id}`)).json<{ status: string }>().status
const alarmsOf = ({ id }: Pick<Made, 'id'>) =>
  test.alarms.filter(({ about }) => about['payoutId'] === id).map(({ what }) => what)
const breaksOf = async ({ id }: Pick<Made, 'id'>) =>
  (await reconcileBank(test.deps, 'sandbox')).filter(({ about }) => about === id).map(({ check }) => check)
const part = (row: Row, name: string): Row => row[name] as Row

/** The transfer's row is changed so wherever it is shown. */
function lieOf({ ref }: Pick<Made, 'ref'>, change: (row: Row) => Row): void {
  lying.lieAbout('/transfers', (rows) => rows.map((row) => (row['id'] === ref ? change(row) : row)))
  lying.lieAbout(`/transfers/${ref}`, (rows) => rows.map(change))
}

describe('a transfer whose receipt says that nothing was taken', () => {
  const nothing = (row: Row): Row => ({ ...row, receipt: { ...part(row, 'receipt'), initial_amount: '0.0' } })
  it.each([
    // Not drawn yet is what every order begins with: nobody has to look.
    ['awaiting_funds', [], []],
    ['pending', [], []],
    ['payment_submitted', [ANOTHER_AMOUNT], ['sent_amount_differs']],
    ['payment_processed', [ANOTHER_AMOUNT], ['sent_amount_differs']],
  ])('gives nothing back while it is %s', async (state, told, breaks) => {
    const before = await balanceOf(test, partner)
    const made = await aPayout(...(state.startsWith('payment') ? ['settle'] : []))
    lieOf(made, (row) => nothing({ ...row, state }))
    await sweep()
    await sweep()
    expect((await balanceOf(test, partner)) - before).toBe(-SENT)
    expect(alarmsOf(made)).toEqual(told)
    expect(await breaksOf(made)).toEqual(breaks)
  })
})

describe('a transfer in another currency', () => {
  it('whose figures are in pounds never has them taken for dollars', async () => {
    const before = await balanceOf(test, partner)
    const inPounds = (row: Row): Row => ({
      ...row,
      currency: 'gbp',
      amount: '25.00',
      receipt: { ...part(row, 'receipt'), initial_amount: '25.00' },
    })
    lying.lieAbout('POST /transfers', ([row]) => [inPounds(row!)])
    const made = await aPayout('settle')
    lieOf(made, inPounds)
    await sweep()
    expect(await statusOf(made)).toBe('completed')
    expect((await balanceOf(test, partner)) - before).toBe(-SENT)
    expect([alarmsOf(made), await breaksOf(made)]).toEqual([[], []])
  })

  it('that arrives in euros does not complete a payout in pounds, and is told', async () => {
    const made = await aPayout('settle')
    lieOf(made, (row) => ({ ...row, destination: { ...part(row, 'destination'), currency: 'eur' } }))
    await sweep()
    expect(await statusOf(made)).toBe('processing')
    expect(alarmsOf(made)).toEqual(['a transfer cannot be read'])
  })
})

describe('a payment that has arrived', () => {
  it('with less on its receipt than was ordered is told, and is a break', async () => {
    const made = await aPayout('settle')
    lieOf(made, (row) => ({ ...row, receipt: { ...part(row, 'receipt'), final_amount: '20.00' } }))
    await sweep()
    expect(alarmsOf(made)).toEqual(['the bank pays another amount than we asked for'])
    expect(await breaksOf(made)).toEqual(['received_amount_differs'])
  })

  it('at somebody else’s account is told', async () => {
    lying.lieAbout('POST /transfers', ([row]) => [
      { ...row, destination: { ...part(row!, 'destination'), external_account_id: 'somebody-else' } },
    ])
    const made = await aPayout()
    expect(alarmsOf(made)).toEqual(['the bank pays another recipient than we asked for'])
  })

  it('and is shown on one page as it is and as it was, has what it is', async () => {
    const before = await balanceOf(test, partner)
    const made = await aPayout('settle')
    const old = await shown(made)
    await test.moveClocks(MINUTE_MS)
    await move(made.ref, 'return')
    await move(made.ref, 'refund')
    lying.lieAbout('/transfers', (rows) => [...rows, old])
    await sweep()
    lying.tellTheTruth()
    await sweep()
    expect(await statusOf(made)).toBe('returned')
    expect(await balanceOf(test, partner)).toBe(before)
  })
})

describe('an order that is answered with the transfer of another payout, without its reference', () => {
  it('does not make that transfer this one’s too: it is asked for again, and paid once', async () => {
    const first = await aPayout()
    const { client_reference_id: _, ...answer } = await shown(first)
    lying.lieAbout('POST /transfers', () => [answer])
    const second = (await createPayout(test, partner)).json<{ id: string; status: string }>()
    expect(second.status).toBe('pending')
    expect(alarmsOf(first)).toEqual(['the bank gives a payout’s transfer another reference'])
    lying.tellTheTruth()
    await move(first.ref, 'settle')
    await test.moveClocks(MINUTE_MS)
    await followPayouts(test.deps)
    await sweep()
    expect([await statusOf(first), await statusOf(second)]).toEqual(['completed', 'processing'])
    const made = (await test.bank.books()).transfers.filter((each) => each.client_reference_id === second.id)
    expect(made).toHaveLength(1)
  })
})

describe('a payout in doubt that the bank refuses and leaves out of its list', () => {
  it('is not given up while the bank’s wallet lacks its money, and somebody is told', async () => {
    const before = await balanceOf(test, partner)
    await test.bank.control('POST', '/faults', { route: 'POST /v0/transfers', mode: 'reset_after', times: 1 })
    const { id } = (await createPayout(test, partner)).json<{ id: string }>()
    await test.bank.query('delete from idempotency_keys where key = $1', [id])
    const made = (await test.bank.books()).transfers.find((each) => each.client_reference_id === id)!
    await move(made.id, 'submit')
    await test.bank.control('POST', '/rate', { rate: '0.60' })
    lying.lieAbout('/transfers', (rows) => rows.filter((row) => row['client_reference_id'] !== id))
    for (const pause of [2_000, 70_000, 30 * MINUTE_MS, 35 * MINUTE_MS, HOUR_MS]) {
      await test.moveClocks(pause)
      await followPayouts(test.deps)
    }
    expect(await statusOf({ id })).toBe('pending')
    expect((await balanceOf(test, partner)) - before).toBe(-SENT)
    expect(alarmsOf({ id })).toEqual(['the bank’s wallet does not hold what our books say'])
  })
})

describe('a payout in doubt whose money another one hides, because the bank has not drawn that one', () => {
  it('is not given up until that one is drawn, and then only if the money is there', async () => {
    await test.bank.control('POST', '/readings', { orders_draw_the_wallet: false })
    const before = await balanceOf(test, partner)
    const hides = await aPayout()
    await test.bank.control('POST', '/faults', { route: 'POST /v0/transfers', mode: 'reset_after', times: 1 })
    const { id } = (await createPayout(test, partner)).json<{ id: string }>()
    await test.bank.query('delete from idempotency_keys where key = $1', [id])
    const made = (await test.bank.books()).transfers.find((each) => each.client_reference_id === id)!
    await move(made.id, 'submit')
    await test.bank.control('POST', '/rate', { rate: '0.60' })
    lying.lieAbout('/transfers', (rows) => rows.filter((row) => row['client_reference_id'] !== id))
    for (const pause of [2_000, 70_000, 30 * MINUTE_MS, 35 * MINUTE_MS, HOUR_MS]) {
      await test.moveClocks(pause)
      await followPayouts(test.deps)
    }
    expect(await statusOf({ id })).toBe('pending')
    expect((await balanceOf(test, partner)) - before).toBe(-2n * SENT)
    await test.bank.control('POST', '/rate', { rate: '0.79' })
    await move(hides.ref, 'submit')
    await test.bank.control('DELETE', '/readings')
    lying.tellTheTruth()
    await sweep()
    expect(await statusOf({ id })).toBe('processing')
  })
})

describe('a deposit that was undone', () => {
  it('on an earlier page of the list is not credited from a later one', async () => {
    const before = await balanceOf(test, partner)
    const { walletRef } = await accountAtBank(test, partner)
    const arrives = { source: 'bank', amount: '1.00' }
    const path = `/wallets/${walletRef}/credit`
    const { deposit_id: ref } = await test.bank.control<{ deposit_id: string }>('POST', path, arrives)
    const other = (id: unknown) => ({ id, type: 'funds_received', deposit_id: `of ${String(id)}` })
    const filler = Array.from({ length: 98 }, (_, index) => other(`filler-${index}`))
    let own: Row[] = []
    lying.lieAbout('/virtual_accounts/history', (rows, query) => {
      if (query.has('starting_after')) return own
      own = rows.filter((row) => row['deposit_id'] === ref)
      const undone = { ...own[0], id: 'undone', type: 'refund' }
      return [undone, ...filler, other(rows.at(-1)!['id'])]
    })
    await sweepDeposits(test.deps, 'sandbox')
    expect(await balanceOf(test, partner)).toBe(before)
    // Nor is it from what the bank had said of it before, whenever that is shown again.
    lying.tellTheTruth()
    await sweepDeposits(test.deps, 'sandbox')
    expect(await balanceOf(test, partner)).toBe(before)
    const gone = { amount_micro: '-1000000', reason: 'sent back' }
    await test.bank.control('POST', `/wallets/${walletRef}/adjust`, gone)
  })
})

describe('money that the operator adds to a transfer', () => {
  async function anUnderfunded(): Promise<Made> {
    const money = { amount_micro: '5000000', reason: 'for top-ups' }
    await test.bank.control('POST', `/wallets/${EXCESS_WALLET_ID}/adjust`, money)
    const noted = { amount: 5_000_000n, reference: `funded-${test.clock.now().getTime()}`, reason: 'for top-ups' }
    await noteExcessMovement(test.deps, 'sandbox', noted)
    const made = await aPayout()
    await test.bank.control('POST', '/rate', { rate: '0.75' })
    await move(made.ref, 'submit')
    await sweep()
    return made
  }
  const added = ({ id }: Made) => sql(test, `select 1 from ledger_entries where cause = $1 and kind = 'top_up'`, [id])

  it('counts as added only when the bank says so, and not because it answers 201', async () => {
    const made = await anUnderfunded()
    lying.lieAbout('POST /transfers', () => [{ code: 'unexpected', message: 'Something went wrong' }])
    await expect(topUpPayout(test.deps, made.id)).rejects.toThrow('Run the command again')
    expect(await added(made)).toEqual([])
    lying.tellTheTruth()
    await topUpPayout(test.deps, made.id)
    expect(await added(made)).toHaveLength(1)
  })
})

describe('a bank that wants to be left alone for eleven days', () => {
  it('is asked to connect a wallet within the hour all the same', async () => {
    const { id: partnerId } = await test.anUnconnectedPartner()
    const wallet = { partnerId, environment: 'sandbox', tries: 0 } as Parameters<typeof connectLater>[1]
    await connectLater(test.deps, wallet, new RailUnavailable('busy', { retryAfterMs: 999_999_000 }))
    await test.moveClocks(HOUR_MS)
    await connectWallets(test.deps, 'sandbox')
    const rows = await sql(test, `select 1 from wallets where partner_id = $1 and wallet_ref is not null`, [partnerId])
    expect(rows).toHaveLength(1)
  })
})
