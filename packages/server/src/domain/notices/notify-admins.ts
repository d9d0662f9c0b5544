// Notices tell every admin what somebody should notice although nobody meant it. No flood can hide one: notices about
// actions without a code come a few times per hour and the rest in one mail, and those about actions with a code are
// counted apart.
import { after } from '../../core/clock.ts'
import { eachApart } from '../../core/each-apart.ts'
import { newId } from '../../core/ids.ts'
import type { MailContent } from '../../mail/mail.ts'
import { digestMail } from '../../mail/templates/notice-mails.ts'
import { type DueDigest, insertHeldNotice, listDueDigests, takeHeldNotices } from '../../storage/held-notices.ts'
import { listAdmins } from '../../storage/members.ts'
import type { Tx } from '../../storage/sql.ts'
import type { Deps } from '../deps.ts'
import { type Limit, takeIfLeft } from '../limits/limit.ts'
import { queueMail } from '../mail/queue-mail.ts'

/**
 * `grave`: the action took a mailed code. `arrival`: somebody new is in the team. `wallet`: the wallet is low, which a
 * change of the threshold can cause. `plain`: anybody with a session can repeat it. Each is counted by itself, so that
 * none can hide another.
 */
export type NoticeWeight = 'grave' | 'arrival' | 'wallet' | 'plain'

const MINUTE_MS = 60_000

/** Per admin and business. */
const LIMITS: Readonly<Record<NoticeWeight, Limit>> = {
  grave: { name: 'notice/grave', everyMs: 10 * MINUTE_MS, burst: 20 },
  arrival: { name: 'notice/arrival', everyMs: 10 * MINUTE_MS, burst: 20 },
  wallet: { name: 'notice/wallet', everyMs: 15 * MINUTE_MS, burst: 4 },
  plain: { name: 'notice/plain', everyMs: 15 * MINUTE_MS, burst: 4 },
}

export interface Notice {
  readonly partnerId: string
  readonly kind: string
  readonly weight: NoticeWeight
  readonly content: MailContent
  /** The person concerned, when they are no admin, or no longer. */
  readonly also?: readonly string[]
}

/** Call `deps.post.wake()` once the transaction is committed. */
export async function notifyAdmins(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'secrets' | 'mailer'>,
  { partnerId, kind, weight, content, also = [] }: Notice,
): Promise<void> {
  const readers = new Set([...(await listAdmins(tx, partnerId)), ...also])
  for (const email of readers) {
    if (await takeIfLeft(tx, deps, LIMITS[weight], `${partnerId}/${email}`)) {
      queueMail(tx, deps, { kind, mail: { to: email, ...content }, usefulUntil: null })
    } else {
      const createdAt = deps.clock.now()
      insertHeldNotice(tx, partnerId, { id: newId(createdAt), email, words: content.subject, createdAt })
    }
  }
}

const HELD_FOR_MS = 60 * MINUTE_MS
const MOST_DIGESTS = 100

type DigestDeps = Pick<Deps, 'db' | 'clock' | 'secrets' | 'mailer' | 'post'>

/** Tells notices that were held back for an hour in one mail. True when there is more to tell. */
export async function tellHeldNotices(deps: DigestDeps): Promise<boolean> {
  const due = await listDueDigests(deps.db, after(deps.clock.now(), -HELD_FOR_MS), MOST_DIGESTS)
  try {
    await eachApart(due, (digest) => tellOne(deps, digest))
  } finally {
    if (due.length > 0) deps.post.wake()
  }
  return due.length === MOST_DIGESTS
}

function tellOne(deps: DigestDeps, { partnerId, businessName, email }: DueDigest): Promise<void> {
  return deps.db.inTransaction(async (tx) => {
    const held = await takeHeldNotices(tx, partnerId, email)
    if (held.length === 0) return
    const events = held.map(({ words, createdAt }) => ({ words, at: createdAt }))
    const count = held.reduce((sum, { standsFor }) => sum + standsFor, 0)
    const content = digestMail({ businessName, events, count })
    queueMail(tx, deps, { kind: 'digest', mail: { to: email, ...content }, usefulUntil: null })
  })
}
