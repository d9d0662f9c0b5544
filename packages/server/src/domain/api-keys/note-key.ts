import type { EventType } from '@kestrel/contract'

import type { ApiKeyRow } from '../../storage/api-keys.ts'
import { noteEvents } from '../../storage/note-events.ts'
import type { Tx } from '../../storage/sql.ts'

/** Writes an event about a key as it is now, last in its transaction. What it was made with is in its own row. */
export function noteKey(
  tx: Tx,
  partnerId: string,
  noted: { type: Extract<EventType, `api_key.${string}`>; key: ApiKeyRow; at: Date },
): void {
  const { type, key, at } = noted
  const { id, environment, lastUsedAt, lastUsedIp, revokedAt, expiresAt, replacedBy } = key
  const data = {
    last_used_at: lastUsedAt,
    last_used_ip: lastUsedIp,
    revoked_at: revokedAt,
    expires_at: expiresAt,
    replaced_by: replacedBy,
  }
  noteEvents(tx, { partnerId, environment }, [{ type, subject: { object: 'api_key', id }, data }], at)
}
