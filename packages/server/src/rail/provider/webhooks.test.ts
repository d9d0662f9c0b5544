// Which messages the bank is asked for.
import { describe, expect, it } from 'vitest'

import { clientTo, refusal } from '../../../test/support/answering-bank.ts'
import { RailUnavailable } from '../port.ts'
import { createWebhooks } from './webhooks.ts'

const URL = 'https://kestrel.example/v1/bank/webhooks/live'
const MADE = { status: 201, body: { id: 'wep_1', public_key: 'a public key' } }
const ACTIVE = { status: 200, body: { id: 'wep_1' } }
const NEWEST = 'bridge_wallet.activity'

const categoriesIn = (body: string | undefined) =>
  (JSON.parse(body ?? '{}') as { event_categories: string[] }).event_categories

describe('messages of the bank', () => {
  it('are asked for of every category, and switched on', async () => {
    const { client, asked, bodies } = await clientTo(MADE, ACTIVE)
    expect(await createWebhooks(client).register(URL)).toEqual({ webhookRef: 'wep_1', publicKey: 'a public key' })
    expect(asked).toEqual(['POST /v0/webhooks', 'PUT /v0/webhooks/wep_1'])
    expect(categoriesIn(bodies[0])).toEqual([
      'transfer',
      'kyc_link',
      'customer',
      NEWEST,
      'virtual_account.activity',
      'liquidation_address.drain',
    ])
  })

  it('come without the newest category from a bank that does not know it', async () => {
    const { client, asked, bodies } = await clientTo(refusal(400, 'invalid_parameters'), MADE, ACTIVE)
    expect(await createWebhooks(client).register(URL)).toMatchObject({ webhookRef: 'wep_1' })
    expect(asked).toEqual(['POST /v0/webhooks', 'POST /v0/webhooks', 'PUT /v0/webhooks/wep_1'])
    expect(categoriesIn(bodies[1])).toEqual(categoriesIn(bodies[0]).filter((category) => category !== NEWEST))
    expect(categoriesIn(bodies[1])).toContain('transfer')
  })

  it('are asked for once more only, and not at all again when it is unknown what the bank did', async () => {
    const refusing = await clientTo(refusal(400, 'invalid_parameters'))
    await expect(createWebhooks(refusing.client).register(URL)).rejects.toThrow(RailUnavailable)
    expect(refusing.asked).toHaveLength(2)
    const failing = await clientTo({ status: 500 })
    await expect(createWebhooks(failing.client).register(URL)).rejects.toThrow(RailUnavailable)
    expect(failing.asked).toHaveLength(1)
  })
})
