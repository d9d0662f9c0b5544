// The whole service as a visitor meets it: the API with its pages on a real port, the worker, the sandbox bank.
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'

import { expect, vi } from 'vitest'

import { UNNAMED_OPERATOR } from '../../../../server/src/core/operator.ts'
import { type TestApp, startTestApp } from '../../../../server/test/support/app.ts'
import { type TestBank, startTestBank } from '../../../../server/test/support/bank.ts'
import {
  accountOf,
  type TestPartner,
  aPartner,
  anObligingRail,
  createPayout,
  get,
} from '../../../../server/test/support/fixtures.ts'

export interface Site extends TestApp {
  readonly bank: TestBank
  readonly url: string
}

export const MAILBOX_TOKEN = 'what-npm-start-would-print'

/** The operator's own bank details, as invoices have them. */
export const HOW_TO_PAY = 'Kestrel Payouts Ltd, sort code 04-00-75, account 87654321.'

export async function startSite(): Promise<Site> {
  const bank = await startTestBank()
  const port = await aFreePort()
  const url = `http://127.0.0.1:${port}`
  const app = await startTestApp({
    banks: { sandbox: bank.provider, live: null },
    sandboxControls: bank.controls,
    liveRail: anObligingRail(),
    dashboard: { mailboxToken: MAILBOX_TOKEN, contactEmail: 'help@kestrel.test' },
    publicUrl: url,
    operator: { ...UNNAMED_OPERATOR, paymentDetails: HOW_TO_PAY },
  })
  await app.app.listen({ host: '127.0.0.1', port })
  const loops = [app.service.worker(), app.service.listenToBank({ sandbox: url, live: url })]
  return {
    ...app,
    bank,
    url,
    close: async () => {
      for (const loop of loops) await loop.stop()
      await app.close()
      await bank.close()
    },
  }
}

async function aFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** A business with payouts of many endings, one of them held, so that its pages have something to show. */
export async function aBusyPartner(site: Site): Promise<TestPartner> {
  const partner = await aPartner(site, { usdc: '10000.00' })
  // What is made before the bank is there cannot be simulated later.
  await vi.waitFor(async () => expect((await get(site, partner, '/v1/account')).json().rail).toBe('provider_sandbox'), {
    timeout: 60_000,
    interval: 200,
  })
  const people = ['Amara Okafor', 'Tom Ellis', 'Priya Nair', 'Hannah Whitfield', 'Callum Reid']
  const references = ['Invoice 1042', 'sandbox:return', 'sandbox:fail', 'sandbox:hold', 'October wages']
  for (const [index, reference] of references.entries()) {
    const [first_name = '', last_name = ''] = (people[index] ?? '').split(' ')
    const reply = await createPayout(site, partner, {
      amount_gbp: `${120 + index * 61}.50`,
      reference,
      recipient: aPayee({ first_name, last_name }),
    })
    if (reply.statusCode !== 201) throw new Error(reply.body)
  }
  await vi.waitFor(
    async () => {
      const { data } = (await get(site, partner, '/v1/payouts')).json()
      const states = data.map(({ status }: { status: string }) => status).toSorted()
      expect(states).toEqual(['completed', 'completed', 'failed', 'processing', 'returned'])
    },
    { timeout: 60_000, interval: 500 },
  )
  return partner
}

export function aPayee({ first_name, last_name }: { first_name: string; last_name: string }) {
  return {
    first_name,
    last_name,
    address: { line1: '4 Mill Lane', city: 'Leeds', postal_code: 'LS1 4AP' },
    bank: {
      bank_name: 'Monzo',
      sort_code: '040004',
      account_number: accountOf(`${first_name} ${last_name}`, { sort_code: '040004', account_number: '12345678' }),
    },
  }
}
