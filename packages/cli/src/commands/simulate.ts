import type { SimulateRequest } from '@kestrel/sdk'

import type { Context } from '../command.ts'
import { showPayout } from '../payout-words.ts'
import { sandboxOnly } from '../settings.ts'

export async function run(context: Context): Promise<void> {
  sandboxOnly(context.settings(), 'simulate')
  const [id = '', outcome] = context.args
  const reason = context.option('reason')
  const body = { outcome, ...(reason === undefined ? {} : { reason }) } as SimulateRequest
  const kestrel = await context.client()
  showPayout(context.out, await kestrel.sandbox.simulate(id, body, { signal: context.around.signal }))
}
