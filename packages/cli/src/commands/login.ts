// Stores a key after the service has accepted it.
import { Kestrel } from '@kestrel/sdk'

import type { Context } from '../command.ts'
import { misuse } from '../failure.ts'
import {
  USUAL_URL,
  checkLiveAddress,
  credentialsPath,
  environmentOf,
  readCredentials,
  storeCredentials,
} from '../settings.ts'

export async function run(context: Context): Promise<void> {
  const { around, out } = context
  const url = (context.option('url') || around.env['KESTREL_URL'] || USUAL_URL).replace(/\/+$/, '')
  const key = await keyToStore(context)
  const environment = environmentOf(key, 'What you gave')
  if (environment === 'live' && !context.has('live')) {
    throw misuse('That is a live key: it moves real money. Add --live if you mean to store it.')
  }
  if (environment === 'live') checkLiveAddress(context.option('url') || around.env['KESTREL_URL'])
  if (environment === 'sandbox' && context.has('live')) throw misuse('--live is given, and that is a sandbox key.')
  const kestrel = new Kestrel({ apiKey: key, baseUrl: url, fetch: around.fetch })
  const account = await kestrel.account.retrieve({ signal: around.signal })
  storeCredentials(around, { ...readCredentials(around), [environment]: { key, url } })
  out.record({ object: 'login', account: { id: account.id, name: account.name }, environment, url }, [
    ['Account', account.name],
    ['Environment', environment],
    ['Address', url],
    ['Kept in', credentialsPath(around)],
  ])
}

async function keyToStore(context: Context): Promise<string> {
  const given = context.option('key') ?? context.around.env['KESTREL_KEY']
  if (given) return given.trim()
  if (context.around.isInteractive) return context.around.ask('API key (it is not shown): ', { isHidden: true })
  const piped = (await context.around.readInput()).trim()
  if (piped === '') throw misuse('There is no key. Pipe it in, set KESTREL_KEY, or give --key.')
  return piped
}
