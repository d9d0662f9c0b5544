// A request of the log as a command that makes it again, as far as it may be told.
import type { LookedIntoEntry } from '../../domain/activity/read-activity.ts'
import { sessionCookieName } from '../access/session-cookie.ts'

/** Null for an action that was no request. */
export function curlOf({ entry, bodies }: LookedIntoEntry, publicUrl: string): string | null {
  const { method, path, keyId } = entry
  if (method === null || path === null) return null
  const query = bodies?.query == null ? '' : `?${bodies.query}`
  const body = bodyOption(bodies)
  // A curl with a body is a POST by itself.
  const verb = method === (body === null ? 'GET' : 'POST') ? '' : method === 'HEAD' ? ' -I' : ` -X ${method}`
  const headers = Object.entries(headersOf(bodies)).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
  return [
    `curl${verb} ${quoted(`${publicUrl}${path}${query}`)}`,
    ...callerOptions(keyId, method, publicUrl),
    ...(bodies?.idempotencyKey == null ? [] : [`-H ${quoted(`Idempotency-Key: ${bodies.idempotencyKey}`)}`]),
    ...headers,
    ...(body === null ? [] : [body]),
  ].join(' \\\n  ')
}

function callerOptions(keyId: string | null, method: string, publicUrl: string): string[] {
  if (keyId !== null) return ['-H "Authorization: Bearer $KESTREL_API_KEY"']
  const origin = method === 'GET' || method === 'HEAD' ? [] : [`-H "Origin: ${new URL(publicUrl).origin}"`]
  return [`-b "${sessionCookieName(publicUrl)}=$SESSION"`, ...origin]
}

/** What is not kept whole has to be given from a file. */
function bodyOption(bodies: LookedIntoEntry['bodies']): string | null {
  if (bodies === null) return null
  if (bodies.isRequestCut || bodies.requestLeftOut !== null) return '--data-binary @body'
  return bodies.requestBody === null ? null : `-d ${quoted(bodies.requestBody)}`
}

export function headersOf(bodies: LookedIntoEntry['bodies']): Record<string, string> {
  return bodies?.headers == null ? {} : (JSON.parse(bodies.headers) as Record<string, string>)
}

/** For a shell: nothing in single quotes means anything. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
