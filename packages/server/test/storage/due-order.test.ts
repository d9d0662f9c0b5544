// What is due is looked at in the order in which it is: whoever runs out of time has left the least overdue, wherever the rows lie.
import { afterAll, beforeAll, expect, it } from 'vitest'

import { newId } from '../../src/core/ids.ts'
import { listDuePayouts } from '../../src/storage/due-payouts.ts'
import { claimDuePayouts } from '../../src/storage/payout-follow-ups.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, createPayout, sql } from '../support/fixtures.ts'
import { type Owner, ownerOf } from './owner.ts'

const SIX = 6
let test: TestApp
let partner: TestPartner
let owner: Owner
beforeAll(async () => {
  test = await startTestApp({ banks: { sandbox: null, live: null } })
  owner = await ownerOf(test.database.ownerUrl)
  partner = await aPartner(test)
  for (let nth = 0; nth < SIX; nth++) await createPayout(test, partner)
})
afterAll(async () => {
  await owner.end()
  await test.close()
})

/** Youngest first, one after the other, so that they lie so. */
async function lieInReverse(nextCheckAt: string): Promise<readonly string[]> {
  const rows = await sql<{ id: string }>(test, 'select id from payouts where partner_id = $1 order by id', [partner.id])
  for (const { id } of rows.toReversed()) {
    await sql(
      test,
      `update payout_follow_ups set completes_at = null, lease_token = null, lease_until = null, next_check_at = ${nextCheckAt}
        where payout_id = $1`,
      [id],
    )
  }
  await owner.query('vacuum full payout_follow_ups')
  const lying = await sql<{ id: string }>(test, 'select payout_id as id from payout_follow_ups order by ctid')
  const ids = rows.map(({ id }) => id)
  expect(lying.map(({ id }) => id)).toEqual(ids.toReversed())
  return ids
}

async function dueAndClaimed(now: Date): Promise<Record<'due' | 'claimed', readonly string[]>> {
  const due = await listDuePayouts(test.deps.db, 'sandbox', { now, most: 256, except: [] })
  const lease = { leaseToken: newId(now), leaseUntil: new Date(now.getTime() + 30_000) }
  const claimed = await test.deps.db.inTransaction((tx) => claimDuePayouts(tx, 'sandbox', { due, now, ...lease }))
  return { due: due.map(({ id }) => id), claimed: claimed.map(({ id }) => id) }
}

it.each([
  { which: 'of one moment come by age', nextCheckAt: `'2020-01-01'` },
  {
    which: 'come longest overdue first',
    nextCheckAt: `(select created_at - interval '1 year' from payouts where id = payout_id)`,
  },
])('payouts $which, and are claimed so', async ({ nextCheckAt }) => {
  const ids = await lieInReverse(nextCheckAt)
  expect(await dueAndClaimed(test.clock.now())).toEqual({ due: ids, claimed: ids })
})
