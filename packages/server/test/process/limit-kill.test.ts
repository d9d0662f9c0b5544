// kill -9 while sixty-four requests ask for more than a key may pay, again and again: never above the limit, and in the end
// exactly what fits.
import { afterAll, beforeAll, expect, it } from 'vitest'

import { endAllLeases } from './hurry.ts'
import { type Home, aHome, moment, serveOn } from './program.ts'
import { postPayout } from './requests.ts'

const CONNECTIONS = 64
const ROUNDS = 3

let home: Home
beforeAll(async () => {
  home = await aHome()
})
afterAll(() => home.leave())

const held = async () => {
  const [row] = await home.owner.query<{ pence: string; counted: string }>(
    `select coalesce(sum(amount_pence) filter (where status not in ('failed', 'cancelled')
                                                 and send_state not in ('not_sent', 'rejected')), 0)::text as pence,
            (select sum(spent_pence)::text from spend_days) as counted
       from payouts where spender_id is not null`,
  )
  return { pence: Number(row!.pence), counted: Number(row!.counted ?? 0) }
}

it('a key that may pay 1,000.00 per day pays 40 times 25.00, whatever is killed when', async () => {
  let server = await serveOn('serve', home.settings)
  const apiKey = /kp_sandbox_[0-9a-f]{48}/.exec(server.output.stdout)![0]
  await home.owner.query(
    `insert into spending_limits (partner_id, environment, spender_id, daily_pence, since)
     select partner_id, environment, id, 100000, now() from api_keys where key_prefix = $1`,
    [apiKey.slice(0, 17)],
  )
  await home.owner.query('update wallets set has_spending_limits = true')
  const keys = Array.from({ length: CONNECTIONS }, (_, nth) => `limited-order-${nth}`)
  const ask = (key: string) => postPayout(server.url, apiKey, key).catch(() => null)

  for (let round = 0; round < ROUNDS; round++) {
    const answers = keys.map(ask)
    await moment(30 + round * 40)
    await server.kill('SIGKILL')
    await Promise.all(answers)
    const { pence, counted } = await held()
    expect(pence).toBeLessThanOrEqual(100_000)
    expect(counted).toBe(pence)
    await endAllLeases(home.owner)
    server = await serveOn('serve', home.settings)
  }

  const ends = new Map<string, number>()
  for (const key of keys) {
    await expect
      .poll(
        async () => {
          const status = (await ask(key))?.status ?? 0
          ends.set(key, status)
          return status
        },
        { timeout: 60_000 },
      )
      .toSatisfy((status: number) => [200, 201, 403].includes(status))
  }
  const paid = [...ends.values()].filter((status) => status !== 403).length
  expect([paid, CONNECTIONS - paid]).toEqual([40, 24])
  expect(await held()).toEqual({ pence: 100_000, counted: 100_000 })
  await server.kill('SIGTERM')
})
