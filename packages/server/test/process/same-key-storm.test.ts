// A storm of requests with the same keys over two processes of the API, at a bank that takes its time: one 201
// for each key, the same payout for everybody else, and one order at the bank.
import { randomInt } from 'node:crypto'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { type TestBank, startTestBank } from '../support/bank.ts'
import { createDice } from '../support/dice.ts'
import { type Home, type Served, aHome, launch, moment, run, serveOn, until } from './program.ts'
import { type Answer, createPartner, postPayout, sandboxWallet } from './requests.ts'

const wanted = (name: string) => Number.parseInt(process.env[name] ?? '', 10) || null
const SEED = wanted('SEED') ?? randomInt(2 ** 31)
/** `npm run prove -- --long` asks for 200 times 100. */
const KEYS = wanted('STORM_KEYS') ?? 20
const TIMES = wanted('STORM_TIMES') ?? 50
/** As many at once as one process keeps waiting without refusing, for both. */
const KEYS_AT_ONCE = 4
const SENT = 32_070_000n
process.stdout.write(`same-key-storm.test.ts seed=${SEED} keys=${KEYS} times=${TIMES}\n`)

let bank: TestBank
let home: Home
let partner: { id: string; key: string }
beforeAll(async () => {
  ;[bank, home] = await Promise.all([startTestBank(), aHome()])
  partner = await createPartner(home.settings, 'same-key-storm')
})
afterAll(async () => {
  await home.leave()
  await bank.close()
})

const settings = () => ({
  ...home.settings,
  BANK_SANDBOX_URL: bank.provider.baseUrl,
  BANK_SANDBOX_API_KEY: bank.provider.apiKey,
  BANK_CONTROL_KEY: bank.controls.key,
})

const isWalletAtBank = async () => {
  const rows = await home.owner.query(`select 1 from wallets where partner_id = $1 and rail = 'provider_sandbox'`, [
    partner.id,
  ])
  return rows.length === 1
}

/** Everybody who asks for one key at once, at either process; whoever is told to come back does. */
async function askAll(apis: readonly Served[], key: string, dice: ReturnType<typeof createDice>): Promise<Answer[]> {
  const asked = Array.from({ length: TIMES }, (_, nth) => ({ api: apis[nth % apis.length]!, after: dice.draw(40) }))
  return Promise.all(
    asked.map(async ({ api, after }) => {
      await moment(after)
      return postPayout(api.url, partner.key, key)
    }),
  )
}

it('makes one payout per key, and one order at the bank', async ({ task }) => {
  task.meta.cases = KEYS * TIMES
  const dice = createDice(SEED)
  const worker = launch(['worker'], settings())
  const apis = await Promise.all([serveOn('api', settings()), serveOn('api', settings())])
  await until('the wallet is at the bank', isWalletAtBank)
  const before = await sandboxWallet(home.owner, partner.id)
  // Long enough for everybody to come while the first is being asked for.
  await bank.control('POST', '/faults', { route: 'POST /v0/transfers', mode: 'slow', ms: 300, times: 100_000 })
  const keys = Array.from({ length: KEYS }, (_, nth) => `storm-${SEED}-${nth}`)
  const answers = new Map<string, Answer[]>()
  for (let first = 0; first < KEYS; first += KEYS_AT_ONCE) {
    const some = keys.slice(first, first + KEYS_AT_ONCE)
    await Promise.all(some.map(async (key) => void answers.set(key, await askAll(apis, key, dice))))
  }
  await bank.control('DELETE', '/faults')

  const ids: string[] = []
  for (const [key, own] of answers) {
    const paid = own.filter(({ status }) => status === 200 || status === 201)
    expect(
      own.filter(({ status }) => ![200, 201, 409].includes(status)),
      `asked for with ${key}`,
    ).toEqual([])
    expect(
      own.filter(({ status }) => status === 201),
      `asked for with ${key}`,
    ).toHaveLength(1)
    expect(new Set(paid.map(({ body }) => body.id)).size, `asked for with ${key}`).toBe(1)
    ids.push(paid[0]!.body.id)
  }
  const { transfers } = await bank.books()
  expect(transfers.map((each) => each.client_reference_id ?? '').toSorted()).toEqual(ids.toSorted())
  const orders = await bank.requests('POST /v0/transfers')
  expect(orders.length).toBe(Math.min(KEYS, 1_000))
  const after = await sandboxWallet(home.owner, partner.id)
  expect(after['available']).toBe(before['available']! - BigInt(KEYS) * SENT)
  await until('every payout has completed', async () => {
    const open = await home.owner.query(`select 1 from payouts where status <> 'completed'`)
    return open.length === 0
  })
  for (const each of [...apis, worker]) expect((await each.kill('SIGTERM')).code).toBe(0)
  expect(await run(['reconcile'], settings())).toMatchObject({ code: 0, stdout: 'The books are right.\n' })
}, 600_000)
