// Creates a business: its account, both wallets, the sandbox float, and a first sandbox key.
import { AppError } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { parseUsdc } from '../../core/money.ts'
import { DEFAULT_PLAN } from '../../core/plan.ts'
import { firstRail } from '../../rail/which-rail.ts'
import { insertMember } from '../../storage/members.ts'
import { type Partner, findPartnerBySlug, insertPartner } from '../../storage/partners.ts'
import type { Tx } from '../../storage/sql.ts'
import { insertPlan } from '../../storage/plans.ts'
import { openWallet } from '../../storage/wallets.ts'
import { type CreatedKey, createKeyIn } from '../api-keys/create-key.ts'
import { noteKey } from '../api-keys/note-key.ts'
import type { Deps } from '../deps.ts'
import { creditWalletIn } from '../wallet/credit-wallet.ts'
import { isReservedSlug } from './slug.ts'

/** About 7,900 GBP of test float at the sandbox's rate (spec, part 8). */
/** What a sandbox begins with, and has again once it is reset. */
export const SANDBOX_FLOAT = parseUsdc('10000.00')!

const SLUG = /^[a-z0-9-]{2,40}$/
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

export interface NewPartner {
  readonly name: string
  readonly slug: string
  readonly adminEmail: string | null
  readonly adminName?: string | null
}

export async function createPartner(
  deps: Pick<Deps, 'db' | 'clock' | 'bankRails'>,
  wanted: NewPartner,
): Promise<{ partner: Partner; sandboxKey: CreatedKey }> {
  const created = await deps.db.inTransaction((tx) => createPartnerIn(tx, deps, wanted))
  if (created === null) throw new AppError('invalid_request', `The slug ${wanted.slug} is taken. Choose another.`)
  return { partner: (await findPartnerBySlug(deps.db, wanted.slug))!, sandboxKey: created.sandboxKey }
}

/** Null when the slug is taken; nothing has happened then. */
export async function createPartnerIn(
  tx: Tx,
  { clock, bankRails }: Pick<Deps, 'clock' | 'bankRails'>,
  wanted: NewPartner,
): Promise<{ partnerId: string; sandboxKey: CreatedKey } | null> {
  const email = wanted.adminEmail?.toLowerCase() ?? null
  refuseUnlessSound(wanted, email)
  const at = clock.now()
  const id = newId(at)
  if (!(await insertPartner(tx, { id, slug: wanted.slug, name: wanted.name, email, createdAt: at }))) return null
  insertPlan(tx, { ...DEFAULT_PLAN, partnerId: id, validFrom: at })
  for (const environment of ['sandbox', 'live'] as const) {
    openWallet(tx, { partnerId: id, environment }, firstRail(bankRails, environment), at)
  }
  if (email !== null) {
    const admin = { partnerId: id, id: newId(at), email, name: wanted.adminName ?? null, invitedBy: null }
    await insertMember(tx, { ...admin, role: 'admin', createdAt: at })
  }
  const sandbox = { partnerId: id, environment: 'sandbox' } as const
  await creditWalletIn(tx, sandbox, { amount: SANDBOX_FLOAT, reason: 'Sandbox float' }, at)
  const sandboxKey = await createKeyIn(tx, id, { environment: 'sandbox', label: 'First key', at })
  await noteKey(tx, id, { type: 'api_key.created', key: sandboxKey, at })
  return { partnerId: id, sandboxKey }
}

function refuseUnlessSound(wanted: NewPartner, email: string | null): void {
  if (!SLUG.test(wanted.slug)) {
    throw new AppError(
      'invalid_request',
      `The slug ${JSON.stringify(wanted.slug)} is not allowed: 2 to 40 lower-case letters, digits or hyphens.`,
    )
  }
  if (isReservedSlug(wanted.slug)) {
    throw new AppError('invalid_request', `The slug ${wanted.slug} is the name of a page. Choose another.`)
  }
  if (wanted.name.trim() === '' || wanted.name.length > 120) {
    throw new AppError('invalid_request', 'A partner needs a name of 1 to 120 characters.')
  }
  if (email !== null && (!EMAIL.test(email) || email.length > 254)) {
    throw new AppError('invalid_request', `${JSON.stringify(wanted.adminEmail)} is not an email address.`)
  }
}
