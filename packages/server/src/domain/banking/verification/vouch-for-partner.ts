// The operator vouches for a business. Where there is a live bank, the bank decides: the business is opened there like
// any other, and may be asked for documents. Where there is none, live keys can be made, and nothing else begins: no
// wallet, no money, no billing.
import { AppError } from '../../../core/errors.ts'
import { vouchedForMail } from '../../../mail/templates/verification-mails.ts'
import { type Partner, findPartnerBySlug, lockVerification, markVouchedFor } from '../../../storage/partners.ts'
import type { Deps } from '../../deps.ts'
import { mailAdmins } from '../../notices/mail-admins.ts'
import { findPartner } from '../../partners/find-partner.ts'
import { noteVerification } from './note-verification.ts'
import { startVerification } from './verification.ts'

export async function vouchForPartner(deps: Deps, slug: string, returnUrl: string | null): Promise<Partner> {
  const partner = await findPartner(deps, slug)
  if (partner.status === 'closed') {
    throw new AppError('invalid_request', `${slug} is closed for good. Nothing was changed.`)
  }
  if (deps.banks.live !== null) return startVerification(deps, partner, { returnUrl, by: 'operator' })
  if (partner.verificationRef !== null && partner.verificationStatus !== 'approved') {
    throw new AppError(
      'bank_unavailable',
      `The bank has begun to verify ${slug} (${partner.verificationStatus}), and no live bank is configured here. Set BANK_LIVE_URL and BANK_LIVE_API_KEY as the service has them.`,
    )
  }
  await deps.db.inTransaction(async (tx) => {
    const before = await lockVerification(tx, partner.id)
    if (before.status === 'approved' || before.partnerStatus === 'closed') return
    markVouchedFor(tx, partner.id)
    noteVerification(tx, partner.id, { status: 'approved', bankStatus: partner.bankStatus, at: deps.clock.now() })
    const content = vouchedForMail({ businessName: partner.name })
    await mailAdmins(tx, deps, { partnerId: partner.id, kind: 'verification_vouched_for', content })
  })
  deps.post.wake()
  return (await findPartnerBySlug(deps.db, slug))!
}
