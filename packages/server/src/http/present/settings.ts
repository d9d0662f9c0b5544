import type { ChangeSettingsRequest, Settings } from '@kestrel/contract'

import { formatUsdcHeld, parseUsdc } from '../../core/money.ts'
import type { PartnerSettings } from '../../domain/partners/settings.ts'
import type { Caller } from '../access/caller.ts'
import { presentLogoUrl } from './account.ts'

type SettingsValue = Pick<Caller, 'slug' | 'logoUrl' | 'logoHash' | 'billingEmail' | 'contactEmail'> &
  Omit<PartnerSettings, 'billingEmail' | 'contactEmail'>

export function presentSettings(partner: SettingsValue, publicUrl: string): Settings {
  return {
    object: 'settings',
    name: partner.name,
    slug: partner.slug,
    logo_url: presentLogoUrl(partner, publicUrl),
    brand_color: partner.brandColor,
    billing_email: partner.billingEmail,
    contact_email: partner.contactEmail,
    billing_name: partner.billingName,
    billing_address: [...partner.billingAddress],
    vat_number: partner.vatNumber,
    low_balance_usdc: partner.lowBalance === null ? null : formatUsdcHeld(partner.lowBalance),
  }
}

/** A request's changes under the program's own names. */
export function settingsIn(body: ChangeSettingsRequest): Partial<PartnerSettings> {
  const { name, brand_color: colour, billing_email: billing, contact_email: contact, low_balance_usdc: low } = body
  const { billing_name: billedName, billing_address: address, vat_number: vatNumber } = body
  return {
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(colour === undefined ? {} : { brandColor: colour?.toLowerCase() ?? null }),
    ...(billing === undefined ? {} : { billingEmail: billing.toLowerCase() }),
    ...(contact === undefined ? {} : { contactEmail: contact.toLowerCase() }),
    ...(billedName === undefined ? {} : { billingName: billedName?.trim() ?? null }),
    ...(address === undefined ? {} : { billingAddress: address.map((line) => line.trim()) }),
    ...(vatNumber === undefined ? {} : { vatNumber: vatNumber?.trim() ?? null }),
    ...(low === undefined ? {} : { lowBalance: low === null ? null : parseUsdc(low) }),
  }
}
