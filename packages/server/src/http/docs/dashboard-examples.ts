// Requests and answers of the dashboard's own operations.
import type {
  ApiKeyCreated,
  AuthOptions,
  CodeSent,
  ConfirmCodeSent,
  DoorCodeSent,
  Invitation,
  Member,
  OwnSession,
  Session,
} from '@kestrel/contract'

import { KEYS } from './account-examples.ts'
import type { NamedExamples, OperationExamples } from './examples.ts'

const only = (summary: string, value: unknown): NamedExamples => ({ example: { summary, value } })

const SENT: CodeSent = { object: 'code_sent', expires_in: 600, resend_after: 30 }
const OPTIONS: AuthOptions = {
  object: 'auth_options',
  sign_up: true,
  mailbox_url: 'http://localhost:3000/mailbox',
  contact_email: 'help@kestrel.example',
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
    created_at: '2026-10-01T08:30:12.480Z',
  },
  partners: [
    { slug: 'okafor-pottery', name: 'Okafor Pottery', role: 'viewer', invited_by: 'amara@okafor.test' },
    { slug: 'thistle-market', name: 'Thistle Market', role: 'admin', invited_by: null },
  ],
  invitations: [],
  expires_at: '2026-11-09T09:15:11.902Z',
}

const NEW_BUSINESS: Session = {
  ...SESSION,
  partners: [{ slug: 'thistle-market', name: 'Thistle Market', role: 'admin', invited_by: null }],
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
      can_end: true,
    },
  ],
}

const NO_LIMITS = {
  max_per_payout_gbp: null,
  daily_gbp: null,
  monthly_gbp: null,
  spent_today_gbp: null,
  spent_this_month_gbp: null,
}

const LIMITED = { daily_gbp: '500.00', spent_today_gbp: '0.00', spent_this_month_gbp: '0.00' }

const ADMIN: Member = {
  id: '01a0f67a-3801-7c3e-a2b0-6f1d0a9c5e44',
  email: 'demo@thistle.test',
  name: null,
  role: 'admin',
  last_login_at: '2026-11-02T09:15:11.902Z',
  created_at: '2026-10-01T08:00:00.000Z',
  invited_by: null,
  ...NO_LIMITS,
}

export const VIEWER: Member = {
  id: '01a19b8f-5d20-7b1a-9c77-2e4f8d6a1b03',
  email: 'amara@okafor.test',
  name: null,
  role: 'viewer',
  last_login_at: null,
  created_at: '2026-11-02T09:20:08.480Z',
  invited_by: 'demo@thistle.test',
  ...NO_LIMITS,
}

const INVITATION: Invitation = {
  id: '01a19b8f-5d20-7b1a-9c77-2e4f8d6a1b03',
  email: 'amara@okafor.test',
  name: null,
  role: 'viewer',
  last_login_at: null,
  created_at: '2026-11-02T09:20:08.480Z',
  invited_by: 'demo@thistle.test',
  expires_at: '2026-11-16T09:20:08.480Z',
  mailed_at: '2026-11-02T09:20:08.480Z',
}

const NEW_KEY: ApiKeyCreated = {
  id: '01a10b9c-fc40-7173-b83d-9c172411e20b',
  environment: 'sandbox',
  key_prefix: 'kp_sandbox_9f2c41',
  label: 'orders',
  created_at: '2026-11-02T09:21:44.010Z',
  scopes: ['read', 'quote', 'pay', 'webhooks', 'sandbox'],
  max_per_payout_gbp: null,
  daily_gbp: null,
  monthly_gbp: null,
  allowed_ips: null,
  expires_at: null,
  secret: `kp_sandbox_${'9f2c41d7'.repeat(6)}`,
  note: 'Copy the secret now. It is not kept and cannot be shown again.',
}

const CONFIRM_CODE: ConfirmCodeSent = {
  object: 'confirm_code',
  sent_to: 'd•••@thistle.test',
  expires_at: '2026-11-02T09:27:44.010Z',
  amount_gbp: '25.00',
  recipient_name: 'Amara Okafor',
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
  listMembers: { answers: { 200: only('An admin and a viewer', { object: 'list', data: [ADMIN, VIEWER] }) } },
  inviteMember: {
    request: only('A viewer', { email: 'amara@okafor.test', role: 'viewer' }),
    answers: { 201: only('The invitation', INVITATION) },
  },
  changeMember: {
    request: {
      limited: { summary: 'A limit per day', value: { daily_gbp: '500.00' } },
      role: { summary: 'Another role', value: { role: 'admin' } },
    },
    answers: { 200: only('The member as it is now', { ...VIEWER, ...LIMITED }) },
  },
  listInvitations: { answers: { 200: only('Somebody who has not answered', { object: 'list', data: [INVITATION] }) } },
  sendInvitation: { answers: { 200: only('Sent once more', INVITATION) } },
  withdrawInvitation: { answers: { 200: only('Withdrawn', { id: INVITATION.id, withdrawn: true }) } },
  acceptInvitation: { answers: { 200: only('A member of two businesses', SESSION) } },
  declineInvitation: { answers: { 200: only('Declined', { id: INVITATION.id, declined: true }) } },
  removeMember: { answers: { 200: only('No longer a member', { id: VIEWER.id, removed: true }) } },
  createKey: {
    request: only('A sandbox key', { environment: 'sandbox', label: 'orders' }),
    answers: { 201: only('The key, with its secret', NEW_KEY) },
  },
  changeKey: {
    request: {
      narrowed: { summary: 'A limit per day', value: { daily_gbp: '1000.00' } },
      several: {
        summary: 'Several at once',
        value: { scopes: ['read', 'pay'], max_per_payout_gbp: '250.00', allowed_ips: ['203.0.113.0/24'] },
      },
    },
    answers: { 200: only('The key as it is now', KEYS.data[0]) },
  },
  rotateKey: {
    request: only('The old one works for another day', { grace_seconds: 86_400 }),
    answers: {
      201: only('The new key', { ...NEW_KEY, replaces: '01a0f67a-3800-7a1c-8d02-4be1c0955f37' }),
    },
  },
  resumePayouts: {
    answers: {
      200: only('Payouts are made again', {
        object: 'payout_pause',
        environment: 'live',
        paused: false,
        paused_at: null,
        paused_by: null,
      }),
    },
  },
  revokeKey: { answers: { 200: only('It no longer works', { id: NEW_KEY.id, revoked: true }) } },
  askForConfirmCode: {
    request: only('A payout that is to be confirmed', {
      amount_gbp: '25.00',
      reference: 'Invoice 1042',
      recipient: {
        first_name: 'Amara',
        last_name: 'Okafor',
        address: { line1: '1 High Street', city: 'Leeds', postal_code: 'LS1 4AP' },
        bank: { bank_name: 'Co-op', sort_code: '089999', account_number: '66374958' },
      },
    }),
    answers: { 202: only('A code is on its way', CONFIRM_CODE) },
  },
  askForDoorCode: {
    request: only('A live key', { action: 'key.create', environment: 'live', label: 'orders' }),
    answers: {
      202: only('A code is on its way', {
        object: 'confirm_code',
        sent_to: 'd•••@thistle.test',
        expires_at: '2026-11-02T09:27:44.010Z',
        confirms: 'Create a live API key',
      } satisfies DoorCodeSent),
    },
  },
}
