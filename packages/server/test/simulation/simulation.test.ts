// Stories that are made up: partners, a bank, a network and processes that die, on one virtual clock, driven by one number each.
// The program's own rules run on a real PostgreSQL; the bank's books and the partner's memory judge them in the end.
import { randomInt } from 'node:crypto'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'
import { sql } from '../support/fixtures.ts'
import { type Plan, planOf, told } from './plan.ts'
import { type Outcome, runPlan } from './run-plan.ts'
import { KEPT_SEEDS } from './kept-seeds.ts'
import { shortest } from './shortest.ts'

const wanted = (name: string) => Number.parseInt(process.env[name] ?? '', 10) || null
/** `npm run prove -- --seed N` tells one story again; with `--long`, those from there on. */
const SEEDS = wanted('SEEDS') ?? (wanted('SEED') === null ? 40 : 1)
const FIRST = wanted('SEED') ?? randomInt(2 ** 30)
/** Whether a story that goes wrong is made short; a mutant’s need not be. */
const IS_MADE_SHORT = process.env['SHORTEST'] !== 'no'
/** Stories side by side, each in a database of its own: while one waits for PostgreSQL, another goes on. */
const LANES = 3
/** Stories that went on otherwise once what was due came in the order in which it lay on disk. */
const READ_OUT_OF_ORDER = [1_017, 1_018, 1_044, 1_075, 1_080, 1_091]

let lanes: TestApp[]
beforeAll(async () => {
  lanes = await Promise.all(Array.from({ length: LANES }, () => startTestApp()))
})
afterAll(async () => {
  for (const lane of lanes) await lane.close()
})

/** The shortest story that goes wrong like this one, and how to have it again. */
async function report(test: TestApp, plan: Plan, { wrong }: Outcome): Promise<string> {
  const goesWrong = async (actions: Plan['actions']) => (await runPlan(test, { ...plan, actions })).wrong.length > 0
  const actions = IS_MADE_SHORT ? await shortest(plan.actions, goesWrong) : plan.actions
  const last = await runPlan(test, { ...plan, actions })
  const story = actions.map((action) => `    ${told(action)}`)
  return [
    `seed ${plan.seed}: ${wrong[0]}`,
    `  ${actions.length} of its ${plan.actions.length} actions, with ${plan.dollars} dollars and trouble ${plan.trouble}, suffice:`,
    ...story,
    ...last.wrong.map((each) => `  ✖ ${each}`),
    `  Again: npm run prove -- --only simulation --seed ${plan.seed}`,
  ].join('\n')
}

async function tell(seeds: readonly number[]): Promise<{ reports: string[]; payouts: number; transfers: number }> {
  const left = [...seeds]
  const all = { reports: [] as string[], payouts: 0, transfers: 0 }
  await Promise.all(
    lanes.map(async (test) => {
      for (let seed = left.shift(); seed !== undefined && all.reports.length === 0; seed = left.shift()) {
        const plan = planOf(seed)
        const outcome = await runPlan(test, plan)
        all.payouts += outcome.payouts
        all.transfers += outcome.transfers
        if (outcome.wrong.length > 0) all.reports.push(await report(test, plan, outcome))
      }
    }),
  )
  return all
}

describe('a simulation', () => {
  it(
    'ends with one ending per payout, one transfer at most, and every dollar where the bank’s books have it',
    async ({ task }) => {
      const seeds = Array.from({ length: SEEDS }, (_, nth) => FIRST + nth)
      task.meta.cases = seeds.length
      const { reports, payouts, transfers } = await tell(seeds)
      process.stdout.write(
        `simulation.test.ts seeds=${FIRST}…${seeds.at(-1)}, ${payouts} payouts, ${transfers} transfers\n`,
      )
      expect(reports.join('\n\n')).toBe('')
      expect(transfers).toBeGreaterThan(0)
    },
    60_000 + SEEDS * 5_000,
  )

  it.skipIf(KEPT_SEEDS.length === 0)('tells the stories that went wrong once', async ({ task }) => {
    task.meta.cases = KEPT_SEEDS.length
    expect((await tell(KEPT_SEEDS.map(({ seed }) => seed))).reports.join('\n\n')).toBe('')
  })

  it('is the same at every run, however its rows lie on disk', async () => {
    const [one, other] = [lanes[0]!, lanes[1]!]
    // Where rows were, others come to lie.
    const tidy = async () =>
      void (await sql(other, 'vacuum payouts, payout_follow_ups, bank_events, bank_rows_waiting'))
    for (const seed of [...READ_OUT_OF_ORDER, FIRST]) {
      const plan = planOf(seed)
      const [first, second] = await Promise.all([runPlan(one, plan), runPlan(other, plan, tidy)])
      expect({ seed, ...second }).toEqual({ seed, ...first })
      expect(first.steps).toBeGreaterThan(0)
    }
  })
})
