import type { Account, Balance, Compliance, PublicPartner } from '@kestrel/contract'

import { formatPence, formatUsdcHeld } from '../../core/money.ts'
import { pricesInWords } from '../../domain/fees/prices.ts'
import type { WalletBalance } from '../../domain/wallet/read-balance.ts'
import type { Caller } from '../caller.ts'
import { rateAsNumber } from './rate.ts'

export function presentPublicPartner(partner: Pick<Caller, 'slug' | 'name' | 'logoUrl' | 'brandColor'>): PublicPartner {
  return { slug: partner.slug, name: partner.name, logo_url: partner.logoUrl, brand_color: partner.brandColor }
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
    rail: caller.rail,
  }
}

export function presentBalance(balance: WalletBalance): Balance {
  return {
    object: 'balance',
    usdc: formatUsdcHeld(balance.available),
    approx_gbp: formatPence(balance.approximately),
    gbp_per_usd: rateAsNumber(balance.rate),
  }
}

export function presentCompliance(caller: Caller): Compliance {
  return {
    object: 'compliance',
    business_verification: {
      status: caller.verificationStatus,
      provider_status: caller.providerStatus,
      continue_url: caller.continueUrl,
      terms_url: caller.termsUrl,
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
