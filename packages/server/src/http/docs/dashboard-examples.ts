// What the dashboard's own operations are sent and answer.
import type { AuthOptions, CodeSent, OwnSession, Session } from '@kestrel/contract'

import type { NamedExamples, OperationExamples } from './examples.ts'

const only = (summary: string, value: unknown): NamedExamples => ({ example: { summary, value } })

const SENT: CodeSent = { object: 'code_sent', expires_in: 600, resend_after: 30 }
const OPTIONS: AuthOptions = {
  object: 'auth_options',
  sign_up: true,
  mailbox_url: 'http://localhost:3000/mailbox',
}

const SESSION: Session = {
  object: 'session',
  id: '01a19b8a-0c10-7e55-8f3a-0d5f3c2b7a91',
  email: 'demo@thistle.test',
  name: null,
  role: 'admin',
  partner: {
    id: '01a0f67a-3800-70ed-9995-31985d5d9dc9',
    slug: 'thistle-market',
    name: 'Thistle Market',
    status: 'active',
    logo_url: null,
    brand_color: '#2b4bd8',
    verification_status: 'not_started',
  },
  partners: [
    { slug: 'okafor-pottery', name: 'Okafor Pottery', role: 'viewer' },
    { slug: 'thistle-market', name: 'Thistle Market', role: 'admin' },
  ],
  expires_at: '2026-11-09T09:15:11.902Z',
}

const NEW_BUSINESS: Session = {
  ...SESSION,
  partners: [{ slug: 'thistle-market', name: 'Thistle Market', role: 'admin' }],
  sandbox_key: `kp_sandbox_${'5d0c1a9e'.repeat(6)}`,
}

const SESSIONS: { object: 'list'; data: OwnSession[] } = {
  object: 'list',
  data: [
    {
      id: SESSION.id,
      created_at: '2026-11-02T09:15:11.902Z',
      last_seen_at: '2026-11-02T09:40:02.117Z',
      user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
      ip: '203.0.113.9',
      is_current: true,
    },
  ],
}

export const DASHBOARD_EXAMPLES: Readonly<Record<string, OperationExamples>> = {
  readAuthOptions: { answers: { 200: only('Without a mail server', OPTIONS) } },
  askForCode: {
    request: only('A member', { email: 'demo@thistle.test' }),
    answers: { 202: only('Whoever has the address', SENT) },
  },
  signUp: {
    request: only('A new business', { email: 'amara@okafor.test', name: 'Amara', business_name: 'Okafor Pottery' }),
    answers: { 202: only('A code is on its way', SENT) },
  },
  signIn: {
    request: only('The code of the mail', { email: 'demo@thistle.test', code: '042424' }),
    answers: {
      201: {
        member: { summary: 'A member of two businesses', value: SESSION },
        newBusiness: { summary: 'The first time, after signing up', value: NEW_BUSINESS },
      },
    },
  },
  readSession: { answers: { 200: only('A member of two businesses', SESSION) } },
  changeSession: {
    request: only('Another business', { partner: 'thistle-market' }),
    answers: { 200: only('Now looking at it', SESSION) },
  },
  signOut: { answers: { 200: only('Signed out', { object: 'session', signed_out: true }) } },
  listSessions: { answers: { 200: only('This browser only', SESSIONS) } },
  revokeSession: { answers: { 200: only('It has ended', { id: SESSION.id, revoked: true }) } },
}
