// The cookie that carries a session. Over https it has the prefix that browsers guard: no other host can set it.
import type { FastifyReply, FastifyRequest } from 'fastify'

export function sessionCookieName(publicUrl: string): string {
  return isSecure(publicUrl) ? '__Host-kestrel_session' : 'kestrel_session'
}

/** The session's token, or null. Two different ones are none: nobody can tell which one was meant. */
export function readSessionCookie(request: FastifyRequest, publicUrl: string): string | null {
  const start = `${sessionCookieName(publicUrl)}=`
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
