import { describe, expect, it } from 'vitest'

import { pence } from './money.ts'
import { DEFAULT_PLAN, type DatedPlan, planAt } from './plan.ts'

const dated = (day: string, fixed: bigint): DatedPlan => ({
  ...DEFAULT_PLAN,
  payoutFixed: pence(fixed),
  validFrom: new Date(`2026-${day}T00:00:00.000Z`),
})
const at = (text: string) => new Date(`2026-${text}Z`)

describe('the plan at a moment', () => {
  // In no order, as they may be kept.
  const plans = [dated('07-01', 2n), dated('09-01', 3n), dated('05-01', 1n)]
  it.each([
    { moment: '04-01T00:00:00.000', fixed: 1n, why: 'the first is valid from the beginning' },
    { moment: '06-30T23:59:59.999', fixed: 1n, why: 'until the next one' },
    { moment: '07-01T00:00:00.000', fixed: 2n, why: 'from its first moment' },
    { moment: '08-31T23:59:59.999', fixed: 2n, why: 'until its last' },
    { moment: '12-01T00:00:00.000', fixed: 3n, why: 'the last one for ever' },
  ])('$moment is $fixed: $why', ({ moment, fixed }) => {
    expect(planAt(plans, at(moment)).payoutFixed).toBe(fixed)
  })

  it('is one of them: without any there is no price', () => {
    expect(() => planAt([], at('07-01T00:00:00.000'))).toThrow('every partner has a plan')
  })
})

it('the price list is what the business agreed', () => {
  expect(DEFAULT_PLAN).toEqual({
    payoutFixed: 99n,
    payoutBasisPoints: 100n,
    bankFixed: 20n,
    bankBasisPoints: 50n,
    monthlyAccount: 1_500n,
    businessVerification: 3_900n,
    networkCost: 2n,
    networkMarkupBasisPoints: 1_000n,
    exceptionCost: 250n,
    exceptionMarkupBasisPoints: 2_000n,
  })
})
