import type { Account, Balance, Compliance, PublicPartner } from '@kestrel/contract'

import { formatPence, formatUsdcHeld } from '../../core/money.ts'
import type { LiveStanding } from '../../domain/banking/verification/live-standing.ts'
import { pricesInWords } from '../../domain/charges/prices.ts'
import type { WalletBalance } from '../../domain/wallet/read-balance.ts'
import type { Runway } from '../../domain/wallet/runway.ts'
import { railKind } from '../../core/rail-name.ts'
import type { Caller } from '../access/caller.ts'
import { presentPauseOfAccount } from './payout-pause.ts'
import { rateAsNumber } from './rate.ts'

type Face = Pick<Caller, 'slug' | 'name' | 'logoUrl' | 'logoHash' | 'brandColor'>

export function presentPublicPartner(partner: Face, publicUrl: string): PublicPartner {
  const { slug, name, brandColor } = partner
  return { slug, name, logo_url: presentLogoUrl(partner, publicUrl), brand_color: brandColor }
}

/** We serve an uploaded image ourselves, at an address that changes with it. */
export function presentLogoUrl(
  { slug, logoUrl, logoHash }: Pick<Face, 'slug' | 'logoUrl' | 'logoHash'>,
  publicUrl: string,
): string | null {
  return logoHash === null ? logoUrl : `${publicUrl}/v1/public/partners/${slug}/logo?v=${logoHash.slice(0, 16)}`
}

export function presentAccount(caller: Caller): Account {
  return {
    object: 'account',
    id: caller.id,
    name: caller.name,
    status: caller.status,
    environment: caller.environment,
    funding_wallet: { currency: 'USDC', chain: caller.chain, address: caller.address },
    enabled_countries: [...caller.enabledCountries],
    prices: pricesInWords(caller),
    rail: railKind(caller),
    payouts_pause: presentPauseOfAccount(caller, caller),
  }
}

export function presentBalance(balance: WalletBalance): Balance {
  return {
    object: 'balance',
    usdc: formatUsdcHeld(balance.available),
    approx_gbp: formatPence(balance.approximately),
    gbp_per_usd: rateAsNumber(balance.rate),
    runway: balance.runway === null ? null : presentRunway(balance.runway),
  }
}

function presentRunway(runway: Runway): NonNullable<Balance['runway']> {
  return {
    days: Number(runway.tenthsOfDays) / 10,
    payouts: Number(runway.payouts),
    gbp_per_day: formatPence(runway.perDay),
    suggested_top_up_usdc: formatUsdcHeld(runway.suggested),
  }
}

export function presentCompliance(caller: Caller, { hasBank, isOpen, missing }: LiveStanding): Compliance {
  return {
    object: 'compliance',
    business_verification: {
      status: caller.verificationStatus,
      provider_status: caller.bankStatus,
      continue_url: caller.continueUrl,
      terms_url: caller.termsUrl,
      can_start: hasBank,
      live_open: isOpen,
      missing: [...missing],
    },
    account: {
      isolated_wallet: true,
      wallet_chain: caller.chain,
      enabled_countries: [...caller.enabledCountries],
      payout_limits_gbp: {
        min: formatPence(caller.smallestPayout),
        max_per_payout: formatPence(caller.largestPayout),
      },
      billing_email: caller.billingEmail,
      contact_email: caller.contactEmail,
    },
    screening: caller.screening,
  }
}
