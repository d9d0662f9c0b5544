// Business verification: started here, done at the bank, moved by the bank's word alone.
import { AppError } from '../../core/errors.ts'
import { LOWEST_ID } from '../../core/ids.ts'
import type { Verification } from '../../rail/partner-bank.ts'
import { RailUnavailable } from '../../rail/rail.ts'
import {
  type Partner,
  findPartnerBySlug,
  findPartnerByVerification,
  listEndedVerifications,
  listOpenVerifications,
  setVerification,
} from '../../storage/partners.ts'
import type { Deps } from '../deps.ts'
import { chargeVerification } from '../fees/charge-verification.ts'

const MOST_AT_ONCE = 100

/** Starts it, or goes on with it: the same links again, as long as the bank keeps them. */
export async function startVerification(deps: Deps, partner: Partner, returnUrl: string): Promise<Partner> {
  const bank = deps.banks.live
  if (partner.verificationStatus === 'approved') return partner
  if (bank === null) {
    throw new AppError(
      'bank_unavailable',
      'No bank is connected for live payments yet, so verification cannot start. The operator connects one; sandbox has everything else meanwhile.',
    )
  }
  if (partner.contactEmail === null) {
    throw new AppError('invalid_request', 'Verification needs a contact email on the account. Add one first.')
  }
  try {
    const { id, name, contactEmail: email } = partner
    // What has been started is read, not started again: the bank would answer with its first word for a day.
    const said =
      partner.verificationRef === null
        ? await bank.startVerification({ id, name, email }, returnUrl)
        : await bank.readVerification(partner.verificationRef)
    await keep(deps, partner, said)
  } catch (error) {
    if (!(error instanceof RailUnavailable)) throw error
    throw new AppError('bank_unavailable', 'The bank could not be asked to start verification. Try again shortly.', {
      retryAfterSeconds: 5,
    })
  }
  return (await findPartnerBySlug(deps.db, partner.slug))!
}

/** Reads the bank's word on one verification and keeps it. */
export async function followVerification(deps: Deps, verificationRef: string): Promise<void> {
  const bank = deps.banks.live
  const partner = bank === null ? null : await findPartnerByVerification(deps.db, verificationRef)
  if (bank === null || partner === null) return
  await keep(deps, partner, await bank.readVerification(verificationRef))
}

/** All that are under way; for when the bank's messages do not come. */
export async function followVerifications(deps: Deps): Promise<void> {
  if (deps.banks.live === null) return
  for (const partner of await listOpenVerifications(deps.db, MOST_AT_ONCE)) {
    await followVerification(deps, partner.verificationRef!)
  }
}

/** Those that were decided: a bank that takes its word back must be heard even if its message was not. */
export async function recheckVerifications(deps: Deps): Promise<void> {
  if (deps.banks.live === null) return
  let last = LOWEST_ID
  for (;;) {
    const decided = await listEndedVerifications(deps.db, last, MOST_AT_ONCE)
    for (const partner of decided) await followVerification(deps, partner.verificationRef!)
    if (decided.length < MOST_AT_ONCE) return
    last = decided.at(-1)!.id
  }
}

async function keep(deps: Deps, partner: Partner, said: Verification): Promise<void> {
  await deps.db.inTransaction(async (tx) => {
    setVerification(tx, partner.id, { ...said, at: deps.clock.now() })
    if (said.status === 'approved') await chargeVerification(tx, partner.id)
  })
}
