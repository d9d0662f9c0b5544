import { ApiError, type ApiKeyList, type Kestrel } from '@kestrel/sdk'

import type { Context } from '../command.ts'

type ApiKey = ApiKeyList['data'][number]

export async function run(context: Context): Promise<void> {
  const { out, around } = context
  const { key, url, keyFrom } = context.settings()
  const kestrel = await context.client()
  const account = await kestrel.account.retrieve({ signal: around.signal })
  const own = await ownKey(kestrel, key, around.signal)
  const answer = {
    object: 'whoami',
    account: { id: account.id, name: account.name, status: account.status },
    environment: account.environment,
    url,
    key: own === null ? null : { id: own.id, prefix: own.key_prefix, label: own.label, scopes: own.scopes },
    key_from: keyFrom,
  }
  out.record(answer, [
    ['Account', `${account.name} (${account.status})`],
    ['Environment', account.environment],
    ['Address', url],
    ['Key', own === null ? null : `${own.key_prefix}…${own.label === null ? '' : ` (${own.label})`}`],
    ['Scopes', own?.scopes.join(', ')],
    ['Expires', own?.expires_at],
    ['Payouts', account.payouts_pause == null ? null : `paused since ${account.payouts_pause.paused_at}`],
    ['Key from', keyFrom],
  ])
}

/** What the service says of the key that asks; null if it may not read that. */
export async function ownKey(kestrel: Kestrel, key: string, signal: AbortSignal): Promise<ApiKey | null> {
  try {
    const keys = await kestrel.keys.list({ signal }).page()
    const own = keys.data.filter((each) => key.startsWith(each.key_prefix) && each.revoked_at === null)
    // The start of a key is not the key: two that begin alike cannot be told apart here.
    return own.length === 1 ? own[0]! : null
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return null
    throw error
  }
}
