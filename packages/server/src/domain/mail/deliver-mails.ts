// Sends mails that are due. A mail server that is down is tried again, later each time.
import { after } from '../../core/clock.ts'
import { unseal } from '../../core/seal.ts'
import { type Mail, type Mailer, MailPutOff, MailRefused } from '../../mail/mail.ts'
import { listMemberships } from '../../storage/members.ts'
import { type MailRow, claimMails, deleteMail, postponeMail, tidyMails } from '../../storage/mails.ts'
import type { Deps } from '../deps.ts'
import { knownKeys } from '../secrets/known-keys.ts'

export type PostDeps = Pick<Deps, 'db' | 'clock' | 'secrets' | 'mailer' | 'onAlarm'>

const MOST_AT_ONCE = 10
/** Longer than a mail server may take: a worker that holds a mail longer than this has died. */
const CLAIMED_FOR_MS = 90_000
const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 15 * 60_000
const LONGEST_EFFORT_MS = 2 * 24 * 60 * 60_000

/** Returns how many were tried. */
export async function deliverMails(deps: PostDeps): Promise<number> {
  const { mailer } = deps
  if (mailer === null) return 0
  const at = deps.clock.now()
  const claimed = await deps.db.inTransaction((tx) =>
    claimMails(tx, { at, until: after(at, CLAIMED_FOR_MS), most: MOST_AT_ONCE }),
  )
  const outcomes = await Promise.allSettled(claimed.map((row) => deliver(deps, mailer, row)))
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return claimed.length
}

async function deliver(deps: PostDeps, mailer: Mailer, row: MailRow): Promise<void> {
  const now = deps.clock.now()
  if (row.usefulUntil !== null && row.usefulUntil <= now) return giveUp(deps, row, 'it came too late')
  try {
    await mailer.send(openMail(deps, row), row.createdAt)
  } catch (error) {
    if (error instanceof MailRefused) return giveUp(deps, row, error.message)
    const isTooOld = now.getTime() - row.createdAt.getTime() > LONGEST_EFFORT_MS
    if (isTooOld) return giveUp(deps, row, 'the mail server has not answered for two days')
    const isPutOff = error instanceof MailPutOff
    const at = deps.clock.now()
    await deps.db.inTransaction(async (tx) =>
      postponeMail(tx, row.id, after(at, pauseAfter(row.attempts)), isPutOff ? at : null),
    )
    // A round that fails ends, and the others in it wait. An address that is put off is its own trouble.
    if (!isPutOff) throw error
    return
  }
  await deps.db.inTransaction(async (tx) => deleteMail(tx, row.id))
}

function pauseAfter(attempts: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** Math.min(attempts - 1, 20), LONGEST_PAUSE_MS)
}

/** Mails that go to any address that somebody typed. */
const TO_ANYBODY: ReadonlySet<string> = new Set(['sign_in_code', 'invitation'])

/** One alarm per kind, however many mails: somebody with a mailbox of their own can make it refuse everything. */
async function giveUp(deps: PostDeps, row: MailRow, why: string): Promise<void> {
  if (!(await isToNobody(deps, row))) deps.onAlarm('a mail was given up', { kind: row.kind, why })
  await deps.db.inTransaction(async (tx) => deleteMail(tx, row.id))
}

/** An operator can do nothing about a made-up address, and strangers could wake them with one. */
async function isToNobody(deps: PostDeps, row: MailRow): Promise<boolean> {
  if (!TO_ANYBODY.has(row.kind)) return false
  const to = addressOf(deps, row)
  return to !== null && (await listMemberships(deps.db, to)).length === 0
}

/** Null when none of our keys opens it any more. */
function addressOf(deps: PostDeps, row: MailRow): string | null {
  try {
    return openMail(deps, row).to
  } catch {
    return null
  }
}

export function openMail(deps: Pick<Deps, 'secrets'>, row: Pick<MailRow, 'id' | 'sealed'>): Mail {
  return JSON.parse(unseal(knownKeys(deps.secrets, 'seal'), row.sealed, row.id)) as Mail
}

/** How many mails the mailbox keeps where there is no mail server. */
export const MAILBOX_KEEPS = 200
const GIVEN_UP_KEPT_MS = 60 * 60_000

export async function tidyMailbox(deps: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const before = after(deps.clock.now(), -GIVEN_UP_KEPT_MS)
  await deps.db.inTransaction(async (tx) => tidyMails(tx, before, MAILBOX_KEEPS))
}
