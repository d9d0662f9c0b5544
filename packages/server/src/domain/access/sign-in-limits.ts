// Limits on asking for codes, trying them and inviting people: no mailbox is flooded, codes are hard to guess, nobody
// tries address after address, and no stranger uses up what the owner of an address needs.
import { neighbourhoodOf, networkOf } from '../../core/network.ts'
import type { CodeHolder } from '../../storage/confirm-codes.ts'
import type { PersonInBrowser } from '../../storage/known-browsers.ts'
import type { Tx } from '../../storage/sql.ts'
import type { Deps } from '../deps.ts'
import { type Limit, type LimitDeps, giveBack, takeIfLeft, takeOrRefuse } from '../limits/limit.ts'

const MINUTE_MS = 60_000
export const RESEND_AFTER_MS = 30_000

/** Per person and browser, and again per person and network: a second browser gives nobody more. */
const ASK: readonly Limit[] = [
  { name: 'ask/gap', everyMs: RESEND_AFTER_MS, burst: 1 },
  { name: 'ask/hour', everyMs: 12 * MINUTE_MS, burst: 5 },
  { name: 'ask/day', everyMs: 144 * MINUTE_MS, burst: 10 },
]
/**
 * For all browsers together in which the person has never signed in: the most that strangers can send to an address.
 */
const ASK_FROM_UNKNOWN: Limit = { name: 'ask/unknown', everyMs: 36 * MINUTE_MS, burst: 40 }
/** The share of one neighbourhood of networks: using up the whole limit, to keep somebody out, takes seven of them. */
const SHARE_OF_UNKNOWN: Limit = { name: 'ask/unknown/share', everyMs: 144 * MINUTE_MS, burst: 6 }
const ASK_PER_NETWORK: Limit = { name: 'ask/network', everyMs: MINUTE_MS, burst: 60 }
const TRY_PER_NETWORK: Limit = { name: 'try/network', everyMs: MINUTE_MS / 2, burst: 120 }

/** The person who asks, their network and browser, and whether they have signed in there before. */
export interface Asker extends PersonInBrowser {
  readonly ip: string
  readonly isKnown: boolean
}

const inBrowser = ({ email, browserHash }: PersonInBrowser) => `${email}/${browserHash.toString('hex')}`
const inNetwork = ({ email, ip }: Asker) => `${email}@${networkOf(ip)}`
const inNeighbourhood = ({ email, ip }: Asker) => `${email}@${neighbourhoodOf(ip)}`

/** A known browser is counted by itself: nobody else can use up its allowance. */
export async function mayAskForCode(tx: Tx, deps: LimitDeps, asker: Asker): Promise<void> {
  for (const limit of ASK) await takeOrRefuse(tx, deps, limit, inBrowser(asker))
  if (asker.isKnown) return
  for (const limit of ASK) await takeOrRefuse(tx, deps, limit, inNetwork(asker))
  await takeOrRefuse(tx, deps, SHARE_OF_UNKNOWN, inNeighbourhood(asker))
  await takeOrRefuse(tx, deps, ASK_FROM_UNKNOWN, asker.email)
  await takeOrRefuse(tx, deps, ASK_PER_NETWORK, networkOf(asker.ip))
}

export async function mayTryCode(tx: Tx, deps: LimitDeps, asker: Asker): Promise<void> {
  if (!asker.isKnown) await takeOrRefuse(tx, deps, TRY_PER_NETWORK, networkOf(asker.ip))
}

/** Somebody who enters the right code owns the address, so their asking is not counted. */
export function forgetAsking(tx: Tx, deps: Pick<Deps, 'secrets'>, asker: Asker): void {
  const both = [inBrowser(asker), inNetwork(asker)]
  giveBack(tx, deps, [
    ...both.flatMap((who) => ASK.map((limit) => [limit, who] as const)),
    [SHARE_OF_UNKNOWN, inNeighbourhood(asker)],
  ])
}

/**
 * Each business has limits, test money and keys of its own, so nobody gets many businesses quickly. Somebody who keeps the
 * books of others opens a few on one day, and the people of an office or a fair come from one network.
 */
const OPEN_PER_PERSON: Limit = {
  name: 'open/person',
  everyMs: 4 * 60 * MINUTE_MS,
  burst: 5,
  refusal: 'You have opened several businesses already. Nothing was opened. Wait as long as Retry-After says.',
}
const OPEN_PER_NETWORK: Limit = {
  name: 'open/network',
  everyMs: 10 * MINUTE_MS,
  burst: 20,
  refusal: 'Many businesses were opened from your network. Nothing was opened. Wait as long as Retry-After says.',
}

/** Counted when the code is right, and never given back: a mailbox that answers at once is no reason to open more. */
export async function mayOpenBusiness(tx: Tx, deps: LimitDeps, by: { email: string; ip: string }): Promise<void> {
  await takeOrRefuse(tx, deps, OPEN_PER_PERSON, by.email)
  await takeOrRefuse(tx, deps, OPEN_PER_NETWORK, networkOf(by.ip))
}

const INVITE_PER_PARTNER: Limit = { name: 'invite/partner', everyMs: 10 * MINUTE_MS, burst: 30 }

/** For all businesses together: a person who opens one can open a hundred. */
const INVITE_PER_ADDRESS: Limit = { name: 'invite/address', everyMs: 8 * 60 * MINUTE_MS, burst: 3 }

const CONFIRM_PER_SESSION: Limit = { name: 'confirm/session', everyMs: 12 * MINUTE_MS, burst: 10 }

/** Over all sessions of a person. A stolen session that asks as often as it may leaves the owner three quarters. */
const CONFIRM_PER_MEMBER: Limit = { name: 'confirm/member', everyMs: 3 * MINUTE_MS, burst: 40 }

/** An invitation is mail to somebody who did not ask for it. */
export async function mayInvite(tx: Tx, deps: LimitDeps, partnerId: string): Promise<void> {
  await takeOrRefuse(tx, deps, INVITE_PER_PARTNER, partnerId)
}

/** Whether an address may get one more invitation by mail, from any business. */
export function hasInvitationMailLeft(tx: Tx, deps: LimitDeps, email: string): Promise<boolean> {
  return takeIfLeft(tx, deps, INVITE_PER_ADDRESS, email)
}

export async function mayMailInvitation(tx: Tx, deps: LimitDeps, email: string): Promise<void> {
  await takeOrRefuse(tx, deps, INVITE_PER_ADDRESS, email)
}

/** Each code is a mail to the signed-in member. */
export async function mayAskToConfirm(tx: Tx, deps: LimitDeps, holder: CodeHolder): Promise<void> {
  await takeOrRefuse(tx, deps, CONFIRM_PER_SESSION, holder.sessionId)
  await takeOrRefuse(tx, deps, CONFIRM_PER_MEMBER, memberOf(holder))
}

export function forgetAskingToConfirm(tx: Tx, deps: Pick<Deps, 'secrets'>, holder: CodeHolder): void {
  giveBack(tx, deps, [
    [CONFIRM_PER_SESSION, holder.sessionId],
    [CONFIRM_PER_MEMBER, memberOf(holder)],
  ])
}

/** Mails are counted per person as well, however many sessions they have. */
function memberOf({ partnerId, email }: CodeHolder): string {
  return `${partnerId}/${email}`
}
