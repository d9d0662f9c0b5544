// The operator's decisions about a partner. Each takes effect at the partner's next request.
import { AppError } from '../../core/errors.ts'
import { formatUsdcExact, microUsdc } from '../../core/money.ts'
import type { Scope } from '../../core/scope.ts'
import { readReturning } from '../../storage/bank-comparison.ts'
import { lockWallet, readSuspense, readWalletAccounts } from '../../storage/ledger.ts'
import { type Partner, lockStatus, markClosed, setPartnerStatus } from '../../storage/partners.ts'
import type { Tx } from '../../storage/sql.ts'
import { changesBetween } from '../activity/audited.ts'
import { addOperatorAction } from '../activity/record-operator-action.ts'
import type { Deps } from '../deps.ts'
import { findPartner } from './find-partner.ts'

const VERBS = { active: 'partner.activate', suspended: 'partner.suspend' } as const

export async function changePartnerStatus(
  deps: Pick<Deps, 'db' | 'clock'>,
  slug: string,
  status: 'active' | 'suspended',
): Promise<Partner> {
  const partner = await findPartner(deps, slug)
  await deps.db.inTransaction(async (tx) => {
    // Under the partner's lock: somebody may be closing it at this moment.
    const before = await lockStatus(tx, partner.id)
    if (before === 'closed') {
      throw new AppError('invalid_request', `${slug} is closed for good. Nothing was changed.`)
    }
    setPartnerStatus(tx, partner.id, status)
    const audited = { subject: null, changes: changesBetween({ status: before }, { status }) }
    addOperatorAction(tx, deps, { partnerId: partner.id, action: VERBS[status], detail: null, audited })
  })
  return { ...partner, status }
}

/**
 * For good: nothing is deleted, its requests are refused, and it pays for no further month. Charges that come later,
 * such as for a payout that is sent back, are still billed.
 */
export async function closePartner(deps: Pick<Deps, 'db' | 'clock'>, slug: string): Promise<Partner> {
  const partner = await findPartner(deps, slug)
  const live = { partnerId: partner.id, environment: 'live' } as const
  await deps.db.inTransaction(async (tx) => {
    const before = await lockStatus(tx, partner.id)
    if (before === 'closed') return
    // Under the wallet's lock, so that nothing is reserved, credited or sent back between the check and the closing.
    await lockWallet(tx, live)
    await refuseWithMoney(tx, slug, live)
    markClosed(tx, partner.id, deps.clock.now())
    const audited = { subject: null, changes: changesBetween({ status: before }, { status: 'closed' }) }
    addOperatorAction(tx, deps, { partnerId: partner.id, action: 'partner.close', detail: null, audited })
  })
  return { ...partner, status: 'closed' }
}

async function refuseWithMoney(tx: Tx, slug: string, live: Scope): Promise<void> {
  const { available, held, inTransit } = await readWalletAccounts(tx, live)
  // What comes back of a payout that had arrived is in no account of the wallet yet.
  const left = microUsdc(available + held + inTransit + (await readReturning(tx, live)))
  if (left > 0n) {
    throw new AppError(
      'invalid_request',
      `${slug} still has ${formatUsdcExact(left)} USDC in live, in its wallet or on its way. Pay it back first. Nothing was changed.`,
    )
  }
  const owed = microUsdc(-(await readSuspense(tx, live)))
  if (owed > 0n) {
    throw new AppError(
      'invalid_request',
      `The bank has taken ${formatUsdcExact(owed)} USDC from ${slug} beyond what its live wallet had. Settle that first, with kestrel wallet credit. Nothing was changed.`,
    )
  }
}
