// A receiver believes what the service signs, and nothing else.
import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Event, Kestrel, type Money, type WebhookHeaders, WebhookVerificationError } from '../src/index.ts'
import { startReceiver, type Receiver } from '../../server/test/support/receiver.ts'
import { type SdkService, startSdkService } from './support/service.ts'

const SECRET = `whsec_${randomBytes(32).toString('base64')}`
const OTHER = `whsec_${randomBytes(32).toString('base64')}`
const BODY = JSON.stringify({ object: 'event', type: 'payout.completed', data: { name: 'Zoë £' } })
const ID = '01a19b8a-d7c6-7269-bef2-a74de452e6b4'

function signed(secret = SECRET, body = BODY, at = new Date()): Record<string, string> {
  return {
    'webhook-id': ID,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(ID, at, body),
  }
}

const verify = Kestrel.webhooks.verify

describe('webhooks.verify', () => {
  it('answers the event of what the official library signed, from text or bytes', async () => {
    expect(await verify(BODY, signed(), SECRET)).toEqual(JSON.parse(BODY))
    expect(await verify(new TextEncoder().encode(BODY), new Headers(signed()), SECRET)).toEqual(JSON.parse(BODY))
    const { 'webhook-id': id, ...others } = signed()
    expect(await verify(BODY, { 'Webhook-Id': [id!], ...others }, SECRET)).toEqual(JSON.parse(BODY))
  })

  it('takes several secrets, and several signatures, as in a rotation', async () => {
    expect(await verify(BODY, signed(OTHER), [SECRET, OTHER])).toEqual(JSON.parse(BODY))
    const both = `v1a,AAAA ${signed(OTHER)['webhook-signature']} ${signed()['webhook-signature']}`
    expect(await verify(BODY, { ...signed(), 'webhook-signature': both }, SECRET)).toEqual(JSON.parse(BODY))
  })

  const late = (seconds: number) => signed(SECRET, BODY, new Date(Date.now() + seconds * 1_000))
  const without = (name: string) => Object.fromEntries(Object.entries(signed()).filter(([each]) => each !== name))
  const refused: readonly [string, string, WebhookHeaders, string | string[]][] = [
    ['another secret', BODY, signed(OTHER), SECRET],
    ['another body', `${BODY} `, signed(), SECRET],
    ['another id', BODY, { ...signed(), 'webhook-id': 'other' }, SECRET],
    ['an old one', BODY, late(-400), SECRET],
    ['one of the future', BODY, late(400), SECRET],
    ['a time that is none', BODY, { ...signed(), 'webhook-timestamp': 'now' }, SECRET],
    ['no signature', BODY, without('webhook-signature'), SECRET],
    ['no time', BODY, without('webhook-timestamp'), SECRET],
    ['no id', BODY, without('webhook-id'), SECRET],
    ['a signature of another kind', BODY, { ...signed(), 'webhook-signature': 'v1a,AAAA' }, SECRET],
    ['a signature that is no Base64', BODY, { ...signed(), 'webhook-signature': 'v1,§§§' }, SECRET],
    ['no secrets', BODY, signed(), []],
    ['a secret that is none', BODY, signed(), 'secret'],
    ['an empty secret', BODY, signed(), 'whsec_'],
  ]
  it.each(refused)('refuses %s', async (_name, body, headers, secrets) => {
    await expect(verify(body, headers, secrets)).rejects.toThrow(WebhookVerificationError)
  })

  it('refuses a body that was parsed already, and says so', async () => {
    await expect(verify(JSON.parse(BODY), signed(), SECRET)).rejects.toThrow(/as it came/)
  })

  it('refuses what is old also with a tolerance that is no number', async () => {
    const check = verify(BODY, late(-400), SECRET, { toleranceSeconds: Number.NaN })
    await expect(check).rejects.toThrow(WebhookVerificationError)
  })

  it.each([undefined, null, '', 'whsec_', 'whsec_§', 'secret'])('goes on to the next secret after %j', async (bad) => {
    expect(await verify(BODY, signed(), [bad as string, SECRET])).toEqual(JSON.parse(BODY))
    await expect(verify(BODY, signed(), [bad as string])).rejects.toThrow(WebhookVerificationError)
  })

  it('reads the Headers of another realm', async () => {
    const values = new Map(Object.entries(signed()))
    const foreign = { get: (name: string) => values.get(name) ?? null } as unknown as Headers
    expect(await verify(BODY, foreign, SECRET)).toEqual(JSON.parse(BODY))
  })

  it('allows for a clock as wrong as the caller says', async () => {
    expect(await verify(BODY, late(-400), SECRET, { toleranceSeconds: 500 })).toEqual(JSON.parse(BODY))
  })
})

/** Compiles only where `type` says what `data` is. */
function amountIn(event: Event): Money | null {
  if (event.type === 'payout.completed' || event.type === 'payout.returned') return event.data.amount_gbp
  if (event.type === 'invoice.paid') return event.data.total_gbp
  if (event.type === 'deposit.received' || event.type === 'balance.low') return event.data.usdc
  return null
}

describe('an event', () => {
  it('has the data of its type, and a type that is not known is no error', async () => {
    const read = async (event: object) => {
      const body = JSON.stringify(event)
      return amountIn(await verify(body, signed(SECRET, body), SECRET))
    }
    expect(await read({ type: 'payout.completed', data: { amount_gbp: '25.00' } })).toBe('25.00')
    expect(await read({ type: 'balance.low', data: { usdc: '20.00' } })).toBe('20.00')
    expect(await read({ type: 'payout.celebrated', data: {} })).toBe(null)
  })
})

describe('a webhook of the service', () => {
  let service: SdkService
  let receiver: Receiver
  beforeAll(async () => {
    service = await startSdkService()
    receiver = await startReceiver()
  })
  afterAll(async () => {
    await receiver.close()
    await service.close()
  })

  it('is verified with the secret of its endpoint, and with the next one after a rotation', async () => {
    const kestrel = service.client()
    const { id, secret } = await kestrel.webhookEndpoints.create({ url: receiver.url, events: ['*'] })
    const { headers, body } = await kestrel.webhookEndpoints.test(id)
    expect(await verify(body, headers, secret)).toMatchObject({ object: 'event', type: 'ping' })
    const next = await kestrel.webhookEndpoints.rotateSecret(id)
    const later = await kestrel.webhookEndpoints.test(id, { type: 'payout.completed' })
    for (const each of [secret, next.secret]) {
      expect(await verify(later.body, later.headers, each)).toMatchObject({ type: 'payout.completed' })
    }
  })
})
