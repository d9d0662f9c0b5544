// How far a business is on its way to live payouts, and what has to happen next.
import { type ConnectingTrouble, listConnectingTroubles, readConnectingTrouble } from '../../../storage/connecting.ts'
import type { Partner } from '../../../storage/partners.ts'
import { findWallet, listVerifiedWithoutWallet } from '../../../storage/wallets.ts'
import type { Deps } from '../../deps.ts'
import { wordsForBusiness } from './missing-at-bank.ts'

export interface LiveStanding {
  /** Whether its wallet is open at the live bank: only then can it hold money and pay. */
  readonly isOpen: boolean
  /** Whether there is a bank that could verify it. */
  readonly hasBank: boolean
  readonly detail: string
  /** What keeps live from being complete, in words for the business. */
  readonly missing: readonly string[]
}

export async function readLiveStanding(deps: Pick<Deps, 'db' | 'banks'>, partner: Partner): Promise<LiveStanding> {
  const hasBank = deps.banks.live !== null
  const scope = { partnerId: partner.id, environment: 'live' } as const
  const [wallet, trouble] = await Promise.all([findWallet(deps.db, scope), readConnectingTrouble(deps.db, scope)])
  const missing = [...partner.verificationMissing, ...(trouble === null ? [] : wordsForBusiness(trouble))]
  if (wallet?.walletRef != null) {
    const isApproved = partner.verificationStatus === 'approved'
    const detail = isApproved
      ? `its wallet is open at the bank${trouble === null ? '' : `; ${trouble.trouble}`}`
      : `its wallet is open at the bank, which has taken back its word: ${partner.bankStatus ?? 'no status'}`
    return { isOpen: isApproved, hasBank, detail, missing }
  }
  const detail = [whatIsMissing(partner, hasBank), ...(trouble === null ? [] : [trouble.trouble])].join('; ')
  return { isOpen: false, hasBank, detail, missing }
}

function whatIsMissing(partner: Partner, hasBank: boolean): string {
  const { slug, verificationStatus: status, verificationRef, continueUrl, termsUrl } = partner
  if (status === 'approved' && verificationRef !== null)
    return 'the bank approved it; the worker opens its wallet there'
  if (status === 'approved' && hasBank) {
    return `you vouched for it, and the bank has not heard of it: run kestrel partner verify ${slug}`
  }
  if (status === 'approved') {
    return `you vouched for it, and there is no live bank, so it can hold and pay nothing and is not billed. Set BANK_LIVE_URL and BANK_LIVE_API_KEY, then run kestrel partner verify ${slug}`
  }
  if (status === 'rejected') return 'the bank rejected it; it can start again, by itself or with kestrel partner verify'
  if (status === 'not_started') return 'verification has not started'
  const links = [continueUrl, termsUrl].filter((url) => url !== null)
  const wanted = partner.verificationMissing.length === 0 ? '' : `: ${partner.verificationMissing.join(' ')}`
  return `the bank decides (${partner.bankStatus ?? status})${wanted}${links.length === 0 ? '' : `; the business goes on at ${links.join(' and ')}`}`
}

/** The short names of verified businesses that have no wallet at the bank yet. */
export function listNotOpen(deps: Pick<Deps, 'db'>): Promise<string[]> {
  return listVerifiedWithoutWallet(deps.db)
}

const MOST_SHOWN = 20

/** Wallets that the bank has not opened, or not in full, in either environment. */
export function listNotConnected(deps: Pick<Deps, 'db'>): Promise<ConnectingTrouble[]> {
  return listConnectingTroubles(deps.db, MOST_SHOWN)
}
