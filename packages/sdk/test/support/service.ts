// The service with a partner of its own, a proxy in front of it, and a client that asks through the proxy.
import { Kestrel, type KestrelOptions } from '../../src/index.ts'
import { type TestApp, startTestApp } from '../../../server/test/support/app.ts'
import { type TestPartner, aPartner } from '../../../server/test/support/fixtures.ts'
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts'

export interface SdkService {
  readonly test: TestApp
  readonly url: string
  readonly proxy: FaultyProxy
  readonly partner: TestPartner
  client(options?: Partial<KestrelOptions>): Kestrel
  close(): Promise<void>
}

export async function startSdkService(usdc?: string): Promise<SdkService> {
  const test = await startTestApp()
  const url = await test.app.listen({ host: '127.0.0.1', port: 0 })
  const proxy = await startFaultyProxy(url)
  const partner = await aPartner(test, usdc === undefined ? {} : { usdc })
  return {
    test,
    url,
    proxy,
    partner,
    client: (options) => new Kestrel({ apiKey: partner.key, baseUrl: proxy.url, ...options }),
    close: async () => {
      await proxy.close()
      // A connection that was opened for a call, and given up before anything was sent, would be waited for.
      test.app.server.closeAllConnections()
      await test.close()
    },
  }
}

export const BODY = {
  amount_gbp: '25.00',
  reference: 'Invoice 1042',
  recipient: {
    first_name: 'Amara',
    last_name: 'Okafor',
    address: { line1: '1 High Street', city: 'Leeds', postal_code: 'LS1 4AP' },
    bank: { bank_name: 'Monzo', sort_code: '040004', account_number: '12345678' },
  },
} as const
