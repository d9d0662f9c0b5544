// A business with entries in its log, and somebody with all the rights of the database's owner who changes it.
import { insertActivity } from '../../src/storage/activity.ts'
import { newId } from '../../src/core/ids.ts'
import { createSealer } from '../../src/domain/audit/seal-activity.ts'
import { type FoundProblem, verifyPartner } from '../../src/domain/audit/verify-all.ts'
import { statement } from '../../src/storage/sql.ts'
import type { TestApp } from '../support/app.ts'
import { type TestPartner, aPartner } from '../support/fixtures.ts'

export async function addEntries(test: TestApp, partnerId: string, count: number, at?: Date): Promise<string[]> {
  const moment = at ?? test.clock.now()
  const entries = Array.from({ length: count }, (_, index) => ({
    id: newId(moment),
    at: new Date(moment.getTime() + index),
    environment: 'sandbox' as const,
    action: 'key.change',
    status: 200,
    by: 'ada@thistle.test',
    detail: `“quoted”, \\ and 🦅 ${index}`,
    keyId: null,
    byName: 'Ada Lovelace',
    audited: { subject: '“orders”', changes: [{ field: 'daily_gbp', before: null, after: '500.00' }] },
    request: { method: 'PATCH', path: '/v1/keys/x', durationMs: index, ip: '203.0.113.7' },
  }))
  await test.deps.db.inTransaction(async (tx) =>
    insertActivity(
      tx,
      entries.map((entry) => ({ partnerId, ...entry })),
    ),
  )
  return entries.map(({ id }) => id)
}

export async function seal(test: TestApp): Promise<void> {
  const sealSome = createSealer(test.deps)
  while (await sealSome());
}

/** A business with so many sealed entries in its sandbox's chain. */
export async function aSealedLog(test: TestApp, count: number): Promise<TestPartner & { readonly ids: string[] }> {
  const partner = await aPartner(test)
  const ids = await addEntries(test, partner.id, count)
  await seal(test)
  return { ...partner, ids }
}

/** Past every guard of the tables. */
export function tamper(test: TestApp, text: string, values: readonly unknown[] = []): Promise<unknown[]> {
  return test.owner.inTransaction(async (tx) => {
    await tx.query(statement('', 'set local session_replication_role = replica'))
    return tx.query(statement('', text), values)
  })
}

export async function verify(test: TestApp, partnerId: string, keptSince: Date | null = null) {
  const problems: FoundProblem[] = []
  const sums = await verifyPartner(test.deps, { partnerId, keptSince }, (problem) => problems.push(problem))
  return { ...sums, found: problems }
}
