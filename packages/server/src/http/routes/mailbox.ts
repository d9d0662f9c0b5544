// The mailbox, where there is no mail server: readable on this machine by somebody who has seen its terminal, because
// codes are in it.
import type { FastifyReply, FastifyRequest } from 'fastify'

import { notFound } from '../../core/errors.ts'
import { isSameText } from '../../core/same-text.ts'
import { type KeptMail, readMailbox } from '../../domain/mail/read-mailbox.ts'
import { isFromThisMachine } from '../access/this-machine.ts'
import { closedPage, listPage } from './mailbox-pages.ts'
import type { RouteContext } from './route-context.ts'

const HTML = 'text/html; charset=utf-8'
const LIST_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; frame-ancestors 'none'"
/** A mail is shown as a mail program would: no scripts, nothing fetched, no way out. */
const MAIL_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox allow-popups; frame-ancestors 'self'"
const PDF_POLICY = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"
const COOKIE = 'kestrel_mailbox'
/** The longest that a browser keeps a cookie: the token itself lasts as long as the data directory. */
const COOKIE_SECONDS = 400 * 24 * 60 * 60

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

export function addMailboxRoutes({ app, deps, dashboard }: RouteContext): void {
  const { mailboxToken: token } = dashboard
  if (token === null) return
  const open = { config: { auth: 'none' }, schema: { hide: true } as object } as const
  const guarded = (answer: Handler): Handler => {
    return async (request, reply) => {
      if (!isFromThisMachine(request)) throw notFound()
      if (shownToken(request) === token) return answer(request, reply)
      return reply.code(403).type(HTML).header('Content-Security-Policy', LIST_POLICY).send(closedPage())
    }
  }
  const shownToken = (request: FastifyRequest) => {
    const shown = tokenIn(request)
    return shown !== null && isSameText(shown, token) ? token : null
  }
  app.get('/mailbox', {
    ...open,
    handler: guarded(async (request, reply) => {
      if (tokenInAddress(request) !== undefined) return admit(reply, token)
      const page = listPage(await readMailbox(deps))
      return reply.type(HTML).header('Content-Security-Policy', LIST_POLICY).send(page)
    }),
  })
  const mailOf = async (request: FastifyRequest): Promise<KeptMail> => {
    const { id } = request.params as { id: string }
    const mail = (await readMailbox(deps)).find((each) => each.id === id)
    if (mail === undefined) throw notFound()
    return mail
  }
  app.get('/mailbox/:id', {
    ...open,
    handler: guarded(async (request, reply) => {
      const { html } = await mailOf(request)
      return reply.type(HTML).header('Content-Security-Policy', MAIL_POLICY).send(html)
    }),
  })
  app.get('/mailbox/:id/attachments/:nth', {
    ...open,
    handler: guarded(async (request, reply) => {
      const { attachments = [] } = await mailOf(request)
      return sendFile(reply, attachments[placeOf((request.params as { nth: string }).nth)])
    }),
  })
}

/** Redirects, so that the token is neither in the browser's history nor on the screen. */
function admit(reply: FastifyReply, token: string): FastifyReply {
  const attributes = ['Path=/mailbox', `Max-Age=${COOKIE_SECONDS}`, 'HttpOnly', 'SameSite=Strict']
  return reply
    .code(303)
    .header('Set-Cookie', [`${COOKIE}=${token}`, ...attributes].join('; '))
    .header('Location', '/mailbox')
    .send('')
}

function tokenInAddress(request: FastifyRequest): unknown {
  return (request.query as Record<string, unknown>)['token']
}

/** The token in the address comes before the browser's cookie; several that differ count as none. */
function tokenIn(request: FastifyRequest): string | null {
  const given = tokenInAddress(request)
  if (given !== undefined) return typeof given === 'string' ? given : null
  const values = (request.headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${COOKIE}=`))
    .map((part) => part.slice(COOKIE.length + 1))
  return new Set(values).size === 1 ? (values[0] ?? null) : null
}

function placeOf(nth: string): number {
  return /^\d{1,3}$/.test(nth) ? Number.parseInt(nth, 10) : -1
}

type Attachment = NonNullable<KeptMail['attachments']>[number]

/** Only a file that cannot act is opened; any other is for saving. */
function sendFile(reply: FastifyReply, file: Attachment | undefined): FastifyReply {
  if (file === undefined) throw notFound()
  const name = file.fileName.replaceAll(/[^\w .-]/g, '_')
  const isPdf = file.contentType === 'application/pdf'
  return reply
    .headers({
      'Content-Type': isPdf ? 'application/pdf' : 'application/octet-stream',
      'Content-Disposition': `${isPdf ? 'inline' : 'attachment'}; filename="${name}"`,
      'Content-Security-Policy': PDF_POLICY,
    })
    .send(Buffer.from(file.base64, 'base64'))
}
