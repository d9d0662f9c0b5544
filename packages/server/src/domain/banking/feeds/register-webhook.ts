// Tells the bank where to send its messages, once per address.
import type { Environment } from '@kestrel/contract'

import { findBankWebhook, keepBankWebhook } from '../../../storage/bank-events.ts'
import type { Deps } from '../../deps.ts'

export function webhookPath(environment: Environment): string {
  return `/v1/bank/webhooks/${environment}`
}

export async function registerWebhook(deps: Deps, environment: Environment, publicUrl: string): Promise<void> {
  const webhooks = deps.banks[environment]?.webhooks ?? null
  if (webhooks === null) return
  const url = publicUrl + webhookPath(environment)
  const existing = await findBankWebhook(deps.db, environment)
  if (existing?.url === url) return
  const registered = await webhooks.register(url)
  await deps.db.inTransaction(async (tx) => keepBankWebhook(tx, environment, { ...registered, url }, deps.clock.now()))
  if (existing !== null) await webhooks.remove(existing.webhookRef)
}
