// Writes events that are not about payouts, in the transaction that changes their subject.
import type { EventSubject, EventType } from '@kestrel/contract'

import { isUuid, newIds, sha256 } from '../core/ids.ts'
import type { Scope } from '../core/scope.ts'
import { LAST_POSITION } from './events.ts'
import { itemColumns } from './item-columns.ts'
import { LOCK_AVAILABLE } from './ledger.ts'
import { type Tx, statement } from './sql.ts'

export interface NewEvent {
  readonly type: EventType
  readonly subject: { readonly object: Exclude<EventSubject, 'payout'>; readonly id: string }
  /** The partner's own request that caused it. */
  readonly requestId?: string | null | undefined
  /**
   * Plain JSON without bank details: the subject as its own GET shows it; of invoices and keys, what may be different later; of
   * endpoints, their host.
   */
  readonly data: Readonly<Record<string, unknown>>
}

const NOTED = itemColumns<'id' | 'type' | 'object' | 'subjectKey' | 'requestId' | 'facts'>(4, {
  id: ['id', 'uuid'],
  type: ['type', 'text'],
  object: ['subject_object', 'text'],
  subjectKey: ['subject_id', 'uuid'],
  requestId: ['request_id', 'uuid'],
  facts: ['facts', 'jsonb'],
})

const NOTE = statement(
  'note_events',
  `insert into events (partner_id, environment, occurred_at, position, sequence, ${NOTED.names})
   select $1, $2, $3, last.position + item.place,
          coalesce((select e.sequence from events e
             where e.partner_id = $1 and e.environment = $2 and e.subject_id = item.subject_id
             order by e.sequence desc limit 1), 0)
            + row_number() over (partition by item.subject_id order by item.place),
          ${NOTED.selected}
     from ${NOTED.fromInOrder} cross join ${LAST_POSITION} last`,
)

/** Takes the wallet's lock: nothing but the row of invoice numbers is locked after it (ARCHITECTURE.md, lock order). */
export function noteEvents(tx: Tx, scope: Scope, events: readonly NewEvent[], at: Date): void {
  if (events.length === 0) return
  const ids = newIds(at, events.length)
  const rows = events.map(({ type, subject, requestId = null, data }, index) => ({
    id: ids[index]!,
    type,
    object: subject.object,
    subjectKey: subjectKey(subject.id),
    requestId,
    facts: JSON.stringify({ id: subject.id, data }),
  }))
  // A statement of its own: the one after it sees all that was committed while the lock was waited for.
  tx.defer(LOCK_AVAILABLE, [scope.partnerId, scope.environment])
  tx.defer(NOTE, [scope.partnerId, scope.environment, at, ...NOTED.values(rows)])
}

/** How a subject is found: by its id, or by a hash of an id that is no UUID, such as the bank's id of a deposit. */
export function subjectKey(id: string): string {
  const lower = id.toLowerCase()
  if (isUuid(lower)) return lower
  const hex = sha256(id).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
}
