import type { Environment, MemberRole } from '@kestrel/contract'

import type { Plan } from '../core/plan.ts'
import { PARTNER_COLUMNS, type Partner } from './partners.ts'
import { PLAN_COLUMNS, planJoin } from './plans.ts'
import { type Db, type Tx, statement } from './sql.ts'
import { WALLET_COLUMNS, type Wallet } from './wallets.ts'

/** The session that a request came with, its member, and what they may do: one look-up per request. */
export interface SessionHolder extends Partner, Plan, Wallet {
  readonly environment: Environment
  readonly sessionId: string
  readonly tokenHash: Buffer
  readonly email: string
  readonly memberId: string
  readonly memberName: string | null
  readonly role: MemberRole
  readonly lastSeenAt: Date
  readonly expiresAt: Date
}

const HOLDER = statement(
  'session_holder',
  `select s.id as "sessionId", s.token_hash as "tokenHash", s.email, m.id as "memberId", m.name as "memberName",
          m.role, s.last_seen_at as "lastSeenAt", s.expires_at as "expiresAt", w.environment,
          ${PARTNER_COLUMNS}, ${PLAN_COLUMNS}, ${WALLET_COLUMNS}
     from sessions s
     join members m on m.partner_id = s.partner_id and m.email = s.email
     join partners p on p.id = s.partner_id ${planJoin('$2')}
     join wallets w on w.partner_id = s.partner_id and w.environment = $3
    where s.token_hash = $1 and s.expires_at > $2 and s.last_seen_at > $4`,
)

export async function findSessionHolder(
  db: Db,
  wanted: { tokenHash: Buffer; at: Date; environment: Environment; seenSince: Date },
): Promise<SessionHolder | null> {
  const { tokenHash, at, environment, seenSince } = wanted
  return (await db.query<SessionHolder>(HOLDER, [tokenHash, at, environment, seenSince]))[0] ?? null
}

const INSERT = statement(
  'insert_session',
  `insert into sessions (partner_id, id, email, token_hash, user_agent, ip, created_at, last_seen_at, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, $7, $8)`,
)

export interface NewSession {
  readonly partnerId: string
  readonly id: string
  readonly email: string
  readonly tokenHash: Buffer
  readonly userAgent: string | null
  readonly ip: string
  readonly createdAt: Date
  readonly expiresAt: Date
}

export function insertSession(tx: Tx, session: NewSession): void {
  const { partnerId, id, email, tokenHash, userAgent, ip, createdAt, expiresAt } = session
  tx.defer(INSERT, [partnerId, id, email, tokenHash, userAgent, ip, createdAt, expiresAt])
}

const TOUCH = statement(
  'touch_session',
  'update sessions set last_seen_at = $3 where partner_id = $1 and id = $2 and last_seen_at < $3',
)

export function touchSession(tx: Tx, session: { partnerId: string; id: string; at: Date }): void {
  tx.defer(TOUCH, [session.partnerId, session.id, session.at])
}

const COUNT_WRONG = statement(
  'count_wrong_code',
  `update sessions set wrong_codes = wrong_codes + 1 where partner_id = $1 and id = $2
   returning wrong_codes as "wrongCodes", user_agent as "userAgent", ip`,
)

/** Counts a wrong code in this session; null when the session has ended meanwhile. */
export async function countWrongCode(
  tx: Tx,
  session: { partnerId: string; id: string },
): Promise<{ wrongCodes: number; userAgent: string | null; ip: string } | null> {
  const rows = await tx.query<{ wrongCodes: number; userAgent: string | null; ip: string }>(COUNT_WRONG, [
    session.partnerId,
    session.id,
  ])
  return rows[0] ?? null
}

const END_BY_TOKEN = statement('end_session_by_token', 'delete from sessions where token_hash = $1')

export function endSessionByToken(tx: Tx, tokenHash: Buffer): void {
  tx.defer(END_BY_TOKEN, [tokenHash])
}

const END = statement('end_session', 'delete from sessions where email = $1 and id = $2 returning id')

/** False when this person has no such session. */
export async function endSession(tx: Tx, email: string, id: string): Promise<boolean> {
  return (await tx.query(END, [email, id])).length === 1
}

const MOVE = statement(
  'move_session',
  `with member as (select 1 from members where partner_id = $3 and email = $1 for key share)
   update sessions set partner_id = $3 from member where email = $1 and id = $2 returning id`,
)

/** Moves the session to another business. False when the person is not, or is just no longer, a member of it. */
export async function moveSession(tx: Tx, session: { email: string; id: string; partnerId: string }): Promise<boolean> {
  return (await tx.query(MOVE, [session.email, session.id, session.partnerId])).length === 1
}

export interface SessionRow {
  readonly id: string
  readonly createdAt: Date
  readonly lastSeenAt: Date
  readonly userAgent: string | null
  readonly ip: string
}

const OF_PERSON = statement(
  'sessions_of_person',
  `select id, created_at as "createdAt", last_seen_at as "lastSeenAt", user_agent as "userAgent", ip from sessions
    where email = $1 and expires_at > $2 and last_seen_at > $3 order by last_seen_at desc, id desc`,
)

export function listSessions(db: Db, email: string, at: Date, seenSince: Date): Promise<SessionRow[]> {
  return db.query<SessionRow>(OF_PERSON, [email, at, seenSince])
}

const TIDY = statement('tidy_sessions', 'delete from sessions where expires_at <= $1 or last_seen_at <= $2')

export function tidySessions(tx: Tx, at: Date, seenSince: Date): void {
  tx.defer(TIDY, [at, seenSince])
}
