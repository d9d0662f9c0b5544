// A business with two webhook endpoints: one that takes everything, in the grace of a rotation, and one that fails.
import { expect, vi } from 'vitest'

import { type TestPartner, aPartner, createPayout, get } from '../../../../server/test/support/fixtures.ts'
import { startReceiver, withStatus } from '../../../../server/test/support/receiver.ts'
import type { Site } from './site.ts'

export interface HookedPartner extends TestPartner {
  readonly endpoint: string
  readonly failing: string
  /** A delivery to the one that fails. */
  readonly delivery: string
  readonly payout: string
  close(): Promise<void>
}

export async function aHookedPartner(site: Site): Promise<HookedPartner> {
  const partner = await aPartner(site)
  const receiver = await startReceiver()
  receiver.answer((received, response) => withStatus(received.path === '/hook' ? 200 : 503)(received, response))
  const post = async (url: string, payload: object) => {
    const headers = { authorization: `Bearer ${partner.key}` }
    return (await site.request({ method: 'POST', url, payload, headers })).json<{ id: string }>()
  }
  const at = '/v1/webhook-endpoints'
  const { id: endpoint } = await post(at, { url: receiver.url, description: 'The shop' })
  const events = ['payout.created', 'payout.failed', 'payout.returned']
  const { id: failing } = await post(at, { url: `${new URL(receiver.url).origin}/warehouse`, events })
  await post(`${at}/${endpoint}/rotate-secret`, {})
  const { id: payout } = (await createPayout(site, partner, { reference: 'sandbox:hold' })).json<{ id: string }>()
  const { id: delivery } = await vi.waitFor(
    async () => {
      const { data } = (await get(site, partner, `/v1/deliveries?subject=${payout}`)).json()
      expect(data).toHaveLength(3)
      expect(data.every(({ attempts }: { attempts: number }) => attempts > 0)).toBe(true)
      return data.find((each: { endpoint_id: string }) => each.endpoint_id === failing) as { id: string }
    },
    { timeout: 60_000, interval: 200 },
  )
  return { ...partner, endpoint, failing, delivery, payout, close: () => receiver.close() }
}
