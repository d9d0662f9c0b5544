// What can happen to a business in its months, each as likely as its weight.
import type { Invoice, PayoutList } from '@kestrel/contract'

import { after } from '../../src/core/clock.ts'
import { AppError } from '../../src/core/errors.ts'
import { dayAfter, londonDay, startOfDay } from '../../src/core/london-day.ts'
import { londonMidnight, londonMonth, nextMonth } from '../../src/core/london-month.ts'
import { parseUsdc, pence } from '../../src/core/money.ts'
import type { Plan } from '../../src/core/plan.ts'
import { issueDueInvoices } from '../../src/domain/billing/issue-invoices.ts'
import { markInvoicePaid, markInvoiceVoid } from '../../src/domain/billing/settle-invoice.ts'
import { chargeException } from '../../src/domain/charges/charge-exception.ts'
import { setPlan } from '../../src/domain/partners/set-plan.ts'
import { followPayouts } from '../../src/domain/payouts/follow/follow-payouts.ts'
import { creditWallet } from '../../src/domain/wallet/credit-wallet.ts'
import type { Instance } from '../races/instances.ts'
import { type TestPartner, aRecipient, createPayout, post, sql } from '../support/fixtures.ts'
import { compareAll } from './figures/all-figures.ts'
import { type Look, read } from './figures/look.ts'
import type { Moods } from './moody-bank.ts'

export interface Business extends Look {
  /** Another process on the same database. */
  readonly second: Instance
  readonly moods: Moods
  readonly live: TestPartner
  readonly sandbox: TestPartner
  /** Somebody else's, whose figures must not be in theirs. */
  readonly other: TestPartner
  /** The live payouts, the oldest first. */
  readonly payoutIds: string[]
}

export interface Step {
  readonly name: string
  readonly weight: number
  readonly take: (business: Business) => Promise<unknown>
}

export const STEPS: readonly Step[] = [
  { name: 'live payouts at once', weight: 8, take: payLive },
  { name: 'a sandbox payout', weight: 4, take: (business) => pay(business, business.sandbox) },
  { name: 'a payout of somebody else', weight: 1, take: (business) => pay(business, business.other) },
  { name: 'the bank says something else', weight: 10, take: async ({ moods, payoutIds }) => moods.change(payoutIds) },
  { name: 'both processes follow', weight: 10, take: followLater },
  { name: 'time passes', weight: 4, take: async (business) => jump(business) },
  { name: 'both processes issue invoices and follow', weight: 5, take: issueAndFollow },
  { name: 'new prices', weight: 3, take: changePrices },
  { name: 'a recall or a trace', weight: 2, take: chargeOne },
  { name: 'an invoice is paid and void at once', weight: 2, take: settleOne },
  { name: 'a top-up', weight: 2, take: topUp },
  { name: 'the sandbox is reset', weight: 1, take: (business) => inSandbox(business, 'reset', {}) },
  { name: 'the sandbox is moved on', weight: 1, take: moveSandboxOn },
  { name: 'an outcome in the sandbox', weight: 1, take: simulate },
  { name: 'all figures are compared', weight: 4, take: (business) => compareAll(business, business) },
]

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Texts that a table might not survive. */
const NAMES = ['Ana', '=cmd|calc', "O'Hara", 'Zoë "Q"', '@sum', 'Łukasz, Jr', '李小龍', '-1+2']
const REFERENCES = ['=1+1', '+44', '"quoted", yes', 'línea', '\u202Eevil', 'ok', ' =1', undefined]
/** In the sandbox it comes back. */
const ACCOUNT_THAT_FAILS = '12340000'

async function payLive(business: Business): Promise<void> {
  const { dice, live, payoutIds } = business
  const created = await Promise.all(Array.from({ length: 1 + dice.draw(4) }, () => pay(business, live)))
  payoutIds.push(...created.filter((id) => id !== null))
}

/** Its id; null when it was refused: nothing, too much, or more than the wallet has. */
async function pay({ test, dice, sandbox, differences }: Business, wallet: TestPartner): Promise<string | null> {
  const anyAmount = `${1 + dice.draw(500)}.${String(dice.draw(100)).padStart(2, '0')}`
  const isFailing = wallet === sandbox && dice.draw(8) === 0
  const reply = await createPayout(test, wallet, {
    amount_gbp: dice.pick(['0.00', '1.00', '1.01', '50.50', '20000.00', anyAmount]),
    reference: dice.pick(REFERENCES),
    recipient: aRecipient({
      first_name: dice.pick(NAMES),
      ...(isFailing ? { account_number: ACCOUNT_THAT_FAILS } : {}),
    }),
  })
  if (reply.statusCode === 201) return reply.json<{ id: string }>().id
  if (![402, 422].includes(reply.statusCode)) differences.tell(`a payout: ${reply.statusCode} ${reply.body}`)
  return null
}

async function followLater({ test, second }: Business): Promise<void> {
  test.clock.advance(400_000)
  await Promise.all([test.follow(), followPayouts(second.deps)])
}

/** A while, some days, or to about the end of the month. */
function jump({ test, dice }: Business): void {
  const now = test.clock.now()
  const end = londonMidnight(nextMonth(londonMonth(now)))
  const moment = dice.pick([
    after(now, dice.draw(HOUR_MS)),
    after(now, dice.draw(6 * DAY_MS)),
    after(end, dice.draw(4_000) - 2_000),
    after(end, -1),
    end,
    after(end, dice.draw(600_000)),
  ])
  test.clock.set((moment > now ? moment : after(now, 1_000)).toISOString())
}

async function issueAndFollow({ test, second }: Business): Promise<void> {
  await Promise.all([
    issueDueInvoices(test.deps),
    issueDueInvoices(second.deps),
    test.follow(),
    followPayouts(second.deps),
  ])
}

/** From now, or from tomorrow. */
async function changePrices({ test, dice, live }: Business): Promise<void> {
  const changes = dice.pick<Partial<Plan>>([
    { monthlyAccount: pence(BigInt(dice.draw(5_000))) },
    { networkCost: pence(BigInt(dice.draw(5))) },
    { networkMarkupBasisPoints: BigInt(dice.draw(10_001)) },
    { payoutFixed: pence(0n), payoutBasisPoints: 0n },
    { payoutFixed: pence(99n), payoutBasisPoints: 100n },
    { exceptionCost: pence(BigInt(dice.draw(300))), exceptionMarkupBasisPoints: 3_333n },
    { bankFixed: pence(BigInt(dice.draw(300))) },
  ])
  const tomorrow = startOfDay(dayAfter(londonDay(test.clock.now())))
  await setPlan(test.deps, live.slug, { from: dice.draw(2) === 0 ? null : tomorrow, changes })
}

async function chargeOne({ test, dice, live, payoutIds }: Business): Promise<void> {
  if (payoutIds.length === 0) return
  const cost = dice.pick([null, pence(0n), pence(BigInt(dice.draw(10_000)))])
  const exception = { slug: live.slug, payoutId: dice.pick(payoutIds), type: dice.pick(['recall', 'trace'] as const) }
  await chargeException(test.deps, { ...exception, cost }).catch((error: unknown) => {
    if (!(error instanceof AppError && error.message.includes('charged already'))) throw error
  })
}

async function settleOne({ test, second, dice, live }: Business): Promise<void> {
  const { data: invoices } = await read<{ data: Invoice[] }>(test, live, '/v1/invoices')
  const open = invoices.filter(({ status }) => ['issued', 'overdue'].includes(status))
  if (open.length === 0) return
  const number = dice.pick(open).number!
  const settled = await Promise.allSettled([
    markInvoicePaid(test.deps, number, test.clock.now()),
    markInvoiceVoid(second.deps, number, 'a mistake'),
  ])
  // The one that came too late is refused, and nothing else.
  for (const each of settled) if (each.status === 'rejected' && !(each.reason instanceof AppError)) throw each.reason
}

async function topUp({ test, dice, live }: Business): Promise<void> {
  const amount = parseUsdc(`${1 + dice.draw(1_000)}.${10 + dice.draw(89)}`)!
  await creditWallet(test.deps, { partnerId: live.id, environment: 'live' }, { amount, reason: '=HYPERLINK("x")' })
}

async function inSandbox({ test, sandbox, differences }: Business, action: string, body: object): Promise<void> {
  // The sandbox takes so many of these a day.
  await sql(test, 'delete from allowances')
  const reply = await post(test, sandbox, `/v1/sandbox/${action}`, body)
  if (reply.statusCode !== 200) differences.tell(`sandbox, ${action}: ${reply.statusCode} ${reply.body}`)
}

async function moveSandboxOn(business: Business): Promise<void> {
  await inSandbox(business, 'advance', { seconds: 1 + business.dice.draw(86_000) })
}

/** Refused when the payout has ended otherwise. */
async function simulate({ test, dice, sandbox }: Business): Promise<void> {
  const { data: payouts } = await read<PayoutList>(test, sandbox, '/v1/payouts')
  if (payouts.length === 0) return
  const outcome = dice.pick(['settle', 'fail', 'return'])
  await post(test, sandbox, `/v1/sandbox/payouts/${dice.pick(payouts).id}/simulate`, { outcome })
}
