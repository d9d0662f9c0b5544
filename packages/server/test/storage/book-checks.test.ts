// The book checks that every other test ends with: they are silent about sound books, whatever happened, and find what is off.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { MIGRATIONS_FOLDER } from '../../src/package-root.ts'
import { createSimulatedRail } from '../../src/rail/simulated-rail.ts'
import type { PayoutRail } from '../../src/rail/port.ts'
import type { TransferRefund, TransferSnapshot, TransferState } from '../../src/rail/transfer.ts'
import { migrationFiles } from '../../src/storage/migrate.ts'
import { type LedgerBreak, findBreaks } from '../../src/storage/book-checks.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, createPayout, setBalance } from '../support/fixtures.ts'
import { type Owner, ownerOf } from './owner.ts'
import { stopTheClock } from '../races/stopped-clock.ts'

const STATES: readonly TransferState[] = [
  ...(['accepted', 'awaiting_funds', 'in_review', 'submitted'] as const),
  ...(['settled', 'undeliverable', 'returned', 'cancelled'] as const),
]
const REFUNDS: readonly TransferRefund[] = ['none', 'done']
const REPORTS = STATES.flatMap((state) => REFUNDS.map((refund) => ({ state, refund })))

/** A bank whose transfers go through the reports that their reference names, one at each look. */
function scriptedRail(now: () => Date): PayoutRail & { step: number } {
  const snapshot = (script: string, id: string): TransferSnapshot => {
    const reports = script.split('>')
    const [state, refund] = reports[Math.min(rail.step, reports.length - 1)]!.split('/')
    const nextChangeAt = rail.step < reports.length - 1 ? new Date(now().getTime() + 1_000) : null
    const transferRef = `${script} ${id}`
    return {
      transferRef,
      state: state as TransferState,
      refund: refund as TransferRefund,
      reason: null,
      bankState: 'told',
      nextChangeAt,
    }
  }
  const rail: PayoutRail & { step: number } = {
    ...createSimulatedRail({ now }),
    step: 0,
    name: 'simulated',
    submit: ({ reference, clientReference }) =>
      Promise.resolve({ kind: 'accepted', transfer: snapshot(reference!, clientReference) }),
    readTransfers: (refs) =>
      Promise.resolve(new Map(refs.map((ref) => [ref, snapshot(...(ref.split(' ') as [string, string]))]))),
  }
  return rail
}

describe('whatever the bank reports, and then reports', () => {
  it('leaves the books right: 256 payouts, each with two reports of its own', async () => {
    const clock: { now: () => Date } = { now: () => new Date() }
    const rail = scriptedRail(() => clock.now())
    const test = await startTestApp({ rail })
    stopTheClock(test)
    clock.now = () => test.clock.now()
    try {
      const partner = await aPartner(test, { usdc: '20000.00' })
      const scripts = REPORTS.flatMap((one) =>
        REPORTS.map((two) => `${one.state}/${one.refund}>${two.state}/${two.refund}`),
      )
      const replies = await Promise.all(scripts.map((reference) => createPayout(test, partner, { reference })))
      expect(new Set(replies.map((reply) => reply.statusCode))).toEqual(new Set([201]))
      expect(await findBreaks(test.deps.db)).toEqual([])
      for (rail.step = 1; rail.step < 4; rail.step++) {
        test.clock.advance(400_000)
        await test.follow()
        expect(await findBreaks(test.deps.db)).toEqual([])
      }
    } finally {
      // The database goes with it; what the book checks have to say was said above.
      await test.close().catch(() => undefined)
    }
  })
})

describe('books that were tampered with', () => {
  let test: TestApp
  let owner: Owner
  let partner: TestPartner
  beforeAll(async () => {
    test = await startTestApp()
    stopTheClock(test)
    owner = await ownerOf(test.database.url)
    partner = await aPartner(test)
    await setBalance(test, partner, '5000.00')
    for (const reference of ['a', 'sandbox:fail', 'sandbox:return']) await createPayout(test, partner, { reference })
    for (let round = 0; round < 3; round++) {
      test.clock.advance(2_000)
      await test.follow()
    }
    for (const reference of ['sandbox:hold', 'sandbox:late']) await createPayout(test, partner, { reference })
  })
  afterAll(async () => {
    await owner.end()
    await test.close()
  })

  /** What the book checks say after a change made behind the triggers' back; the change is taken back. */
  const breaksAfter = (sql: string): Promise<LedgerBreak[]> =>
    owner.rolledBack(async () => {
      for (const table of ['ledger_entries', 'ledger_accounts', 'payouts']) {
        await owner.query(`alter table ${table} disable trigger user`)
      }
      await owner.query(sql.replaceAll(':partner', `'${partner.id}'`))
      return findBreaks({ query: async (statement) => (await owner.query(statement.text)) as never })
    })

  it('were right before', async () => {
    expect(await findBreaks(test.deps.db)).toEqual([])
  })

  it.each([
    {
      what: 'a balance that grew by a millionth',
      sql: `update ledger_accounts set balance = balance + 1 where partner_id = :partner and environment = 'sandbox' and account = 'available'`,
      check: 'balance_is_not_the_sum_of_its_entries',
    },
    {
      what: 'a millionth from one account to another, without an entry',
      sql: `update ledger_accounts set balance = balance + case account when 'fx_diff' then 1 else -1 end
             where partner_id = :partner and environment = 'sandbox' and account in ('fx_diff', 'suspense')`,
      check: 'balance_is_not_the_sum_of_its_entries',
    },
    {
      what: 'money to spend in a wallet that owes some',
      sql: `insert into ledger_entries (partner_id, environment, cause, kind, from_account, to_account, amount, at)
              values (:partner, 'sandbox', gen_random_uuid(), 'credit', 'suspense', 'available', 1, now());
            update ledger_accounts set balance = balance + case account when 'available' then 1 else -1 end
             where partner_id = :partner and environment = 'sandbox' and account in ('available', 'suspense')`,
      check: 'suspense_is_not_what_the_wallet_could_not_bear',
    },
    {
      what: 'a surplus that is booked and that no payout has',
      sql: `insert into ledger_entries (partner_id, environment, cause, kind, from_account, to_account, amount, at)
              values (:partner, 'sandbox', gen_random_uuid(), 'surplus', 'operator_result', 'excess_funds', 1, now());
            update ledger_accounts set balance = balance + case account when 'excess_funds' then 1 else -1 end
             where partner_id = :partner and environment = 'sandbox' and account in ('excess_funds', 'operator_result')`,
      check: 'excess_funds_are_not_what_payouts_left_over',
    },
    {
      what: 'a payout that was topped up by nobody',
      sql: `update payouts set topped_up_micro = 1, surplus_micro = 1 where partner_id = :partner and status = 'completed'`,
      check: 'top_ups_are_not_what_was_added',
    },
    {
      what: 'a refund that brought less, and no entry of it',
      sql: `insert into refund_checks (partner_id, environment, payout_id, sent_micro, refunded_at, next_look_at,
                came_back_micro, found_at)
              values (:partner, 'sandbox', gen_random_uuid(), 2, now(), now(), 1, now())`,
      check: 'refund_diff_is_not_what_refunds_brought_otherwise',
    },
    {
      what: 'a result of the operator’s that comes from nowhere',
      sql: `update ledger_accounts set balance = balance + case account when 'operator_result' then 1 else -1 end
             where partner_id = :partner and environment = 'sandbox' and account in ('operator_result', 'external')`,
      check: 'operator_result_is_not_its_parts',
    },
    {
      what: 'an entry that is gone',
      sql: `delete from ledger_entries where partner_id = :partner and kind = 'settle'`,
      check: 'balance_is_not_the_sum_of_its_entries',
    },
    {
      what: 'an entry of another amount',
      sql: `update ledger_entries set amount = amount + 1 where partner_id = :partner and kind = 'settle'`,
      check: 'balance_is_not_the_sum_of_its_entries',
    },
    {
      what: 'an account of another sum, all balances agreeing with entries that were never posted',
      sql: `update ledger_accounts set balance = balance + 1 where partner_id = :partner and account = 'fees_earned'`,
      check: 'ledger_does_not_sum_to_zero',
    },
    {
      what: 'a hold without its payout',
      sql: `delete from payouts where partner_id = :partner and reference = 'sandbox:late'`,
      check: 'held_is_not_what_is_being_sent',
    },
    {
      what: 'a payout on its way that is gone',
      sql: `delete from payouts where partner_id = :partner and reference = 'sandbox:hold'`,
      check: 'in_transit_is_not_what_is_under_way',
    },
    {
      what: 'a payout that arrived and is gone',
      sql: `delete from payouts where partner_id = :partner and reference = 'a'`,
      check: 'paid_out_is_not_what_was_completed',
    },
    {
      what: 'a payout that is said to have sent more than it did',
      sql: `update payouts set wallet_sends_micro = wallet_sends_micro + 1 where partner_id = :partner and reference = 'a'`,
      check: 'paid_out_is_not_what_was_completed',
    },
    {
      what: 'a payout that is called refunded and still has its money taken',
      sql: `update payouts set status = 'returned', refund_state = 'done' where partner_id = :partner and reference = 'a'`,
      check: 'payout_at_rest_still_costs',
    },
    {
      what: 'a failed payout whose money was given back twice',
      sql: `insert into ledger_entries (partner_id, environment, cause, kind, seq, from_account, to_account, amount, at)
            select partner_id, environment, id, 'refund', 9, 'external', 'available', wallet_sends_micro, now()
              from payouts where partner_id = :partner and reference = 'sandbox:fail'`,
      check: 'payout_at_rest_still_costs',
    },
    {
      what: 'a payout on its way that nobody asks the bank about any more',
      sql: `delete from payout_follow_ups where payout_id =
              (select id from payouts where partner_id = :partner and reference = 'sandbox:hold')`,
      check: 'payout_under_way_is_not_followed',
    },
    {
      what: 'a payout in doubt that nobody asks the bank about any more',
      sql: `delete from payout_follow_ups where payout_id =
              (select id from payouts where partner_id = :partner and reference = 'sandbox:late')`,
      check: 'payout_under_way_is_not_followed',
    },
    {
      what: 'money on its way back that nobody waits for',
      sql: `update payouts set status = 'returned', refund_state = 'due' where partner_id = :partner and reference = 'a'`,
      check: 'payout_under_way_is_not_followed',
    },
    {
      what: 'a day of payouts with one more',
      sql: `update payout_days set payouts = payouts + 1 where partner_id = :partner`,
      check: 'payout_days_are_not_their_payouts',
    },
    {
      what: 'a day of payouts that is missing',
      sql: `delete from payout_days where partner_id = :partner and counted_by = 'ended'`,
      check: 'payout_days_are_not_their_payouts',
    },
    {
      what: 'a day of the wallet with a millionth more held',
      sql: `update wallet_days set held_micro = held_micro + 1 where partner_id = :partner`,
      check: 'wallet_days_are_not_their_entries',
    },
    {
      what: 'a month of charges that nobody was charged',
      sql: `insert into charge_months values (:partner, '2026-10-01', 'payout_fees', 1, 1, 1, 1, 0)`,
      check: 'charge_months_are_not_their_charges',
    },
    {
      what: 'a day on which a limit counted what nobody paid',
      sql: `with made as (
              insert into spending_limits values (:partner, 'sandbox', gen_random_uuid(), null, 100, null, now())
              returning partner_id, environment, spender_id)
            insert into spend_days (partner_id, environment, spender_id, day, spent_pence)
            select partner_id, environment, spender_id, '2026-10-01', 100 from made`,
      check: 'spend_days_are_not_their_payouts',
    },
    {
      what: 'a month with one payout more',
      sql: `update usage_months set completed = completed + 1 where partner_id = :partner`,
      check: 'month_is_not_the_sum_of_its_payouts',
    },
    {
      what: 'a month with a penny more of fees',
      sql: `update usage_months set fee_pence = fee_pence + 1 where partner_id = :partner`,
      check: 'month_is_not_the_sum_of_its_payouts',
    },
    {
      what: 'a month that would be invoiced a penny more',
      sql: `update usage_months set fee_on_invoice_pence = fee_on_invoice_pence + 1 where partner_id = :partner`,
      check: 'month_is_not_the_sum_of_its_payouts',
    },
    {
      what: 'a month that is missing although payouts completed in it',
      sql: `delete from usage_months where partner_id = :partner`,
      check: 'month_is_not_the_sum_of_its_payouts',
    },
  ])('are found out: $what', async ({ sql, check }) => {
    const breaks = await breaksAfter(sql)
    expect(breaks.map((found) => found.check)).toContain(check)
    expect(breaks.every((found) => found.partnerId === partner.id)).toBe(true)
  })

  it('are put right by the migration where a wallet owed something and could spend', async () => {
    const name = (await migrationFiles(MIGRATIONS_FOLDER)).find((each) => each.includes('made_good'))
    const migration = await readFile(join(MIGRATIONS_FOLDER, name!), 'utf8')
    const breaks = await owner.rolledBack(async () => {
      await owner.query(
        `insert into ledger_entries (partner_id, environment, cause, kind, from_account, to_account, amount, at)
         values ($1, 'sandbox', gen_random_uuid(), 'credit', 'suspense', 'available', 7, now())`,
        [partner.id],
      )
      const ask = () => findBreaks({ query: async (statement) => (await owner.query(statement.text)) as never })
      const before = await ask()
      await owner.query(migration)
      return [before.map(({ check }) => check), await ask()]
    })
    expect(breaks).toEqual([['suspense_is_not_what_the_wallet_could_not_bear'], []])
  })

  it('are right again when the tampering is taken back', async () => {
    expect(await findBreaks(test.deps.db)).toEqual([])
  })
})
