// The real service with a partner in sandbox and live, and a proxy in front of it that can lose answers.
import { type FaultyProxy, startFaultyProxy } from '../../../sdk/test/support/faulty-proxy.ts'
import { type TestApp, startTestApp } from '../../../server/test/support/app.ts'
import { type TestPartner, aPartner, anObligingRail, inLive } from '../../../server/test/support/fixtures.ts'

export interface CliService {
  readonly test: TestApp
  readonly url: string
  readonly proxy: FaultyProxy
  readonly partner: TestPartner
  readonly live: TestPartner
  close(): Promise<void>
}

export async function startCliService(): Promise<CliService> {
  const test = await startTestApp({ liveRail: anObligingRail() })
  const url = await test.app.listen({ host: '127.0.0.1', port: 0 })
  const proxy = await startFaultyProxy(url)
  const partner = await aPartner(test)
  return {
    test,
    url,
    proxy,
    partner,
    live: await inLive(test, partner, '500.00'),
    close: async () => {
      await proxy.close()
      await test.close()
    },
  }
}

export const RECIPIENT = {
  first_name: 'Amara',
  last_name: 'Okafor',
  address: { line1: '1 High Street', city: 'Leeds', postal_code: 'LS1 4AP' },
  bank: { bank_name: 'Monzo', sort_code: '040004', account_number: '12345678' },
}
