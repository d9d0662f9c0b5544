// Somebody listens to the stream while the API is killed with -9 twenty times and payouts go on: nothing is lost, nothing comes
// twice.
import { afterAll, beforeAll, expect, it } from 'vitest'

import { followStream } from '../support/stream-follower.ts'
import { endAllLeases } from './hurry.ts'
import { type Home, type Served, aHome, freePort, launch, serveOn, until } from './program.ts'
import { createPartner, postPayout } from './requests.ts'

const RESTARTS = 20
const EACH = 3

let home: Home
beforeAll(async () => {
  home = await aHome()
})
afterAll(() => home.leave())

it('the stream loses nothing and repeats nothing over twenty kills of the API', async () => {
  const partner = await createPartner(home.settings, 'stream-kill')
  const settings = { ...home.settings, BANK_SANDBOX_URL: 'none' }
  const port = await freePort()
  let api: Served = await serveOn('api', settings, port)
  const idsInOrder = async () =>
    (
      await home.owner.query<{ id: string }>('select id from events where partner_id = $1 order by position', [
        partner.id,
      ])
    ).map(({ id }) => id)
  // It is never killed: it finds out what became of payouts that the API was killed over.
  const worker = launch(['worker'], settings)
  await postPayout(api.url, partner.key, 'the first')
  const [from] = await idsInOrder()
  const follower = followStream(
    () => `http://127.0.0.1:${port}/v1/stream`,
    { authorization: `Bearer ${partner.key}` },
    from!,
  )
  /** Again with the same key until it is answered: whoever was killed may have made it. */
  const pay = (key: string) =>
    until(`${key} is paid`, async () => {
      const answer = await postPayout(api.url, partner.key, key).catch(() => null)
      return answer?.status === 200 || answer?.status === 201
    })

  for (let restart = 0; restart < RESTARTS; restart++) {
    await until('the listener is back', () => follower.breaks() >= restart)
    const paying = Array.from({ length: EACH }, (_, nth) => pay(`order-${restart}-${nth}`))
    // One of them is certainly there, and the others may be cut.
    await Promise.race(paying)
    expect((await api.kill('SIGKILL')).signal).toBe('SIGKILL')
    // Nobody is left who has a lease on what was being sent.
    await endAllLeases(home.owner)
    api = await serveOn('api', settings, port)
    await Promise.all(paying)
  }

  const due = await idsInOrder()
  expect(due.length).toBeGreaterThanOrEqual(2 * (1 + RESTARTS * EACH))
  await until('the listener has everything', () => follower.ids.length >= due.length - 1)
  // The worker goes on: there may be more by now.
  expect(follower.ids).toEqual((await idsInOrder()).slice(1, 1 + follower.ids.length))
  expect(follower.breaks()).toBe(RESTARTS)
  follower.leave()
  for (const each of [api, worker]) expect((await each.kill('SIGTERM')).code).toBe(0)
}, 300_000)
