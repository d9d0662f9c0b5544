// A key whose first call got no answer stays in doubt until somebody who knows the key answers.
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { ApiError, ConnectionError, OutcomeUnknownError } from '../src/index.ts'
import { changePartnerStatus } from '../../server/src/domain/partners/change-partner.ts'
import { BODY, type SdkService, startSdkService } from './support/service.ts'

let service: SdkService
beforeAll(async () => {
  service = await startSdkService()
})
afterAll(() => service.close())

/** Made, and the caller does not know. */
async function leaveInDoubt(idempotencyKey: string): Promise<void> {
  service.proxy.plan(['lost_answer'])
  const call = service.client({ maxRetries: 0 }).payouts.create(BODY, { idempotencyKey })
  await expect(call).rejects.toThrow(OutcomeUnknownError)
}

it('a business that was suspended meanwhile is not told that nothing was sent', async () => {
  await leaveInDoubt('doubt-of-suspended')
  await changePartnerStatus(service.test.deps, service.partner.slug, 'suspended')
  const repeat = service.client().payouts.create(BODY, { idempotencyKey: 'doubt-of-suspended' })
  await expect(repeat).rejects.toThrow(ApiError)
  await expect(repeat).rejects.toMatchObject({ code: 'partner_not_active', nothingWasSent: false })
  await changePartnerStatus(service.test.deps, service.partner.slug, 'active')
  const payout = await service.client().payouts.create(BODY, { idempotencyKey: 'doubt-of-suspended' })
  expect(payout.idempotency_key).toBe('doubt-of-suspended')
})

it('nor is whoever finds nobody at the address, unless no payout is asked for', async () => {
  await leaveInDoubt('doubt-of-unheard')
  const gone = createServer().listen(0, '127.0.0.1')
  await once(gone, 'listening')
  const baseUrl = `http://127.0.0.1:${(gone.address() as AddressInfo).port}`
  gone.close()
  await once(gone, 'close')
  const kestrel = service.client({ baseUrl, maxRetries: 0 })
  const repeat = kestrel.payouts.create(BODY, { idempotencyKey: 'doubt-of-unheard' })
  await expect(repeat).rejects.toThrow(ConnectionError)
  await expect(repeat).rejects.toMatchObject({ nothingWasSent: false })
  await expect(kestrel.balance.retrieve()).rejects.toMatchObject({ name: 'ConnectionError', nothingWasSent: true })
})

it('nor is whoever repeats it with a header that cannot be read, which is refused before the key is looked up', async () => {
  await leaveInDoubt('doubt-of-misread')
  const options = { idempotencyKey: 'doubt-of-misread', maxWalletDebitUsdc: '-1.00' } as const
  const repeat = service.client().payouts.create(BODY, options)
  await expect(repeat).rejects.toMatchObject({ code: 'invalid_header', nothingWasSent: false })
})
