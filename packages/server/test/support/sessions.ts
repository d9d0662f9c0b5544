// Somebody who is signed in, without the mail: the sign-in itself has tests of its own.
import type { MemberRole } from '@kestrel/contract'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'

import { newId } from '../../src/core/ids.ts'
import { startSessionIn } from '../../src/domain/access/start-session.ts'
import { type KeptMail, readMailbox } from '../../src/domain/mail/read-mailbox.ts'
import { insertMember, listMembers } from '../../src/storage/members.ts'
import { PUBLIC_URL, type TestApp } from './app.ts'
import type { TestPartner } from './fixtures.ts'

let made = 0

export interface TestMember {
  readonly email: string
  readonly role: MemberRole
  readonly memberId: string
  readonly sessionId: string
  readonly cookie: string
}

/** A member of the partner's team in a session of their own; the admin unless told otherwise. */
export async function signedIn(
  test: TestApp,
  partner: Pick<TestPartner, 'id'>,
  options: { role?: MemberRole; email?: string } = {},
): Promise<TestMember> {
  const { role = 'admin', email = `member-${process.pid}-${made++}@thistle.test` } = options
  const at = test.clock.now()
  const { memberId, ...session } = await test.deps.db.inTransaction(async (tx) => {
    const member = { partnerId: partner.id, id: newId(at), email, name: null, role, invitedBy: null, createdAt: at }
    await insertMember(tx, member)
    const known = (await listMembers(tx, partner.id)).find((each) => each.email === email)
    const started = startSessionIn(tx, { partnerId: partner.id, email }, { at, ip: '127.0.0.1', userAgent: 'vitest' })
    return { ...started, memberId: known!.id }
  })
  return { email, role, memberId, sessionId: session.id, cookie: `kestrel_session=${session.token}` }
}

/** Asks for a code as a browser would, and reads it from the mailbox. */
export async function aSignInCode(test: TestApp, email: string): Promise<string> {
  const reply = await test.request({ method: 'POST', url: '/v1/auth/code', payload: { email } })
  if (reply.statusCode !== 202) throw new Error(`No code: ${reply.body}`)
  return codeIn(await latestMail(test, email))
}

export async function latestMail(test: TestApp, email: string): Promise<KeptMail> {
  const mail = (await readMailbox(test.deps)).find(({ to }) => to === email)
  if (mail === undefined) throw new Error(`There is no mail for ${email}`)
  return mail
}

/** A code is the first word of its mail's subject. */
export function codeIn(mail: KeptMail): string {
  return /^\d{6}(?= )/.exec(mail.subject)?.[0] ?? ''
}

/** The mailed code for what needs one, as a person reads it. */
export async function aDoorCode(test: TestApp, member: TestMember, door: object): Promise<string> {
  const reply = await ask(test, member, { method: 'POST', url: '/v1/confirm-codes', payload: door })
  if (reply.statusCode !== 202) throw new Error(`No code: ${reply.body}`)
  return codeIn(await latestMail(test, member.email))
}

/** A request as the dashboard's pages make it: with the cookie, and from our own origin. */
export function ask(
  test: TestApp,
  member: Pick<TestMember, 'cookie'>,
  request: { method?: InjectOptions['method']; url: string; payload?: object; headers?: Record<string, string> },
): Promise<LightMyRequestResponse> {
  const { method = 'GET', url, payload, headers = {} } = request
  const own = { cookie: member.cookie, origin: PUBLIC_URL, 'sec-fetch-site': 'same-origin' }
  return test.request({ method, url, headers: { ...own, ...headers }, ...(payload === undefined ? {} : { payload }) })
}
