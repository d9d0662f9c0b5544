// How a payout stood at an event, in SQL. What goes without saying is not written: it would be a sixth of the row.
import type { RefundState, SendState } from './payouts.ts'

/** What nearly every payout has while nothing went wrong: null in the row of an event means this. Older rows say it. */
export const USUAL = { status: 'processing', sendState: 'accepted', refundState: 'none' } as const satisfies {
  status: string
  sendState: SendState
  refundState: RefundState
}

/** Whose event it is; null means a payout’s. `of` names the table of events, with a dot. */
export const subjectOf = (of: string) => `coalesce(${of}subject_object, 'payout')`

/** Only of a payout's event: all others have facts. */
export const ofPayout = (of: string, value: string) => `case when ${of}facts is null then ${value} end`

/** An event that tells of a new status has it in its type. */
export const statusOf = (of: string) =>
  ofPayout(
    of,
    `coalesce(${of}status, case when ${of}type in ('payout.created', 'payout.refunded') then '${USUAL.status}'
       else substr(${of}type, length('payout.') + 1) end)`,
  )

/** The columns of a new event, from payout `changed` and the event `made` of it, and what is written into them. */
export const STANDING: Readonly<Record<string, string>> = {
  status: `case made.nth when 2 then null else nullif(changed.status, '${USUAL.status}') end`,
  send_state: `nullif(changed.send_state, '${USUAL.sendState}')`,
  refund_state: `nullif(changed.refund_state, '${USUAL.refundState}')`,
  failure_reason: 'changed.failure_reason',
  provider_reason: 'changed.provider_reason',
  provider_state: 'changed.provider_state',
  completed_at: `case changed.status when 'completed' then nullif(changed.completed_at, changed.updated_at)
           else changed.completed_at end`,
  refunded_at: 'changed.refunded_at',
}
