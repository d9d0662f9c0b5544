import type { VerificationStatus } from '@kestrel/contract'

import { assert } from '../core/assert.ts'
import type { MicroUsdc } from '../core/money.ts'
import type { Scope } from '../core/scope.ts'
import { type Db, type Tx, statement } from './sql.ts'

export interface Partner {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly status: 'active' | 'suspended' | 'closed'
  readonly logoUrl: string | null
  readonly brandColor: string | null
  readonly enabledCountries: readonly string[]
  readonly contactEmail: string | null
  readonly billingEmail: string | null
  readonly verificationStatus: VerificationStatus
  readonly bankStatus: string | null
  readonly continueUrl: string | null
  readonly termsUrl: string | null
  /** What the bank still wants, in words for the business. */
  readonly verificationMissing: readonly string[]
  readonly verifiedAt: Date | null
  readonly verificationRef: string | null
  readonly screening: string
  /** Set when the partner has uploaded a logo; it changes with the image. */
  readonly logoHash: string | null
  readonly lowBalance: MicroUsdc | null
  readonly billingName: string | null
  readonly billingAddress: readonly string[]
  readonly vatNumber: string | null
  readonly createdAt: Date
}

/** The columns of a partner under the names that the program uses; `p` is the table's alias. */
export const PARTNER_COLUMNS = `
  p.id, p.slug, p.name, p.status, p.logo_url as "logoUrl", p.brand_color as "brandColor",
  p.enabled_countries as "enabledCountries", p.contact_email as "contactEmail", p.billing_email as "billingEmail",
  p.verification_status as "verificationStatus", p.provider_status as "bankStatus",
  p.continue_url as "continueUrl", p.terms_url as "termsUrl",
  p.verification_missing as "verificationMissing", p.verified_at as "verifiedAt",
  p.verification_ref as "verificationRef", p.screening, p.remade_logo_hash as "logoHash",
  p.low_balance_micro as "lowBalance", p.billing_name as "billingName", p.billing_address as "billingAddress",
  p.vat_number as "vatNumber", p.created_at as "createdAt"`

const INSERT = statement(
  'insert_partner',
  `insert into partners (id, slug, name, contact_email, billing_email, created_at)
   values ($1, $2, $3, $4, $4, $5) on conflict (slug) do nothing returning id`,
)

/** False when the slug is taken. */
export async function insertPartner(
  tx: Tx,
  partner: { id: string; slug: string; name: string; email: string | null; createdAt: Date },
): Promise<boolean> {
  const { id, slug, name, email, createdAt } = partner
  return (await tx.query(INSERT, [id, slug, name, email, createdAt])).length === 1
}

const BY_SLUG = statement('partner_by_slug', `select ${PARTNER_COLUMNS} from partners p where p.slug = $1`)

export async function findPartnerBySlug(db: Db, slug: string): Promise<Partner | null> {
  return (await db.query<Partner>(BY_SLUG, [slug]))[0] ?? null
}

const BY_ID = statement('partner_by_id', `select ${PARTNER_COLUMNS} from partners p where p.id = $1`)

export async function findPartnerById(db: Db, id: string): Promise<Partner | null> {
  return (await db.query<Partner>(BY_ID, [id]))[0] ?? null
}

const LIST = statement('list_partners', `select ${PARTNER_COLUMNS} from partners p order by p.created_at, p.slug`)

export function listPartners(db: Db): Promise<Partner[]> {
  return db.query<Partner>(LIST)
}

const COUNT = statement('count_partners', 'select 1 from partners limit 1')

export async function hasPartners(db: Db): Promise<boolean> {
  return (await db.query(COUNT)).length > 0
}

const MAY_PAY = statement(
  'may_partner_pay',
  `select 1 from partners
    where id = $1 and status = 'active' and ($2 = 'sandbox' or verification_status = 'approved')`,
)

/** Whether the partner may use this environment now: the rule by which its requests are let in. */
export async function mayPartnerPay(db: Db, scope: Scope): Promise<boolean> {
  return (await db.query(MAY_PAY, [scope.partnerId, scope.environment])).length > 0
}

const SET_STATUS = statement('set_partner_status', 'update partners set status = $2 where id = $1')

export function setPartnerStatus(tx: Tx, partnerId: string, status: Partner['status']): void {
  tx.defer(SET_STATUS, [partnerId, status])
}

const CLOSE = statement('close_partner', `update partners set status = 'closed', closed_at = $2 where id = $1`)

export function markClosed(tx: Tx, partnerId: string, at: Date): void {
  tx.defer(CLOSE, [partnerId, at])
}

const VOUCH = statement('vouch_for_partner', `update partners set verification_status = 'approved' where id = $1`)

/**
 * The operator vouches for the partner. `verified_at`, from which a business is billed, is the bank's approval alone.
 */
export function markVouchedFor(tx: Tx, partnerId: string): void {
  tx.defer(VOUCH, [partnerId])
}

export interface VerificationState {
  readonly partnerStatus: Partner['status']
  readonly status: VerificationStatus
  readonly verificationRef: string | null
  readonly verifiedAt: Date | null
}

const LOCK_VERIFICATION = statement(
  'lock_verification',
  `select status as "partnerStatus", verification_status as status, verification_ref as "verificationRef", verified_at as "verifiedAt"
     from partners where id = $1 for no key update`,
)

export async function lockVerification(tx: Tx, partnerId: string): Promise<VerificationState> {
  const [row] = await tx.query<VerificationState>(LOCK_VERIFICATION, [partnerId])
  assert(row !== undefined, 'a partner is never deleted')
  return row
}

const TERM = statement(
  'partner_term',
  'select created_at as "createdAt", verified_at as "verifiedAt", closed_at as "closedAt" from partners where id = $1',
)

interface Term {
  readonly createdAt: Date
  /** From when to when a partner is billed for its account. */
  readonly verifiedAt: Date | null
  readonly closedAt: Date | null
}

export async function readTerm(db: Db, partnerId: string): Promise<Term> {
  const [row] = await db.query<Term>(TERM, [partnerId])
  assert(row !== undefined, 'a partner is never deleted')
  return row
}

export interface BilledPartner {
  readonly name: string
  /** As the next invoice would have them. */
  readonly billingName: string | null
  readonly billingAddress: readonly string[]
  readonly vatNumber: string | null
  readonly billingEmail: string | null
  readonly brandColor: string | null
  readonly logo: Buffer | null
}

const BILLED = statement(
  'billed_partner',
  `select name, billing_name as "billingName", billing_address as "billingAddress", vat_number as "vatNumber",
          billing_email as "billingEmail", brand_color as "brandColor", remade_logo as logo
     from partners where id = $1`,
)

/** The partner's details that an invoice shows. */
export async function findBilledPartner(db: Db, partnerId: string): Promise<BilledPartner | null> {
  return (await db.query<BilledPartner>(BILLED, [partnerId]))[0] ?? null
}

const LOCK = statement('lock_partner', 'select 1 from partners where id = $1 for no key update')

const LOCK_STATUS = statement('lock_partner_status', 'select status from partners where id = $1 for no key update')

/** The partner's status, which nobody changes until the transaction ends. This lock comes before the wallet's. */
export async function lockStatus(tx: Tx, partnerId: string): Promise<Partner['status']> {
  const [row] = await tx.query<Pick<Partner, 'status'>>(LOCK_STATUS, [partnerId])
  assert(row !== undefined, 'a partner is never deleted')
  return row.status
}

/** Serialises callers that count a partner's rows before adding one. */
export async function lockPartner(tx: Tx, partnerId: string): Promise<void> {
  await tx.query(LOCK, [partnerId])
}

const SET_VERIFICATION = statement(
  'set_verification',
  `update partners set verification_status = $2, provider_status = $3, continue_url = $4, terms_url = $5,
          verification_ref = $6, live_customer_ref = coalesce($7, live_customer_ref),
          verified_at = case when $2 = 'approved' then coalesce(verified_at, $8) else verified_at end,
          verification_missing = $9
    where id = $1`,
)

/** Stores the bank's verdict on a partner's business. */
export function setVerification(
  tx: Tx,
  partnerId: string,
  said: {
    status: VerificationStatus
    bankStatus: string
    continueUrl: string | null
    termsUrl: string | null
    verificationRef: string
    holderRef: string | null
    missing: readonly string[]
    at: Date
  },
): void {
  const { status, bankStatus, continueUrl, termsUrl, verificationRef, holderRef, missing, at } = said
  const links = [continueUrl, termsUrl, verificationRef]
  tx.defer(SET_VERIFICATION, [partnerId, status, bankStatus, ...links, holderRef, at, [...missing]])
}

const BY_VERIFICATION = statement(
  'partner_by_verification',
  `select ${PARTNER_COLUMNS} from partners p where p.verification_ref = $1`,
)

export async function findPartnerByVerification(db: Db, verificationRef: string): Promise<Partner | null> {
  return (await db.query<Partner>(BY_VERIFICATION, [verificationRef]))[0] ?? null
}

const OF_HOLDER = statement(
  'verification_of_holder',
  'select verification_ref as ref from partners where live_customer_ref = $1 and verification_ref is not null',
)

/** The verification by which an account holder of the live bank became one. */
export async function findVerificationOfHolder(db: Db, holderRef: string): Promise<string | null> {
  return (await db.query<{ ref: string }>(OF_HOLDER, [holderRef]))[0]?.ref ?? null
}

const OPEN_VERIFICATIONS = statement(
  'open_verifications',
  `select ${PARTNER_COLUMNS} from partners p
    where p.verification_ref is not null and p.verification_status in ('in_progress', 'in_review')
      and p.status <> 'closed' and p.id > $1
    order by p.id limit $2`,
)

/** The verifications under way, in pages. */
export function listOpenVerifications(db: Db, afterId: string, most: number): Promise<Partner[]> {
  return db.query<Partner>(OPEN_VERIFICATIONS, [afterId, most])
}

const ENDED_VERIFICATIONS = statement(
  'ended_verifications',
  `select ${PARTNER_COLUMNS} from partners p
    where p.verification_ref is not null and p.verification_status not in ('in_progress', 'in_review')
      and p.status <> 'closed' and p.id > $1
    order by p.id limit $2`,
)

/** The verifications that the bank has decided, in pages. */
export function listEndedVerifications(db: Db, afterId: string, most: number): Promise<Partner[]> {
  return db.query<Partner>(ENDED_VERIFICATIONS, [afterId, most])
}
