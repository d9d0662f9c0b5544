// kill -9 of a process that tries a refused payout again: while it looks whether the bank made it all the same, and when it
// has looked and the order is on its way. Whoever comes after looks again.
import { afterAll, beforeAll, expect, it } from 'vitest'

import { type TestBank, startTestBank } from '../support/bank.ts'
import { endAllLeases } from './hurry.ts'
import { type Home, aHome, launch, serveOn, until } from './program.ts'
import { createPartner, postPayout, sandboxWallet } from './requests.ts'

const POST = 'POST /v0/transfers'
const LIST = 'GET /v0/transfers'
const SENT = 32_070_000n

let bank: TestBank
let home: Home
let partner: { id: string; key: string }
beforeAll(async () => {
  bank = await startTestBank()
  await bank.standStill()
  home = await aHome()
  partner = await createPartner(home.settings, 'refused')
  await work('the wallet is at the bank', async () => {
    const rows = await home.owner.query(
      `select 1 from wallets where partner_id = $1 and customer_ref is not null and wallet_ref is not null`,
      [partner.id],
    )
    return rows.length === 1
  })
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
const fault = (mode: string, route: string, more: object = {}) =>
  bank.control('POST', '/faults', { route, mode, ...more })
const isStruck = async (mode: string, route: string) =>
  (await bank.requests(route)).some((each) => each.fault === mode) ||
  !(await bank.control<{ data: { mode: string }[] }>('GET', '/faults')).data.some((each) => each.mode === mode)

/** A worker that runs until something is so. */
async function work(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const worker = launch(['worker'], settings())
  await until(what, isSo)
  expect((await worker.kill('SIGTERM')).code).toBe(0)
}

it.each([
  { when: 'while it looks', mode: 'hang_before', route: LIST, isHidden: false },
  { when: 'between its look and its order', mode: 'hang_before', route: POST, isHidden: true },
])('a process that is killed $when has nothing sent twice', async ({ mode, route, isHidden }) => {
  const before = await sandboxWallet(home.owner, partner.id)
  const api = await serveOn('api', settings())
  const key = `killed-${route.slice(0, 4).trim()}-order`
  await fault('refused_after', POST, { key: 'source.bridge_wallet_id' })
  expect(await postPayout(api.url, partner.key, key)).toMatchObject({ status: 502 })
  const [row] = await home.owner.query<{ id: string }>('select id from payouts where idempotency_key = $1', [key])
  const id = row!.id
  const put = (visible: string) =>
    bank.query(`update transfers set visible_from = ${visible} where client_reference_id = $1`, [id])
  if (isHidden) {
    await put(`'infinity'`)
    // An hour later the order goes out: the bank has not shown it by then.
    await home.owner.query('update payouts set listed_by = now() where id = $1', [id])
  }
  await fault(mode, route)
  const answer = postPayout(api.url, partner.key, key).catch(() => null)
  await until('the bank hangs', () => isStruck(mode, route))
  expect((await api.kill('SIGKILL')).signal).toBe('SIGKILL')
  expect(await answer).toBeNull()
  expect(await sandboxWallet(home.owner, partner.id)).toMatchObject({ held: SENT })

  await put('created_at')
  await bank.control('DELETE', '/faults')
  await endAllLeases(home.owner)
  await work('the payout has its transfer', async () => {
    const rows = await home.owner.query(`select 1 from payouts where id = $1 and status = 'processing'`, [id])
    return rows.length === 1
  })
  // The one that was made and refused, and perhaps the one that hung: whoever came after has ordered nothing.
  const ordered = (await bank.requests(POST)).filter((each) => each.idempotency_key?.startsWith(id) === true)
  expect(ordered.filter((each) => each.fault === null)).toEqual([])
  const { transfers, wallets } = await bank.books()
  expect(transfers.filter((each) => each.client_reference_id === id)).toHaveLength(1)
  const after = await sandboxWallet(home.owner, partner.id)
  expect(after).toMatchObject({ available: before['available']! - SENT, held: 0n })
  expect(wallets.map((each) => BigInt(each.balance_micro))).toContain(after['available'])
})
