// How often codes may be asked for and tried, and people invited: per address, so that nobody's mailbox is flooded and a code is hard to
// guess, and per network, so that nobody tries address after address.
import { networkOf } from '../../core/network.ts'
import type { Tx } from '../../storage/sql.ts'
import type { Deps } from '../deps.ts'
import { type Limit, type LimitDeps, giveBack, takeIfLeft, takeOrRefuse } from '../limits/limit.ts'

const MINUTE_MS = 60_000
export const RESEND_AFTER_MS = 30_000

const ASK_PER_ADDRESS: readonly Limit[] = [
  { name: 'ask/gap', everyMs: RESEND_AFTER_MS, burst: 1 },
  { name: 'ask/hour', everyMs: 12 * MINUTE_MS, burst: 5 },
  { name: 'ask/day', everyMs: 144 * MINUTE_MS, burst: 10 },
]
const ASK_PER_NETWORK: Limit = { name: 'ask/network', everyMs: MINUTE_MS, burst: 60 }
const TRY_PER_NETWORK: Limit = { name: 'try/network', everyMs: MINUTE_MS / 2, burst: 120 }

const INVITE_PER_PARTNER: Limit = { name: 'invite/partner', everyMs: 10 * MINUTE_MS, burst: 30 }

/** From all businesses together: who opens one can open a hundred. */
const INVITE_PER_ADDRESS: Limit = { name: 'invite/address', everyMs: 8 * 60 * MINUTE_MS, burst: 3 }

const CONFIRM_PER_MEMBER: Limit = { name: 'confirm/member', everyMs: 12 * MINUTE_MS, burst: 10 }

export async function mayAskForCode(tx: Tx, deps: LimitDeps, email: string, ip: string): Promise<void> {
  for (const limit of ASK_PER_ADDRESS) await takeOrRefuse(tx, deps, limit, email)
  await takeOrRefuse(tx, deps, ASK_PER_NETWORK, networkOf(ip))
}

export async function mayTryCode(tx: Tx, deps: LimitDeps, ip: string): Promise<void> {
  await takeOrRefuse(tx, deps, TRY_PER_NETWORK, networkOf(ip))
}

/** An invitation is mail to somebody who did not ask for it. */
export async function mayInvite(tx: Tx, deps: LimitDeps, partnerId: string): Promise<void> {
  await takeOrRefuse(tx, deps, INVITE_PER_PARTNER, partnerId)
}

/** Whether an address may get one more mail with an invitation, from whomever. */
export function hasInvitationMailLeft(tx: Tx, deps: LimitDeps, email: string): Promise<boolean> {
  return takeIfLeft(tx, deps, INVITE_PER_ADDRESS, email)
}

export async function mayMailInvitation(tx: Tx, deps: LimitDeps, email: string): Promise<void> {
  await takeOrRefuse(tx, deps, INVITE_PER_ADDRESS, email)
}

/** Each code is a mail to whoever is signed in. */
export async function mayAskToConfirm(tx: Tx, deps: LimitDeps, member: string): Promise<void> {
  await takeOrRefuse(tx, deps, CONFIRM_PER_MEMBER, member)
}

export function forgetAskingToConfirm(tx: Tx, deps: Pick<Deps, 'secrets'>, member: string): void {
  giveBack(tx, deps, [[CONFIRM_PER_MEMBER, member]])
}

/** Whoever has entered the right code owns the address: asking for it was no nuisance. */
export function forgetAsking(tx: Tx, deps: Pick<Deps, 'secrets'>, email: string): void {
  giveBack(
    tx,
    deps,
    ASK_PER_ADDRESS.map((limit) => [limit, email]),
  )
}
