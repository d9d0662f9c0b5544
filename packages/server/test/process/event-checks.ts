// What the events of payouts must be, whatever was killed when.
import { expect } from 'vitest'

import type { Owner } from '../storage/owner.ts'

/** The statuses that each way leads through, after it was created; in doubt, it may have been pending first. */
const WAYS: Readonly<Record<string, RegExp>> = {
  completed: /^created( pending)?( processing)? completed$/,
  failed: /^created( pending)?( processing)? failed( refunded)?$/,
  returned: /^created( pending)?( processing)?( completed)? returned( refunded)?$/,
  cancelled: /^created( pending)?( processing)? cancelled( refunded)?$/,
}

/** Whatever was killed when, each payout has the events of its changes: in order, counted without a gap, none twice. */
export async function checkEvents(owner: Owner): Promise<void> {
  const told = await owner.query<{
    status: string
    isBack: boolean
    types: string
    sequences: string
    count: number
    due: string
  }>(
    `select p.status, p.refund_state = 'done' as "isBack", p.event_count as count, string_agg(substr(e.type, 8), ' ' order by e.position) as types,
            string_agg(e.sequence::text, ' ' order by e.position) as sequences,
            (select string_agg(n::text, ' ' order by n) from generate_series(1, p.event_count) as n) as due
       from payouts p left join events e on e.partner_id = p.partner_id and e.environment = p.environment and e.subject_id = p.id
      where p.surfaced_at is not null group by p.partner_id, p.environment, p.id`,
  )
  expect(told.length).toBeGreaterThan(0)
  expect(told.filter(({ status, types }) => !WAYS[status]!.test(types ?? ''))).toEqual([])
  expect(told.filter(({ isBack, types }) => isBack !== types.endsWith(' refunded'))).toEqual([])
  expect(told.filter(({ sequences, due }) => sequences !== due)).toEqual([])
  const others = await owner.query(
    `select 1 from events e join payouts p on p.id = e.subject_id where e.facts is null and p.surfaced_at is null`,
  )
  expect(others).toEqual([])
  const gaps = await owner.query(
    `select partner_id, environment from events group by partner_id, environment having max(position) <> count(*)`,
  )
  expect(gaps).toEqual([])
}
