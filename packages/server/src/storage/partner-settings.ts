// The settings that a partner makes for itself.
import type { MicroUsdc } from '../core/money.ts'
import { PARTNER_COLUMNS, type Partner } from './partners.ts'
import { type Tx, statement } from './sql.ts'

export interface PartnerSettings {
  readonly name: string
  readonly brandColor: string | null
  readonly billingEmail: string
  readonly contactEmail: string
  readonly lowBalance: MicroUsdc | null
  readonly billingName: string | null
  readonly billingAddress: readonly string[]
  readonly vatNumber: string | null
}

const COLUMN: Readonly<Record<keyof PartnerSettings, string>> = {
  name: 'name',
  brandColor: 'brand_color',
  billingEmail: 'billing_email',
  contactEmail: 'contact_email',
  lowBalance: 'low_balance_micro',
  billingName: 'billing_name',
  billingAddress: 'billing_address',
  vatNumber: 'vat_number',
}

/** Changes the given fields, and returns the partner as it is now. */
export async function changeSettings(
  tx: Tx,
  partnerId: string,
  changes: Partial<PartnerSettings>,
): Promise<Partner | null> {
  const values: unknown[] = [partnerId]
  const set = (Object.keys(COLUMN) as (keyof PartnerSettings)[])
    .filter((name) => changes[name] !== undefined)
    .map((name) => `${COLUMN[name]} = $${values.push(changes[name])}`)
  // An update of nothing still returns the partner.
  const text = `update partners p set ${set.length === 0 ? 'id = id' : set.join(', ')} where p.id = $1`
  return (await tx.query<Partner>(statement('', `${text} returning ${PARTNER_COLUMNS}`), values))[0] ?? null
}
