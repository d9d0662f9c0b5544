// A live bank that says what a test wants it to say, about all transfers alike.
import { type MicroPence, formatPenceExact } from '../../src/core/money.ts'
import { vi } from 'vitest'

import type {
  ListedTransfer,
  TransferReceipt,
  TransferRefund,
  TransferSnapshot,
  TransferState,
} from '../../src/rail/transfer.ts'
import { type Instance, anotherInstance } from '../races/instances.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, anObligingRail, createPayout, sql } from '../support/fixtures.ts'

export interface LiveBank extends ReturnType<typeof anObligingRail> {
  says: { state: TransferState; refund?: TransferRefund; receipt?: TransferReceipt }
}

export function aLiveBank(now: () => Date): LiveBank {
  const bank: LiveBank = {
    ...anObligingRail(),
    says: { state: 'settled' },
    readTransfers: (refs) => Promise.resolve(new Map(refs.map((ref) => [ref, snapshot(ref)]))),
    readListed: (ref) => Promise.resolve(listed(ref)),
    findTransfers: ({ clientReference }) =>
      Promise.resolve({ own: [listed(`live_${clientReference}`)], others: [], earlier: [], nameless: [] }),
  }
  const snapshot = (transferRef: string): TransferSnapshot => ({
    transferRef,
    refund: 'none',
    reason: null,
    bankState: bank.says.state,
    // Somebody always looks again, so that a return can follow.
    nextChangeAt: new Date(now().getTime() + 1_000),
    ...bank.says,
  })
  const listed = (transferRef: string): ListedTransfer => {
    const { clientReference, account, walletSends, receive } = bank.requests.find(
      (request) => transferRef === `live_${request.clientReference}`,
    )!
    const holderRef = account?.holderRef ?? ''
    return {
      ...snapshot(transferRef),
      clientReference,
      holderRef,
      send: walletSends,
      receive,
      updatedAt: new Date(0),
    }
  }
  return bank
}

export interface BillingHouse {
  readonly test: TestApp
  /** Another process on the same database. */
  readonly second: Instance
  readonly bank: LiveBank
  readonly close: () => Promise<void>
}

/** Two processes whose live bank obeys, and dates that follow the test's clock. */
export async function startBilling(): Promise<BillingHouse> {
  vi.useFakeTimers({ toFake: ['Date'] })
  const bank = aLiveBank(() => test.clock.now())
  const test = await startTestApp({ liveRail: bank })
  const second = await anotherInstance(test)
  const close = async () => {
    await second.close()
    await test.close()
    vi.useRealTimers()
  }
  return { test, second, bank, close }
}

export interface ChargeRow {
  cause: string
  kind: string
  month: string
  /** In pounds, with every decimal. */
  amount: string
  cost: string | null
  at: Date
}

export async function chargesOf(test: TestApp, partner: Pick<TestPartner, 'id'>): Promise<ChargeRow[]> {
  type Row = Omit<ChargeRow, 'amount' | 'cost'> & { amount: MicroPence; cost: MicroPence | null }
  const rows = await sql<Row>(
    test,
    `select cause, kind, to_char(month, 'YYYY-MM') as month, exact_micropence as amount, cost_micropence as cost, at
       from charges where partner_id = $1 order by at, kind`,
    [partner.id],
  )
  return rows.map(({ amount, cost, ...row }) => ({
    ...row,
    amount: formatPenceExact(amount),
    cost: cost === null ? null : formatPenceExact(cost),
  }))
}

/** A live payout that has completed, by its id. */
export async function paid(test: TestApp, partner: TestPartner, amount = '25.00'): Promise<string> {
  const { id } = (await createPayout(test, partner, { amount_gbp: amount })).json<{ id: string }>()
  test.clock.advance(5_000)
  await test.follow()
  return id
}
