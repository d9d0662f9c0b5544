// Months of payouts, returns, new prices, invoices and resets, in any order: after some of the steps every figure that two
// places show is compared. The steps are drawn anew at each run; SEED draws the same again,
// and STEPS takes more.
import { randomInt } from 'node:crypto'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { londonMonth } from '../../src/core/london-month.ts'
import { type Dice, createDice } from '../support/dice.ts'
import { aPartner, inLive } from '../support/fixtures.ts'
import { type Business, STEPS, type Step } from './any-steps.ts'
import { compareAll } from './figures/all-figures.ts'
import { Differences } from './figures/differences.ts'
import { type BillingHouse, startBilling } from './live-bank.ts'
import { makeMoody } from './moody-bank.ts'

const wanted = (name: string) => Number.parseInt(process.env[name] ?? '', 10) || null
const SEED = wanted('SEED') ?? randomInt(2 ** 31)
const COUNT = wanted('STEPS') ?? 150
/** Many times what so many steps take on a machine that does nothing else. */
const PATIENCE_MS = 60_000 + COUNT * 5_000
process.stdout.write(`any-months.test.ts seed=${SEED} steps=${COUNT}\n`)

const BEGIN = '2026-02-10T12:00:00Z'

let house: BillingHouse
beforeAll(async () => {
  house = await startBilling()
})
afterAll(() => house.close())

async function begin(dice: Dice): Promise<Business> {
  const { test, second, bank } = house
  test.clock.set(BEGIN)
  const sandbox = await aPartner(test)
  return {
    test,
    second,
    dice,
    sandbox,
    moods: makeMoody(bank, dice, () => test.clock.now()),
    differences: new Differences(),
    since: londonMonth(new Date(BEGIN)),
    // In one seed of four it is so little that payouts are refused.
    live: await inLive(test, sandbox, SEED % 4 === 0 ? '300.00' : '900000.00'),
    other: await inLive(test, await aPartner(test), '5000.00'),
    payoutIds: [],
  }
}

function anyStep(dice: Dice): Step {
  let left = dice.draw(STEPS.reduce((sum, { weight }) => sum + weight, 0))
  return STEPS.find(({ weight }) => (left -= weight) < 0)!
}

it(
  `every figure that two places show is the same in both, whatever happens in whatever order (seed ${SEED})`,
  async () => {
    const business = await begin(createDice(SEED))
    const { test, dice, differences } = business
    const taken: string[] = []
    while (taken.length < COUNT && differences.found.length === 0) {
      const step = anyStep(dice)
      taken.push(step.name)
      await step.take(business).catch((error: unknown) => {
        throw new Error(`Step ${taken.length} of seed ${SEED}, ${step.name}: ${String(error)}`, { cause: error })
      })
    }
    const last = `step ${taken.length} (${taken.at(-1)})`
    if (differences.found.length === 0) await compareAll(business, business)
    process.stdout.write(
      `any-months.test.ts until ${test.clock.now().toISOString()}: ${business.payoutIds.length} live payouts, ${differences.compared} comparisons\n`,
    )
    expect(differences.found, `seed ${SEED}, ${last}, ${test.clock.now().toISOString()}`).toEqual([])
  },
  PATIENCE_MS,
)
