import { createPublicKey, randomBytes, verify } from 'node:crypto'

import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'

import { newSecret } from './endpoint-secret.ts'
import { signedHeaders, signingKeys } from './sign.ts'

const SECRETS = { sealKey: randomBytes(32), fingerprintKey: randomBytes(32) }
const BODY = '{"type":"payout.completed","text":"£ ✓"}'
const ENDPOINT = '01a19b8a-0000-7e55-8f3a-0d5f3c2b7a92'
const signing = (...endpointSecrets: string[]) => ({ endpointId: ENDPOINT, endpointSecrets })
const message = (at = new Date(), body = BODY) => ({ id: '01a19b8a-0c10-7e55-8f3a-0d5f3c2b7a92', at, body })

/** As a receiver would, with nothing but the header and the public key. */
function isSignedBy(headers: ReturnType<typeof signedHeaders>, publicKey: string, body = BODY): boolean {
  const x = Buffer.from(publicKey.slice('whpk_'.length), 'base64').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const text = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
  const signatures = headers['webhook-signature'].split(' ').filter((each) => each.startsWith('v1a,'))
  return signatures.some((each) => verify(null, text, key, Buffer.from(each.slice(4), 'base64')))
}

describe('the signature v1', () => {
  it('is verified by the official library, and by nothing else', () => {
    const secret = newSecret()
    const headers = signedHeaders(SECRETS, signing(secret), message())
    expect(new Webhook(secret).verify(BODY, headers)).toEqual(JSON.parse(BODY))
    expect(() => new Webhook(newSecret()).verify(BODY, headers)).toThrow('No matching signature')
    expect(() => new Webhook(secret).verify(`${BODY} `, headers)).toThrow('No matching signature')
  })

  it('is there twice while a secret is rotated, once for each', () => {
    const [now, before] = [newSecret(), newSecret()]
    const headers = signedHeaders(SECRETS, signing(now, before), message())
    expect(new Webhook(now).verify(BODY, headers)).toBeTruthy()
    expect(new Webhook(before).verify(BODY, headers)).toBeTruthy()
  })

  it('is of this attempt: one that is older than five minutes is refused by the library', () => {
    const secret = newSecret()
    const old = signedHeaders(SECRETS, signing(secret), message(new Date(Date.now() - 6 * 60_000)))
    expect(() => new Webhook(secret).verify(BODY, old)).toThrow('timestamp too old')
  })
})

describe('the signature v1a', () => {
  it('is verified with the public key alone', () => {
    const [key] = signingKeys(SECRETS, ENDPOINT)
    const headers = signedHeaders(SECRETS, signing(newSecret()), message())
    expect(isSignedBy(headers, key!.publicKey)).toBe(true)
    expect(isSignedBy(headers, key!.publicKey, `${BODY} `)).toBe(false)
    expect(
      isSignedBy(headers, signingKeys({ ...SECRETS, fingerprintKey: randomBytes(32) }, ENDPOINT)[0]!.publicKey),
    ).toBe(false)
  })

  it('is the endpoint’s own: what one is sent, another does not take', () => {
    const headers = signedHeaders(SECRETS, signing(newSecret()), message())
    const [another] = signingKeys(SECRETS, '01a19b8a-0001-7e55-8f3a-0d5f3c2b7a92')
    expect(isSignedBy(headers, another!.publicKey)).toBe(false)
  })

  it('is there by the old and the new key while the operator changes keys', () => {
    const changing = { ...SECRETS, fingerprintKey: randomBytes(32), olderFingerprintKeys: [SECRETS.fingerprintKey] }
    const headers = signedHeaders(changing, signing(newSecret()), message())
    expect(signingKeys(changing, ENDPOINT)).toHaveLength(2)
    for (const { publicKey } of [...signingKeys(changing, ENDPOINT), ...signingKeys(SECRETS, ENDPOINT)]) {
      expect(isSignedBy(headers, publicKey)).toBe(true)
    }
  })

  it('is the same in every process of an installation', () => {
    const copy = { sealKey: randomBytes(32), fingerprintKey: Buffer.from(SECRETS.fingerprintKey) }
    expect(signingKeys(copy, ENDPOINT)[0]!.publicKey).toBe(signingKeys(SECRETS, ENDPOINT)[0]!.publicKey)
  })
})
