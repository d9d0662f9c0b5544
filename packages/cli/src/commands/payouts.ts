// Payouts that there are.
import type { Payout, PayoutQuery } from '@kestrel/sdk'

import { countOf } from '../amount.ts'
import type { Context } from '../command.ts'
import type { Exit } from '../failure.ts'
import { PAYOUT_COLUMNS, exitOf, showPayout, statusLine } from '../payout-words.ts'
import { watch } from '../watch.ts'

export async function list(context: Context): Promise<void> {
  const limit = countOf(context.option('limit'), { name: 'limit', usual: 20, most: 10_000 })
  const texts = {
    status: context.option('status')?.split(','),
    q: context.option('search'),
    reference: context.option('reference'),
    idempotency_key: context.option('idempotency-key'),
    failure_code: context.option('failure-code'),
    created_from: context.option('from'),
    created_to: context.option('to'),
  }
  const kestrel = await context.client()
  const payouts = await kestrel.payouts.list(texts as PayoutQuery, { signal: context.around.signal }).first(limit)
  context.out.table(payouts, PAYOUT_COLUMNS, 'No payouts.')
}

export async function get(context: Context): Promise<void> {
  const kestrel = await context.client()
  showPayout(context.out, await kestrel.payouts.retrieve(context.args[0]!, { signal: context.around.signal }))
}

export async function cancel(context: Context): Promise<void> {
  const kestrel = await context.client()
  showPayout(context.out, await kestrel.payouts.cancel(context.args[0]!, { signal: context.around.signal }))
}

export async function follow(context: Context): Promise<Exit> {
  const timeoutMs = countOf(context.option('timeout'), { name: 'timeout', usual: 120, most: 86_400 }) * 1_000
  const { out, around } = context
  const kestrel = await context.client()
  const onChange = (now: Payout) => out.line(now, statusLine(now))
  return exitOf(await watch(kestrel, context.args[0]!, { timeoutMs, signal: around.signal, onChange }))
}
