// Business verification: started by a link, done on the bank's pages, and good for payments only once the bank has
// endorsed pounds too. The link says how the customer stands as such; the customer says what it may do.
import type { VerificationStatus } from '@kestrel/contract'

import { randomHex } from '../../core/ids.ts'
import type { Verification } from '../account.ts'
import { EmailTaken, RailUnavailable } from '../port.ts'
import { Refused, ask, askFor } from './ask-provider.ts'
import { ENDORSEMENTS, type Standing, holderStanding } from './holder-words.ts'
import { type Json, asObject, isJson, optionalLongText, optionalText, text, wordOrNull } from './json-words.ts'
import { rowsOf } from './list-rows.ts'
import { customerPath } from './open-account.ts'
import type { ProviderClient } from './provider-client.ts'

export async function startVerification(
  client: ProviderClient,
  partner: { id: string; name: string; email: string },
  { returnUrl, after, mayTakeUp }: { returnUrl: string | null; after: string | null; mayTakeUp: boolean },
): Promise<Verification> {
  const redirect = returnUrl === null ? {} : { redirect_uri: returnUrl }
  const { name: full_name, email } = partner
  const body = { full_name, email, type: 'business', endorsements: ENDORSEMENTS, ...redirect }
  const make = (idempotencyKey: string) => ask(client, { method: 'POST', path: '/kyc_links', body, idempotencyKey })
  const key = `verification:${partner.id}${after === null ? '' : `:after:${after}`}`
  const link = await make(key)
    // The key was used up by a try whose answer never came, or that had other details; or the bank keeps a refusal under
    // it that may be out of date. Another link it makes only for an email that it does not know.
    .catch((error: unknown) => (error instanceof Refused ? make(`${key}:${randomHex(8)}`) : Promise.reject(error)))
    .catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error
      return knownLink(client, { ...partner, after, mayTakeUp }, error)
    })
  return verificationOf(client, link)
}

export async function readVerification(client: ProviderClient, verificationRef: string): Promise<Verification> {
  const path = `/kyc_links/${encodeURIComponent(verificationRef)}`
  return verificationOf(client, await askFor(client, path, verificationRef))
}

/**
 * An email belongs to one customer at the bank, which names that one's link when it refuses another. The link is taken
 * up where it is this business's own: the answer to an earlier request was lost, or the operator made it by hand.
 */
async function knownLink(
  client: ProviderClient,
  asked: { name: string; email: string; after: string | null; mayTakeUp: boolean },
  refusal: Refused,
): Promise<Json> {
  const said = isJson(refusal.body) ? refusal.body['existing_kyc_link'] : undefined
  const isDuplicate = /duplicate/.test(wordOrNull(isJson(refusal.body) ? refusal.body : {}, 'code') ?? '')
  const link = isJson(said) ? said : isDuplicate ? await linkOfEmail(client, asked.email) : null
  if (link === null) throw isDuplicate ? new EmailTaken(refusal.message) : refusal
  if (link['id'] === asked.after) return link
  const isOwn =
    asked.mayTakeUp && link['type'] === 'business' && isSameName(optionalText(link, 'full_name'), asked.name)
  if (!isOwn) throw new EmailTaken('The bank knows this email as somebody else’s.')
  return link
}

async function linkOfEmail(client: ProviderClient, email: string): Promise<Json | null> {
  const path = `/kyc_links?limit=1&email=${encodeURIComponent(email)}`
  const [row] = rowsOf(await ask(client, { method: 'GET', path }))
  return row === undefined ? null : asObject(row)
}

function isSameName(one: string | null, other: string): boolean {
  const folded = (name: string) => name.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase()
  return one !== null && folded(one) === folded(other)
}

const VERIFICATION_STATUS: Readonly<Record<string, VerificationStatus>> = {
  not_started: 'in_progress',
  incomplete: 'in_progress',
  awaiting_questionnaire: 'in_progress',
  awaiting_ubo: 'in_progress',
  under_review: 'in_review',
  approved: 'approved',
  rejected: 'rejected',
  paused: 'suspended',
  offboarded: 'suspended',
}

async function verificationOf(client: ProviderClient, link: Json): Promise<Verification> {
  const said = fromLink(link)
  if (said.status !== 'approved') return said
  // Approved, and nobody yet whom anything could be opened for.
  if (said.holderRef === null) return { ...said, status: 'in_review' }
  const standing = holderStanding(await askFor(client, customerPath(said.holderRef), said.holderRef))
  if (standing.hasPounds) return said
  return {
    ...said,
    status: TURNS[standing.turn],
    bankStatus: standing.bankStatus,
    missing: standing.missing,
    continueUrl: standing.turn === 'business' ? await linkToGoOn(client, said.holderRef, standing) : null,
  }
}

const TURNS: Readonly<Record<Standing['turn'], VerificationStatus>> = {
  business: 'in_progress',
  bank: 'in_review',
  nobody: 'suspended',
}

/** Where the business gives what the bank still wants. A bank that shows no such page is asked again the next time. */
async function linkToGoOn(client: ProviderClient, holderRef: string, standing: Standing): Promise<string | null> {
  const query = standing.isApproved ? '?endorsement=faster_payments' : ''
  try {
    return optionalLongText(
      await ask(client, { method: 'GET', path: `${customerPath(holderRef)}/kyc_link${query}` }),
      'url',
    )
  } catch (error) {
    if (error instanceof RailUnavailable) return null
    throw error
  }
}

function fromLink(link: Json): Verification {
  const bankStatus = text(link, 'kyc_status')
  return {
    verificationRef: text(link, 'id'),
    holderRef: optionalText(link, 'customer_id'),
    // A status that is new to us is never taken for good news.
    status: VERIFICATION_STATUS[bankStatus] ?? 'in_review',
    bankStatus,
    // A rejected business goes on at the same link: its email is bound to it.
    continueUrl: bankStatus === 'approved' ? null : optionalLongText(link, 'kyc_link'),
    termsUrl: link['tos_status'] === 'approved' ? null : optionalLongText(link, 'tos_link'),
    reasons: rejectionReasons(link['rejection_reasons']),
    missing: [],
  }
}

/** `developer_reason` is for the operator, `reason` for the business. */
function rejectionReasons(given: unknown): string[] {
  const reasons = (Array.isArray(given) ? given : []).map((each) => wordOrNull(asObject(each), 'reason'))
  return reasons.filter((reason) => reason !== null)
}
