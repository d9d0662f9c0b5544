// Sandbox payouts whose first answer was never recorded, as when a process is killed: the stories that refuse end, too.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'
import { aPartner, balanceOf, createPayout, get } from '../support/fixtures.ts'

const HOUR_MS = 60 * 60_000
const FULL = 100_000_000n
const LESS = 67_930_000n

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterEach(() => {
  vi.restoreAllMocks()
})
afterAll(() => test.close())

describe('a payout that is in doubt, of which the simulated bank says when it is asked again', () => {
  it.each([
    { says: 'that it refuses the details', reference: 'sandbox:reject' },
    { says: 'that it is down', reference: 'sandbox:down' },
  ])('$says: is pending until that is certain, and then failed, with its money back', async ({ reference }) => {
    const partner = await aPartner(test, { usdc: '100.00' })
    vi.spyOn(test.deps.rails.simulated, 'submit').mockResolvedValueOnce({
      kind: 'unknown',
      reason: 'It was cut off.',
    })
    const created = await createPayout(test, partner, { reference })
    expect(created.json()).toMatchObject({ status: 'pending' })
    const { id } = created.json<{ id: string }>()
    const standing = async () => (await get(test, partner, `/v1/payouts/${id}`)).json<{ status: string }>().status
    test.clock.advance(31_000)
    await test.follow()
    expect([await standing(), await balanceOf(test, partner)]).toEqual(['pending', LESS])
    test.clock.advance(2 * HOUR_MS)
    await test.follow()
    expect([await standing(), await balanceOf(test, partner)]).toEqual(['failed', FULL])
    expect((await get(test, partner, '/v1/usage')).json<{ payouts: unknown }>().payouts).toMatchObject({ completed: 0 })
  })
})
