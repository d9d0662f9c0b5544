import type { Context } from '../command.ts'
import { credentialsPath, readCredentials, storeCredentials } from '../settings.ts'

export async function run(context: Context): Promise<void> {
  const { around, out } = context
  const environment = context.has('live') ? 'live' : 'sandbox'
  const { [environment]: gone, ...rest } = readCredentials(around)
  if (gone !== undefined) storeCredentials(around, rest)
  const words = gone === undefined ? `There was no stored ${environment} key.` : `The ${environment} key is forgotten.`
  out.line({ object: 'logout', environment, was_stored: gone !== undefined }, words)
  out.note(`It goes on working elsewhere; revoke it in the dashboard. File: ${credentialsPath(around)}`)
}
