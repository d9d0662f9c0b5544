// The invoice that a month of the sandbox would give if it were live: by the prices and the functions of live billing, from
// sums. Nothing is stored, numbered, charged or mailed.
import { AppError } from '../../core/errors.ts'
import { type LondonDay, dayAfter, startOfDay } from '../../core/london-day.ts'
import { type Month, lastMomentOf, londonMidnight, londonMonth } from '../../core/london-month.ts'
import { type MicroPence, type Pence, exactly, microPence, pence, sumPence } from '../../core/money.ts'
import { type DatedPlan, planAt } from '../../core/plan.ts'
import type { ChargeSum } from '../../storage/charges.ts'
import type { InvoiceLineRow } from '../../storage/invoices.ts'
import { readTerm } from '../../storage/partners.ts'
import { listPlans } from '../../storage/plans.ts'
import { type RehearsedMonth, readRehearsedMonth } from '../../storage/rehearsed-months.ts'
import { type PayoutMove, chargesOf } from '../charges/payout-charges.ts'
import type { Deps } from '../deps.ts'
import { invoiceLines } from './invoice-lines.ts'
import { monthUpTo } from './read-usage.ts'

export interface Rehearsal {
  readonly month: Month
  readonly lines: readonly InvoiceLineRow[]
  readonly total: Pence
}

/** The current month as it would close now, or a past month by name, from that on in which the business was created. */
export async function rehearseInvoice(
  deps: Pick<Deps, 'reports' | 'clock'>,
  partnerId: string,
  asked?: string,
): Promise<Rehearsal> {
  const thisMonth = londonMonth(deps.clock.now())
  const month = asked === undefined ? thisMonth : monthUpTo(asked, thisMonth)
  const [plans, { createdAt, verifiedAt }] = await Promise.all([
    listPlans(deps.reports, partnerId),
    readTerm(deps.reports, partnerId),
  ])
  if (asked !== undefined) refuseBefore(londonMonth(createdAt), month)
  const plansFrom = plans.map((plan) => plan.validFrom)
  const sums = await readRehearsedMonth(deps.reports, { partnerId, month, plansFrom })
  const charges = [...payoutSums(sums, plans), ...verificationSum(month, plans, verifiedAt)]
  const { monthlyAccount } = planAt(plans, lastMomentOf(month))
  // As if it had been live all month, whether or not it is.
  const lines = invoiceLines({ month, charges, monthlyAccount, verifiedAt: londonMidnight(month) })
  return { month, lines, total: sumPence(lines.map((line) => line.amount)) }
}

/** There was nothing that could have been billed. */
function refuseBefore(first: Month, month: Month): void {
  if (month >= first) return
  throw new AppError('invalid_request', `There is nothing to rehearse for ${month}: the business began in ${first}.`, {
    details: { fields: [`month (a month such as ${first}, not before it)`] },
  })
}

function payoutSums(sums: RehearsedMonth, plans: readonly DatedPlan[]): ChargeSum[] {
  const fees: ChargeSum = {
    kind: 'payout_fees',
    quantity: sums.completed,
    amount: exactly(sums.feeOnInvoice),
    ...NO_PRICE,
  }
  const network = sums.days.map(({ day, quantity }) => ({
    quantity,
    price: priceOf(plans, { createdAt: endOf(day), hasCompletedNow: true, kind: 'network_fees' }),
  }))
  const cameBack = sums.cameBack.map(({ plan, quantity }) => {
    const createdAt = plans[Math.max(plan - 1, 0)]!.validFrom
    return { quantity, price: priceOf(plans, { createdAt, hasCompletedNow: false, kind: 'bank_exceptions' }) }
  })
  return [
    ...(sums.completed === 0n ? [] : [fees]),
    ...sumOf('network_fees', network),
    ...sumOf('bank_exceptions', cameBack),
  ]
}

const NO_PRICE = { least: microPence(0n), most: microPence(0n), posted: pence(0n) }

/** The price of a day on which prices changed is that of its end: the sums do not tell its hours apart. */
const endOf = (day: LondonDay): Date => new Date(startOfDay(dayAfter(day)).getTime() - 1)

/** What live charges for one payout that completes, or that comes back. The sandbox keeps no receipts of what it cost. */
function priceOf(
  plans: readonly DatedPlan[],
  { kind, createdAt, hasCompletedNow }: Pick<PayoutMove, 'createdAt' | 'hasCompletedNow'> & Pick<ChargeSum, 'kind'>,
): MicroPence {
  const move = { payoutId: '', createdAt, amount: pence(0n), feeOnInvoice: pence(0n), receipt: {} }
  const charges = chargesOf({ ...move, hasCompletedNow, hasComeBackNow: !hasCompletedNow }, plans)
  return charges.find((charge) => charge.kind === kind)!.amount
}

interface Priced {
  readonly quantity: bigint
  readonly price: MicroPence
}

/** Nothing where nothing happened: its line is left out then. */
function sumOf(kind: ChargeSum['kind'], priced: readonly Priced[]): ChargeSum[] {
  const [first, ...others] = priced
  if (first === undefined) return []
  let [least, most] = [first.price, first.price]
  for (const { price } of others) {
    if (price < least) least = price
    if (price > most) most = price
  }
  const quantity = priced.reduce((sum, each) => sum + each.quantity, 0n)
  const amount = microPence(priced.reduce((sum, each) => sum + each.quantity * each.price, 0n))
  return [{ kind, quantity, amount, least, most, posted: pence(0n) }]
}

/** On the first invoice: that of the month in which the business was verified, and until then on every one. */
function verificationSum(month: Month, plans: readonly DatedPlan[], verifiedAt: Date | null): ChargeSum[] {
  if (verifiedAt !== null && londonMonth(verifiedAt) < month) return []
  const isOfMonth = verifiedAt !== null && londonMonth(verifiedAt) === month
  const { businessVerification } = planAt(plans, isOfMonth ? verifiedAt : lastMomentOf(month))
  return sumOf('business_verification', [{ quantity: 1n, price: exactly(businessVerification) }])
}
