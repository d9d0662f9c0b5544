import type { Deps } from '../../src/domain/deps.ts'
import { chargeVerification } from '../../src/domain/charges/charge-verification.ts'
import { type Partner, findPartnerBySlug } from '../../src/storage/partners.ts'
import { statement } from '../../src/storage/sql.ts'

/** A business as the bank's approval leaves it, where there is no bank to ask: verified, charged, and billed from now. */
export async function verifyPartner(deps: Pick<Deps, 'db' | 'clock'>, slug: string): Promise<Partner> {
  const { id } = (await findPartnerBySlug(deps.db, slug))!
  await deps.db.inTransaction(async (tx) => {
    tx.defer(
      statement(
        '',
        `update partners set verification_status = 'approved', verified_at = coalesce(verified_at, $2) where id = $1`,
      ),
      [id, deps.clock.now()],
    )
    await chargeVerification(tx, id)
  })
  return (await findPartnerBySlug(deps.db, slug))!
}
