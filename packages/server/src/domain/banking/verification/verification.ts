// Business verification: started here, done at the bank, and changed by the bank's word alone. Every decision is
// mailed.
import { AppError } from '../../../core/errors.ts'
import { LOWEST_ID } from '../../../core/ids.ts'
import { verificationApprovedMail, verificationRejectedMail } from '../../../mail/templates/verification-mails.ts'
import type { Verification } from '../../../rail/account.ts'
import { BankRefusal, EmailTaken, type PartnerBank, RailUnavailable, UnreadableAnswer } from '../../../rail/port.ts'
import { hurryConnecting } from '../../../storage/connecting.ts'
import {
  type Partner,
  findPartnerBySlug,
  findPartnerByVerification,
  findVerificationOfHolder,
  listEndedVerifications,
  listOpenVerifications,
  lockVerification,
  setVerification,
} from '../../../storage/partners.ts'
import { isTaken } from '../../../storage/database.ts'
import { isProvenEmail } from '../../../storage/members.ts'
import type { Tx } from '../../../storage/sql.ts'
import { findWallet } from '../../../storage/wallets.ts'
import type { Deps } from '../../deps.ts'
import { chargeVerification } from '../../charges/charge-verification.ts'
import { mailAdmins } from '../../notices/mail-admins.ts'
import { noteVerification } from './note-verification.ts'

const MOST_AT_ONCE = 100
const MOST_SILENCES = 10

/**
 * Starts a verification or continues it, with the same links as long as the bank keeps them. A rejected one goes on at
 * its link, or starts anew under another email; one that the operator has vouched for starts where the bank does not
 * know it.
 */
export async function startVerification(
  deps: Deps,
  partner: Partner,
  how: { returnUrl: string | null; by: 'partner' | 'operator' },
): Promise<Partner> {
  const bank = deps.banks.live
  if (partner.verificationStatus === 'approved' && (bank === null || partner.verificationRef !== null)) return partner
  if (bank === null) {
    throw new AppError(
      'bank_unavailable',
      'No bank is connected for live payments yet, so verification cannot start. The operator connects one; sandbox has everything else meanwhile.',
    )
  }
  try {
    await keep(deps, partner, await startOrGoOn(deps, bank, partner, how))
  } catch (error) {
    if (error instanceof EmailTaken || isTaken(error, 'partners_verification')) throw emailTaken(partner)
    if (!(error instanceof RailUnavailable)) throw error
    throw new AppError('bank_unavailable', 'The bank could not be asked to start verification. Try again shortly.', {
      retryAfterSeconds: 5,
    })
  }
  return (await findPartnerBySlug(deps.db, partner.slug))!
}

/** The bank has one business per email, so that two businesses of one person need two. */
function emailTaken({ contactEmail }: Partner): AppError {
  return new AppError(
    'invalid_request',
    `The bank knows ${contactEmail} already, as the contact of another business. Give this account a contact email of its own in the settings, or let the admin whose address it is sign in to the dashboard; then start again.`,
  )
}

/** A verification that was started is read, not started again: for a day the bank would repeat its first answer. */
async function startOrGoOn(
  deps: Deps,
  bank: PartnerBank,
  partner: Partner,
  { returnUrl, by }: { returnUrl: string | null; by: 'partner' | 'operator' },
): Promise<Verification> {
  const { id, name, contactEmail: email, verificationRef } = partner
  const last = verificationRef === null ? null : await bank.readVerification(verificationRef)
  if (last !== null && (last.status !== 'rejected' || (await hasLiveWallet(deps, id)))) return last
  if (email === null) {
    throw new AppError('invalid_request', 'Verification needs a contact email on the account. Add one first.')
  }
  // Anybody can write any contact email: a link that the bank has for it is handed to somebody who reads its mail.
  const mayTakeUp = by === 'operator' || (await isProvenEmail(deps.db, id, email))
  // Keyed by the rejected verification: two requests that start again at once start one.
  return bank.startVerification({ id, name, email }, { returnUrl, after: verificationRef, mayTakeUp })
}

/** A wallet at the bank belongs to one customer there: a new customer could never use it. */
async function hasLiveWallet(deps: Deps, partnerId: string): Promise<boolean> {
  return (await findWallet(deps.db, { partnerId, environment: 'live' }))?.walletRef != null
}

/** Reads the bank's word on one verification and stores it. */
export async function followVerification(deps: Deps, verificationRef: string): Promise<void> {
  const bank = deps.banks.live
  const partner = bank === null ? null : await findPartnerByVerification(deps.db, verificationRef)
  if (bank === null || partner === null) return
  await keep(deps, partner, await bank.readVerification(verificationRef))
}

/** The bank has decided something about an account holder: its verification is read anew. */
export async function followHolder(deps: Deps, holderRef: string): Promise<void> {
  const verificationRef = await findVerificationOfHolder(deps.db, holderRef)
  if (verificationRef !== null) await followVerification(deps, verificationRef)
}

/** All verifications under way, for when the bank's messages do not come. */
export async function followVerifications(deps: Deps): Promise<void> {
  if (deps.banks.live === null) return
  await followEach(deps, listOpenVerifications)
}

/** The decided ones: a bank that changes its decision must be heard even if its message was lost. */
export async function recheckVerifications(deps: Deps): Promise<void> {
  if (deps.banks.live === null) return
  await followEach(deps, listEndedVerifications)
}

/**
 * Page by page, and one that the bank cannot show holds up no other. A bank that says nothing several times in a row is
 * down: the rest waits for the next round. Throws the first error, once all the others were read.
 */
async function followEach(deps: Deps, list: typeof listOpenVerifications): Promise<void> {
  const failures: unknown[] = []
  let silences = 0
  for (let last = LOWEST_ID; ;) {
    const page = await list(deps.db, last, MOST_AT_ONCE)
    for (const { verificationRef } of page) {
      try {
        await followVerification(deps, verificationRef!)
        silences = 0
      } catch (error) {
        failures.push(error)
        const isAboutThisOne = error instanceof BankRefusal || error instanceof UnreadableAnswer
        silences = isAboutThisOne ? 0 : silences + 1
        if (silences === MOST_SILENCES) throw failures[0]
      }
    }
    if (page.length < MOST_AT_ONCE) break
    last = page.at(-1)!.id
  }
  if (failures.length > 0) throw failures[0]
}

/** Under the partner's lock, so that only one of several who bring the same decision mails it. */
async function keep(deps: Deps, partner: Partner, said: Verification): Promise<void> {
  await deps.db.inTransaction(async (tx) => {
    const before = await lockVerification(tx, partner.id)
    // A new verification was started meanwhile: this is about the one before.
    if (before.verificationRef !== partner.verificationRef) return
    // A decision about a business that was closed meanwhile opens no wallet and is not charged.
    if (before.partnerStatus === 'closed') return
    // The bank named a link for this email, and it is another partner's here.
    const owner = await findPartnerByVerification(tx, said.verificationRef)
    if (owner !== null && owner.id !== partner.id) throw emailTaken(partner)
    setVerification(tx, partner.id, { ...said, at: deps.clock.now() })
    if (said.status === 'approved') await chargeVerification(tx, partner.id)
    if (said.status !== before.status) hurryConnecting(tx, { partnerId: partner.id, environment: 'live' })
    const isNews = said.status !== before.status || (said.status === 'approved' && before.verifiedAt === null)
    if (isNews) {
      noteVerification(tx, partner.id, { ...said, at: deps.clock.now() })
      await tellAdmins(tx, deps, partner, said)
    }
  })
  deps.post.wake()
}

async function tellAdmins(tx: Tx, deps: Deps, { id, name }: Partner, said: Verification): Promise<void> {
  const content =
    said.status === 'approved'
      ? verificationApprovedMail({ businessName: name })
      : said.status === 'rejected'
        ? verificationRejectedMail({ businessName: name, reasons: said.reasons })
        : null
  if (content === null) return
  await mailAdmins(tx, deps, { partnerId: id, kind: `verification_${said.status}`, content })
}
