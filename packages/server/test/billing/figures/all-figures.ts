import { auditInvoices } from '../../../src/domain/billing/audit-invoices.ts'
import { issueDueInvoices } from '../../../src/domain/billing/issue-invoices.ts'
import { auditRollups } from '../../../src/domain/rollups/audit-rollups.ts'
import { findBreaks } from '../../../src/storage/book-checks.ts'
import type { TestPartner } from '../../support/fixtures.ts'
import { compareInvoices } from './invoice-figures.ts'
import type { Look } from './look.ts'
import { comparePayoutSums } from './payout-sums.ts'
import { compareStatements } from './statement-figures.ts'

/** Every figure that two places show, after the month's invoices, and what the program's own audits say. */
export async function compareAll(look: Look, wallets: { live: TestPartner; sandbox: TestPartner }): Promise<void> {
  const { test, differences } = look
  await issueDueInvoices(test.deps)
  differences.compare('the audit of invoices', { found: (await auditInvoices(test.deps)).breaks, 'should find': [] })
  await auditRollups(test.deps, ({ slug, environment }, { check, detail }) =>
    differences.tell(`the audit of kept sums, ${slug} in ${environment}: ${check}, ${detail}`),
  )
  differences.compare('the checks of the books', { found: await findBreaks(test.owner), 'should find': [] })
  await compareInvoices(look, wallets.live)
  for (const wallet of [wallets.live, wallets.sandbox]) {
    await comparePayoutSums(look, wallet)
    await compareStatements(look, wallet)
  }
}
