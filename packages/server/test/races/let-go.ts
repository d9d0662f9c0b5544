import type { TestApp } from '../support/app.ts'
import { sql } from '../support/fixtures.ts'

/** What a test reserved by hand is let go again, so that the books are right at the end. */
export async function letGo(test: TestApp): Promise<void> {
  const left = await sql<{ id: string; partner_id: string; lease_token: string }>(
    test,
    `select p.id, p.partner_id, f.lease_token from payouts p
       join payout_follow_ups f on f.partner_id = p.partner_id and f.environment = p.environment and f.payout_id = p.id
      where p.send_state = 'sending'`,
  )
  await Promise.all(
    left.map(({ id, partner_id: partnerId, lease_token: leaseToken }) =>
      test.deps.lanes.record(
        { partnerId, environment: 'sandbox' },
        { payoutId: id, leaseToken, answer: { kind: 'rejected', reason: 'No such account.' }, isFirstHand: true },
      ),
    ),
  )
}
