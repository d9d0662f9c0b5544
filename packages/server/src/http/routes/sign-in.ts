// Signing in: a browser asks for a code, and exchanges it for a session.
import { AuthOptions, CodeRequest, CodeSent, Session, SessionRequest, SignUpRequest } from '@kestrel/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { AppError } from '../../core/errors.ts'
import { browserToken } from '../../domain/access/browser-token.ts'
import { CODE_LASTS_MS, askForCode } from '../../domain/access/ask-for-code.ts'
import { authenticateSession } from '../../domain/access/authenticate-session.ts'
import { BROWSER_KEPT_MS, readBelongings } from '../../domain/access/own-sessions.ts'
import { redeemCode } from '../../domain/access/redeem-code.ts'
import { SESSION_LONGEST_MS } from '../../domain/access/session-limits.ts'
import { RESEND_AFTER_MS } from '../../domain/access/sign-in-limits.ts'
import type { Visitor, VisitorInBrowser } from '../../domain/access/start-session.ts'
import { callerInSession } from '../access/caller.ts'
import { refuseForeignSite } from '../access/cross-site.ts'
import { type Operation, operationSchema } from '../access/operation.ts'
import { presentSession } from '../present/session.ts'
import { readBrowserCookie, readSessionCookie, setBrowserCookie, setSessionCookie } from '../access/session-cookie.ts'
import { browserSample, openSample } from '../access/session-samples.ts'
import type { RouteContext } from './route-context.ts'

export function addSignInRoutes(context: RouteContext): void {
  addOptions(context)
  addCode(context)
  addSignUp(context)
  addSession(context)
}

const OPEN = { tag: 'Dashboard', auth: 'none' } as const

/** Errors of a request with a body that anybody may send. */
const BODY_ERRORS = [
  'invalid_json',
  'invalid_request',
  'body_too_large',
  'unsupported_media_type',
  'cross_site_request',
  'rate_limited',
] as const

const SENT: CodeSent = {
  object: 'code_sent',
  expires_in: CODE_LASTS_MS / 1_000,
  resend_after: RESEND_AFTER_MS / 1_000,
}

export function visitorOf(request: FastifyRequest): Visitor {
  return { ip: request.ip, userAgent: request.headers['user-agent'] ?? null }
}

/** Gives a browser that asks the cookie by which it is recognised, if it has none yet. */
function askingIn(request: FastifyRequest, reply: FastifyReply, publicUrl: string): VisitorInBrowser {
  const { token, hash } = browserToken(readBrowserCookie(request, publicUrl))
  setBrowserCookie(reply, publicUrl, token, BROWSER_KEPT_MS / 1_000)
  return { ...visitorOf(request), browserHash: hash }
}

function addOptions({ app, publicUrl, dashboard }: RouteContext): void {
  const options: AuthOptions = {
    object: 'auth_options',
    sign_up: dashboard.isSignUpOpen,
    mailbox_url: dashboard.mailboxToken !== null ? `${publicUrl}/mailbox` : null,
    contact_email: dashboard.contactEmail,
  }
  app.get('/v1/auth/options', {
    config: { auth: 'none' },
    schema: operationSchema(
      {
        ...OPEN,
        id: 'readAuthOptions',
        summary: 'Read how to sign in',
        ok: { 200: { schema: AuthOptions, description: 'What a sign-in page needs to know.' } },
        errors: [],
        curl: (base) => openSample(base, '/v1/auth/options'),
      },
      publicUrl,
    ),
    handler: () => options,
  })
}

function addCode({ app, deps, publicUrl }: RouteContext): void {
  app.post<{ Body: CodeRequest }>('/v1/auth/code', {
    config: { auth: 'none' },
    schema: operationSchema(
      {
        ...OPEN,
        id: 'askForCode',
        summary: 'Ask for a sign-in code',
        description:
          'Mails six digits to a member of any business. The answer is the same for an address that nobody has. The code works only in the browser that asked, which gets a cookie for it; a new code ends the one before in the same browser, and in no other.',
        body: CodeRequest,
        ok: { 202: { schema: CodeSent, description: 'If the address is a member’s, a code is on its way.' } },
        errors: BODY_ERRORS,
        curl: (base) => openSample(base, '/v1/auth/code', `'{"email": "demo@thistle.test"}'`),
      },
      publicUrl,
    ),
    onRequest: async (request) => refuseForeignSite(request, publicUrl),
    handler: async (request, reply) => {
      const from = askingIn(request, reply, publicUrl)
      await askForCode(deps, { email: request.body.email, from, signUp: null })
      return reply.code(202).send(SENT)
    },
  })
}

function addSignUp({ app, deps, publicUrl, dashboard }: RouteContext): void {
  app.post<{ Body: SignUpRequest }>('/v1/auth/sign-up', {
    config: { auth: 'none' },
    schema: operationSchema(
      {
        ...OPEN,
        id: 'signUp',
        summary: 'Open an account',
        description:
          'Mails six digits. Entering them at `POST /v1/auth/session` makes the business, its admin and a sandbox key. One person may have several businesses.',
        body: SignUpRequest,
        ok: { 202: { schema: CodeSent, description: 'A code is on its way.' } },
        errors: [...BODY_ERRORS, 'sign_up_closed'],
        curl: (base) =>
          openSample(base, '/v1/auth/sign-up', `'{"email": "amara@okafor.test", "business_name": "Okafor Pottery"}'`),
      },
      publicUrl,
    ),
    onRequest: async (request) => {
      refuseForeignSite(request, publicUrl)
      if (dashboard.isSignUpOpen) return
      throw new AppError('sign_up_closed', 'Accounts are opened by the operator of this service. Ask them for one.')
    },
    handler: async (request, reply) => {
      const { email, name = null, business_name: businessName } = request.body
      const from = askingIn(request, reply, publicUrl)
      await askForCode(deps, { email, from, signUp: { businessName, name } })
      return reply.code(202).send(SENT)
    },
  })
}

const SIGN_IN: Operation = {
  ...OPEN,
  id: 'signIn',
  summary: 'Sign in',
  description:
    'Gives the code for a session, which comes as a cookie. It is for the business used last. A person who has several and has used none, or who is only invited, is asked to choose (409 `choice_needed`). A code works once, for ten minutes, and has five tries. With a code from signing up, the business is made here and `sandbox_key` shows its first key, once.',
  body: SessionRequest,
  ok: { 201: { schema: Session, description: 'Signed in; the cookie is set.' } },
  errors: [...BODY_ERRORS, 'code_not_accepted', 'choice_needed', 'not_found'],
  curl: (base) =>
    browserSample(base, '/v1/auth/session', `"{\\"email\\": \\"demo@thistle.test\\", \\"code\\": \\"$CODE\\"}"`),
}

function addSession({ app, deps, publicUrl }: RouteContext): void {
  app.post<{ Body: SessionRequest }>('/v1/auth/session', {
    config: { auth: 'none', action: 'session.create' },
    schema: operationSchema(SIGN_IN, publicUrl),
    onRequest: async (request) => refuseForeignSite(request, publicUrl),
    handler: async (request, reply) => {
      const { email, code, partner = null, accept = null, decline = null } = request.body
      if (accept !== null && decline !== null) throw bothAnswers()
      const wanted = { email, code, partner, accept, decline }
      const from = { ...visitorOf(request), browserHash: browserToken(readBrowserCookie(request, publicUrl)).hash }
      const previousToken = readSessionCookie(request, publicUrl)
      const redeemed = await redeemCode(deps, { ...wanted, from, previousToken, publicUrl })
      const caller = callerInSession(await authenticateSession(deps, redeemed.token, 'sandbox'))
      app.recognise(redeemed.token)
      // From here on the caller is known, so activity records it.
      request.caller = caller
      const session = caller.session!
      setSessionCookie(reply, publicUrl, redeemed.token, SESSION_LONGEST_MS / 1_000)
      const presented = presentSession(caller, await readBelongings(deps, session.email), publicUrl)
      const key = redeemed.sandboxKey === null ? {} : { sandbox_key: redeemed.sandboxKey }
      return reply.code(201).send({ ...presented, ...key })
    },
  })
}

function bothAnswers(): AppError {
  return new AppError(
    'invalid_request',
    'Accept an invitation or decline one, not both with one code. Nothing was done.',
    {
      details: { fields: ['decline (only without accept)'] },
    },
  )
}
