// The operator's decisions about a partner. Each takes effect at the partner's next request.
import { AppError } from '../../core/errors.ts'
import { formatUsdcHeld, microUsdc } from '../../core/money.ts'
import { lockWallet, readWalletAccounts } from '../../storage/ledger.ts'
import { type Partner, markClosed, setPartnerStatus } from '../../storage/partners.ts'
import type { Deps } from '../deps.ts'
import { findPartner } from './find-partner.ts'

export async function changePartnerStatus(
  deps: Pick<Deps, 'db'>,
  slug: string,
  status: 'active' | 'suspended',
): Promise<Partner> {
  const partner = await findPartner(deps, slug)
  if (partner.status === 'closed') {
    throw new AppError('invalid_request', `${slug} is closed for good. Nothing was changed.`)
  }
  await deps.db.inTransaction(async (tx) => setPartnerStatus(tx, partner.id, status))
  return { ...partner, status }
}

/** For good: nothing is deleted, its requests are refused, and this month's invoice is its last. */
export async function closePartner(deps: Pick<Deps, 'db' | 'clock'>, slug: string): Promise<Partner> {
  const partner = await findPartner(deps, slug)
  if (partner.status === 'closed') return partner
  const live = { partnerId: partner.id, environment: 'live' } as const
  await deps.db.inTransaction(async (tx) => {
    // Under the wallet's lock, so that nothing is reserved or credited between the check and the closing.
    await lockWallet(tx, live)
    const { available, held, inTransit } = await readWalletAccounts(tx, live)
    const left = microUsdc(available + held + inTransit)
    if (left > 0n) {
      throw new AppError(
        'invalid_request',
        `${slug} still has ${formatUsdcHeld(left)} USDC in live, in its wallet or on its way. Pay it back first. Nothing was changed.`,
      )
    }
    markClosed(tx, partner.id, deps.clock.now())
  })
  return { ...partner, status: 'closed' }
}
