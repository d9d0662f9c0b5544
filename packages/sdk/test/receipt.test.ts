// The verifier of receipts on links as the service prints them.
import { afterAll, beforeAll, expect, it } from 'vitest'

import { receiptToken } from '../../server/src/core/receipt-token.ts'
import { platformKey } from '../../server/src/domain/audit/platform-keys.ts'
import { type SigningKeys, verifyReceipt } from '../src/verify.ts'
import { type SdkService, startSdkService } from './support/service.ts'

let service: SdkService
let keys: SigningKeys
let token: string
const PAYOUT = '01a19b8a-d7c6-7269-bef2-a74de452e6b4'
const CREATED = '2026-11-02T09:15:30.118Z'
beforeAll(async () => {
  service = await startSdkService()
  const answer = await fetch(`${service.url}/.well-known/kestrel-signing-keys`)
  keys = ((await answer.json()) as { data: SigningKeys }).data
  token = signed(5n, 'live')
})
afterAll(() => service.close())

const signed = (pence: bigint, environment: 'sandbox' | 'live') =>
  receiptToken(platformKey(service.test.deps.secrets), {
    environment,
    partnerId: service.partner.id,
    payoutId: PAYOUT,
    amount: pence as never,
    createdAt: new Date(CREATED),
  })

it('says what was signed, of a link or of its last part', async () => {
  const says = { isSigned: true, key_id: keys[0]!.id, payout_id: PAYOUT, created_at: CREATED }
  for (const link of [
    token,
    ` ${token}\n`,
    `${service.url}/receipts/${token}`,
    `${service.url}/receipts/${token}/?from=mail#top`,
  ]) {
    expect(await verifyReceipt(link, { keys })).toEqual({ ...says, environment: 'live', amount_gbp: '0.05' })
  }
  const large = await verifyReceipt(signed(123_456_789n, 'sandbox'), { keys })
  expect(large).toEqual({ ...says, environment: 'sandbox', amount_gbp: '1234567.89' })
})

it('takes no link with a changed byte, of another key, or without keys, and does not throw', async () => {
  const bytes = Buffer.from(token, 'base64url')
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at]! ^= 1
    expect(await verifyReceipt(changed.toString('base64url'), { keys }), `byte ${at}`).toEqual({ isSigned: false })
  }
  const other = keys.map((key) => ({ ...key, public_key: `kspk_${Buffer.alloc(32, 7).toString('base64')}` }))
  for (const given of [other, [], [{ id: keys[0]!.id, public_key: '?' }]]) {
    expect(await verifyReceipt(token, { keys: given })).toEqual({ isSigned: false })
  }
  const spare = token.slice(0, -1) + { A: 'B', Q: 'R', g: 'h', w: 'x' }[token.slice(-1)]!
  for (const link of [
    spare,
    `https://k/#/${token}`,
    '',
    'https://example.com/receipts/',
    token.slice(1),
    `${token}A`,
    'A'.repeat(158),
  ]) {
    expect(await verifyReceipt(link, { keys })).toEqual({ isSigned: false })
  }
})
