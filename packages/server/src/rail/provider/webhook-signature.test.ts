// The documented rule and no other: RSA with SHA-256 over the SHA-256 of "time.body", from no earlier than ten minutes
// ago. The key pair is made here.
import { createHash, generateKeyPairSync, sign } from 'node:crypto'

import { describe, expect, it } from 'vitest'

import { WebhookRefused, WebhookUnreadable } from '../port.ts'
import { readWebhook } from './webhook-signature.ts'

const NOW = new Date('2026-11-02T10:00:00.000Z')
const MINUTE_MS = 60_000
const keyPair = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
const { publicKey, privateKey } = keyPair()

const EVENT = {
  api_version: 'v0',
  event_id: 'evt_1',
  event_category: 'transfer',
  event_type: 'transfer.updated.status_transitioned',
  event_object_id: '5d0c1a2b-0000-4000-8000-000000000001',
  event_object_status: 'payment_processed',
  event_object: { note: 'Zoë £ 25.00 ✓' },
  event_created_at: '2026-11-02T09:59:59.000Z',
}
const BODY = JSON.stringify(EVENT)

const sha256 = (text: string) => createHash('sha256').update(text).digest()

function signed(body = BODY, at = NOW, key = privateKey): string {
  const t = at.getTime()
  return `t=${t},v0=${sign('sha256', sha256(`${t}.${body}`), key).toString('base64')}`
}

function read(signature: string | undefined, body: string | Buffer = BODY, key = publicKey) {
  return readWebhook({ signature, body: Buffer.from(body), publicKey: key, now: NOW })
}

describe('a message of the bank', () => {
  it.each(['event_id', 'event_category', 'event_object_id'])(
    'is the bank’s, and cannot be read, when %s cannot be kept',
    (field) => {
      for (const word of ['', 'evt\u0000', '\ud800', 'x'.repeat(201)]) {
        const body = JSON.stringify({ ...EVENT, [field]: word })
        expect(() => read(signed(body), body)).toThrow(WebhookUnreadable)
      }
    },
  )

  it('is taken with the hash taken twice, as documented', () => {
    expect(read(signed())).toEqual({
      eventId: 'evt_1',
      category: 'transfer',
      objectRef: EVENT.event_object_id,
      happenedAt: new Date(EVENT.event_created_at),
      state: 'payment_processed',
    })
  })

  it.each([undefined, null, '', 'soon', 5, {}, '1999-12-31T23:59:59Z', '2100-01-01T00:00:00Z', 'x\u0000'])(
    'is taken although it says that it happened at %j',
    (event_created_at) => {
      const body = JSON.stringify({ ...EVENT, event_created_at })
      expect(read(signed(body), body)).toMatchObject({ eventId: 'evt_1', happenedAt: null })
    },
  )

  it.each([undefined, null, '', 5, {}, 'x\u0000'])('is taken although it says that the state is %j', (status) => {
    const body = JSON.stringify({ ...EVENT, event_object_status: status })
    expect(read(signed(body), body)).toMatchObject({ eventId: 'evt_1', state: null })
  })

  it('is refused with the hash taken once, or over its hexadecimal form', () => {
    const t = NOW.getTime()
    const once = sign('sha256', Buffer.from(`${t}.${BODY}`), privateKey).toString('base64')
    const hex = sign('sha256', Buffer.from(sha256(`${t}.${BODY}`).toString('hex')), privateKey).toString('base64')
    expect(() => read(`t=${t},v0=${once}`)).toThrow(WebhookRefused)
    expect(() => read(`t=${t},v0=${hex}`)).toThrow(WebhookRefused)
  })

  it('is refused when it was signed with another key', () => {
    expect(() => read(signed(BODY, NOW, keyPair().privateKey))).toThrow(WebhookRefused)
    expect(() => read(signed(), BODY, keyPair().publicKey)).toThrow(WebhookRefused)
  })

  it('is refused when any one byte of it is another', () => {
    const signature = signed()
    const bytes = Buffer.from(BODY)
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes)
      changed[index] = changed[index]! ^ 1
      expect(() => read(signature, changed), `byte ${index}`).toThrow(WebhookRefused)
    }
  })

  it('is refused when it is longer, shorter or empty', () => {
    for (const body of [`${BODY}\n`, ` ${BODY}`, BODY.slice(0, -1), '']) {
      expect(() => read(signed(), body)).toThrow(WebhookRefused)
    }
  })

  it('is refused when the same JSON is written differently', () => {
    const spaced = JSON.stringify(EVENT, null, 1)
    const turned = JSON.stringify(Object.fromEntries(Object.entries(EVENT).toReversed()))
    const escaped = BODY.replace('ë', '\\u00eb')
    expect([spaced, turned, escaped].map((text) => JSON.parse(text) as unknown)).toEqual([EVENT, EVENT, EVENT])
    for (const body of [spaced, turned, escaped]) expect(() => read(signed(), body)).toThrow(WebhookRefused)
  })

  it('is refused when the time in the header is not the time that was signed', () => {
    const later = signed().replace(/^t=\d+/, `t=${NOW.getTime() + 1}`)
    expect(() => read(later)).toThrow(WebhookRefused)
  })
})

describe('the age of a message', () => {
  const from = (ms: number) => () => read(signed(BODY, new Date(NOW.getTime() + ms)))

  it('may be ten minutes and no more', () => {
    expect(from(-10 * MINUTE_MS)()).toMatchObject({ eventId: 'evt_1' })
    expect(from(-10 * MINUTE_MS - 1)).toThrow(WebhookRefused)
    expect(from(-365 * 24 * 60 * MINUTE_MS)).toThrow(WebhookRefused)
  })

  it('may be five minutes ahead of our clock and no more', () => {
    expect(from(5 * MINUTE_MS)()).toMatchObject({ eventId: 'evt_1' })
    expect(from(5 * MINUTE_MS + 1)).toThrow(WebhookRefused)
  })
})

describe('a signature', () => {
  const good = signed()
  const [t, v0] = good.split(',') as [string, string]

  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['only a time', t],
    ['only a signature', v0],
    ['of another version', good.replace('v0=', 'v1=')],
    ['with the signature first', `${v0},${t}`],
    ['twice', `${good}, ${good}`],
    ['with something behind it', `${good},v1=AAAA`],
    ['with a time in words', `t=now,${v0}`],
    ['with a time below zero', `t=-${NOW.getTime()},${v0}`],
    ['with a time in seconds', `t=${Math.floor(NOW.getTime() / 1_000)},${v0}`],
    ['with a time beyond all numbers', `t=${'9'.repeat(400)},${v0}`],
    ['that is not base64', `${t},v0=${'!'.repeat(344)}`],
    ['that is empty', `${t},v0=`],
    ['that is too short', `${t},v0=${'A'.repeat(20)}`],
    ['that is all zeros', `${t},v0=${Buffer.alloc(256).toString('base64')}`],
    ['that is too long', `${t},v0=${Buffer.alloc(512, 1).toString('base64')}`],
  ])('that is %s is refused', (_, signature) => {
    expect(() => read(signature)).toThrow(WebhookRefused)
  })
})

describe('a signed message that says nothing', () => {
  it.each([
    ['is not JSON', 'hello'],
    ['is empty', ''],
    ['is null', 'null'],
    ['is a list', '[]'],
    ['has no event id', JSON.stringify({ ...EVENT, event_id: undefined })],
    ['has an event id that is a number', JSON.stringify({ ...EVENT, event_id: 1 })],
    ['has no category', JSON.stringify({ ...EVENT, event_category: null })],
    ['has no object', JSON.stringify({ ...EVENT, event_object_id: '' })],
    ['has NUL in its event id', JSON.stringify({ ...EVENT, event_id: 'evt\u0000' })],
    ['has half a character in its object', JSON.stringify({ ...EVENT, event_object_id: 'tr\ud800' })],
    ['has a category that is too long', JSON.stringify({ ...EVENT, event_category: 'x'.repeat(201) })],
  ])('because it %s is the bank’s, and cannot be read', (_, body) => {
    expect(() => read(signed(body), body)).toThrow(WebhookUnreadable)
  })
})
