// The curl samples of operations that need a session: the cookie's value is in $SESSION.
import { browserCookieName, sessionCookieName } from './session-cookie.ts'

const JSON_HEADER = '-H "Content-Type: application/json"'

/** A sample that needs no session. */
export function openSample(base: string, path: string, body?: string): string {
  return [`curl ${base}${path}`, ...(body === undefined ? [] : [JSON_HEADER, `-d ${body}`])].join(' \\\n  ')
}

/** A sample from the browser that asked for a code, whose cookie is in $BROWSER. */
export function browserSample(base: string, path: string, body: string): string {
  const cookie = `-b "${browserCookieName(base)}=$BROWSER"`
  return [`curl ${base}${path}`, cookie, JSON_HEADER, `-d ${body}`].join(' \\\n  ')
}

export function sessionSample(
  base: string,
  path: string,
  options: { method?: 'POST' | 'PATCH' | 'PUT' | 'DELETE'; body?: string } = {},
): string {
  const { method, body } = options
  return [
    `curl ${base}${path}${method === undefined ? '' : ` -X ${method}`}`,
    `-b "${sessionCookieName(base)}=$SESSION"`,
    ...(method === undefined ? [] : [`-H "Origin: ${new URL(base).origin}"`]),
    ...(body === undefined ? [] : [JSON_HEADER, `-d ${body}`]),
  ].join(' \\\n  ')
}
