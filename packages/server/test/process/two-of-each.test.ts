// Two APIs and two workers on one database, killed one after the other, at a bank that acts and then says that it has failed.
import { randomInt } from 'node:crypto'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { type TestBank, startTestBank } from '../support/bank.ts'
import { type LyingBank, startLyingBank } from '../support/lying-bank.ts'
import { hurry } from './hurry.ts'
import { type Home, type Running, type Served, aHome, launch, moment, run, serveOn, until } from './program.ts'
import { createPartner, postPayout, sandboxWallet } from './requests.ts'

const SEED = Number.parseInt(process.env['SEED'] ?? '', 10) || randomInt(2 ** 31)
process.stdout.write(`two-of-each.test.ts seed=${SEED}\n`)
const ORDERS = 24
const SENT = 32_070_000n

let state = SEED >>> 0
function draw(below: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}

let bank: TestBank
let lying: LyingBank
let home: Home
let partner: { id: string; key: string }
beforeAll(async () => {
  bank = await startTestBank()
  lying = await startLyingBank(bank.provider)
  home = await aHome()
  partner = await createPartner(home.settings, 'two-of-each')
})
afterAll(async () => {
  await home.leave()
  await lying.close()
  await bank.close()
})

const settings = () => ({
  ...home.settings,
  BANK_SANDBOX_URL: lying.provider.baseUrl,
  BANK_SANDBOX_API_KEY: lying.provider.apiKey,
  BANK_CONTROL_KEY: bank.controls.key,
})

let lied = 0

/** A third of the orders is taken and said to have failed, a quarter is not taken; looking one up fails now and then. */
function lie({ method, path }: { method: string; path: string }) {
  if (method === 'POST' && path === '/transfers') {
    const nth = draw(12)
    if (nth < 7) lied += 1
    return nth < 4 ? ({ status: 500, isAfter: true } as const) : nth < 7 ? 503 : null
  }
  return path.startsWith('/transfers') && draw(5) === 0 ? 500 : null
}

const rows = (sql: string) => home.owner.query(sql, [partner.id])

it('pay each order once, whoever is killed and whatever the bank says', async ({ task }) => {
  task.meta.cases = ORDERS
  let apis: Served[] = await Promise.all([serveOn('api', settings()), serveOn('api', settings())])
  let workers: Running[] = [launch(['worker'], settings()), launch(['worker'], settings())]
  await until('the wallet is at the bank', async () => {
    const found = await rows(
      `select 1 from wallets where partner_id = $1 and wallet_ref is not null and rail <> 'simulated'`,
    )
    return found.length === 1
  })
  const before = await sandboxWallet(home.owner, partner.id)
  lying.refuse(lie)
  const keys = Array.from({ length: ORDERS }, (_, index) => `order-${index}-${SEED}`)
  const ids = new Map(keys.map((key) => [key, new Set<string>()]))
  const ask = async (api: Served, key: string) => {
    const answer = await postPayout(api.url, partner.key, key).catch(() => null)
    if (answer?.status === 200 || answer?.status === 201) ids.get(key)!.add(answer.body.id)
  }
  const asked = keys.flatMap((key) =>
    apis.map(async (api) => {
      await moment(draw(600))
      await ask(api, key)
    }),
  )
  await moment(150 + draw(150))
  expect((await apis[0]!.kill('SIGKILL')).signal).toBe('SIGKILL')
  expect((await workers[0]!.kill('SIGKILL')).signal).toBe('SIGKILL')
  workers = [launch(['worker'], settings()), workers[1]!]
  await moment(100 + draw(200))
  expect((await apis[1]!.kill('SIGKILL')).signal).toBe('SIGKILL')
  expect((await workers[1]!.kill('SIGKILL')).signal).toBe('SIGKILL')
  await Promise.all(asked)
  apis = await Promise.all([serveOn('api', settings()), serveOn('api', settings())])
  workers = [workers[0]!, launch(['worker'], settings())]
  // Those that were killed may have left nothing for the bank to lie about yet.
  await until('the bank has lied about orders', async () => {
    await hurry(home.owner)
    await Promise.all(keys.flatMap((key) => apis.map((api) => ask(api, key))))
    return lied > 0
  })
  lying.refuse(null)

  await until('every order has its payout, and every payout its end', async () => {
    await hurry(home.owner)
    await Promise.all(keys.filter((key) => ids.get(key)!.size === 0).map((key) => ask(apis[0]!, key)))
    const open = await rows(
      `select 1 from payouts where partner_id = $1 and released_at is null and status <> 'completed'`,
    )
    return open.length === 0 && keys.every((key) => ids.get(key)!.size > 0)
  })
  expect(keys.filter((key) => ids.get(key)!.size !== 1)).toEqual([])
  const paid = keys.map((key) => [...ids.get(key)!][0]!)
  const { transfers, wallets } = await bank.books()
  const made = transfers.flatMap((each) => each.client_reference_id ?? [])
  expect(made.toSorted()).toEqual(paid.toSorted())
  const after = await sandboxWallet(home.owner, partner.id)
  expect(after).toMatchObject({ available: before['available']! - BigInt(ORDERS) * SENT, held: 0n, in_transit: 0n })
  expect(wallets.map((each) => BigInt(each.balance_micro))).toContain(after['available'])
  for (const each of [...apis, ...workers]) expect((await each.kill('SIGTERM')).code).toBe(0)
  expect(await run(['reconcile'], settings())).toMatchObject({ code: 0, stdout: 'The books are right.\n' })
}, 180_000)
