// Whether anything slows down as the books grow: the same questions to a business with ten thousand payouts and to one with very
// many, one at a time. The worst of them is the row's figure; each is in the progress.
import { fill } from '../fill/fill.mjs'
import { proveBooks } from '../fill/prove.mjs'
import { openHouse } from './house.mjs'

const FEW = 10_000

/** How many there are of is the caller's to say: a million take about 2.5 GB of disk and two minutes. */
export const FILLED = {
  few: { port: 26_380, countFor: () => FEW },
  filled: { port: 26_390, countFor: ({ fillCount }) => fillCount },
}

const LOOKED_UP = {
  list: '/v1/payouts?limit=50',
  byId: '/v1/payouts/{id}',
  activity: '/v1/activity',
  balance: '/v1/balance',
}
const ADDED_UP = {
  usage: '/v1/usage',
  recipients: '/v1/recipients',
  summary: '/v1/payouts/summary',
  daily: '/v1/payouts/daily?days=30',
  statement: '/v1/statement',
  search: '/v1/payouts?q=nobody%20of%20this%20name',
}

const nameOf = (house, what) => `${house} ${what}`

const reads = (house, path) => ({
  house,
  round: async (bench, opened) => {
    const asked = { path: path.replace('{id}', opened.payoutId), connections: 1, seconds: bench.seconds / 2 }
    const load = await opened.get(asked)
    return { rate: load.count / load.seconds, count: load.count, p50: load.p50, p99: load.p99 }
  },
})

export const GROWTH_SIDES = Object.fromEntries(
  Object.keys(FILLED).flatMap((house) =>
    Object.entries({ ...LOOKED_UP, ...ADDED_UP }).map(([what, path]) => [nameOf(house, what), reads(house, path)]),
  ),
)

const growth = (questions) => {
  const all = Object.keys(questions)
  return {
    sides: all.flatMap((what) => [nameOf('few', what), nameOf('filled', what)]),
    ratio: (sides, pick) =>
      Math.max(...all.map((what) => sides[nameOf('filled', what)][pick].p50 / sides[nameOf('few', what)][pick].p50)),
    isLessBetter: true,
  }
}

export const GROWTH_ROWS = {
  P11: {
    what: 'p50 of list, by id, activity, balance: the worst of them with very many payouts (--fill-count) ÷ with 10,000',
    ...growth(LOOKED_UP),
    floor: 1.2,
    goal: 1.05,
  },
  P12: {
    what: 'the same of usage, recipients, summary, daily, statement, search without a match',
    ...growth(ADDED_UP),
    floor: 1.5,
    goal: 1.1,
  },
}

export async function openFilled(bench, name) {
  const { kestrel, postgres, progress } = bench
  const { port, countFor } = FILLED[name]
  const count = countFor(bench)
  const house = await openHouse(bench, { name, port })
  try {
    const [{ id: partnerId }] = await postgres.query(name, `select id from partners where slug = 'bench-0'`)
    progress(`filling ${name} with ${count} payouts`)
    const url = postgres.urlOf(name)
    await fill({ url, partnerId, count, londonMonth: kestrel.londonMonth, progress })
    const [{ id: payoutId }] = await postgres.query(
      name,
      `select id from payouts where status = 'completed' order by partner_id, environment, id offset ${count / 2} limit 1`,
    )
    const prove = async () => {
      await proveBooks(kestrel, url)
      return count
    }
    return { ...house, payoutId, prove }
  } catch (error) {
    await house.stop()
    throw error
  }
}
