// The cookies that carry a session, and by which a browser is recognised. Over https they have the prefix that browsers
// guard: no other host can set them.
import type { FastifyReply, FastifyRequest } from 'fastify'

export function sessionCookieName(publicUrl: string): string {
  return isSecure(publicUrl) ? '__Host-kestrel_session' : 'kestrel_session'
}

/** The session's token, or null. Two different ones count as none: nobody can tell which was meant. */
export function readSessionCookie(request: FastifyRequest, publicUrl: string): string | null {
  return readCookie(request, sessionCookieName(publicUrl))
}

export function browserCookieName(publicUrl: string): string {
  return isSecure(publicUrl) ? '__Host-kestrel_browser' : 'kestrel_browser'
}

/** The token that sign-in codes are bound to; null in a browser that has never asked for one. */
export function readBrowserCookie(request: FastifyRequest, publicUrl: string): string | null {
  return readCookie(request, browserCookieName(publicUrl))
}

/** Sent by our own pages only: nobody comes from elsewhere to sign in. */
export function setBrowserCookie(reply: FastifyReply, publicUrl: string, token: string, seconds: number): void {
  const attributes = [
    'Path=/',
    `Max-Age=${seconds}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(isSecure(publicUrl) ? ['Secure'] : []),
  ]
  reply.header('Set-Cookie', [`${browserCookieName(publicUrl)}=${token}`, ...attributes].join('; '))
}

function readCookie(request: FastifyRequest, name: string): string | null {
  const start = `${name}=`
  const values = (request.headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(start))
    .map((part) => part.slice(start.length))
  return new Set(values).size === 1 ? (values[0] ?? null) : null
}

export function setSessionCookie(reply: FastifyReply, publicUrl: string, token: string, seconds: number): void {
  reply.header('Set-Cookie', cookie(publicUrl, token, seconds))
}

export function clearSessionCookie(reply: FastifyReply, publicUrl: string): void {
  reply.header('Set-Cookie', cookie(publicUrl, '', 0))
}

function cookie(publicUrl: string, value: string, seconds: number): string {
  const attributes = ['Path=/', `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Lax']
  if (isSecure(publicUrl)) attributes.push('Secure')
  return [`${sessionCookieName(publicUrl)}=${value}`, ...attributes].join('; ')
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https://')
}
