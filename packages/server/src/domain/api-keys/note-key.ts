import type { EventType } from '@kestrel/contract'

import type { ApiKeyRow } from '../../storage/api-keys.ts'
import { noteEvents } from '../../storage/note-events.ts'
import { listSpending } from '../../storage/spending-limits.ts'
import type { Tx } from '../../storage/sql.ts'
import { spendingInWords } from '../spending/spender-limits.ts'

/** Writes an event about a key as it is now, last in its transaction. What never changes is in its own row. */
export async function noteKey(
  tx: Tx,
  partnerId: string,
  noted: { type: Extract<EventType, `api_key.${string}`>; key: ApiKeyRow; at: Date },
): Promise<void> {
  const { type, key, at } = noted
  const { id, environment, lastUsedAt, lastUsedIp, revokedAt, expiresAt, replacedBy, scopes, allowedIps } = key
  const [spending = null] = await listSpending(tx, { partnerId, environment }, [key.spenderId], at)
  const data = {
    last_used_at: lastUsedAt,
    last_used_ip: lastUsedIp,
    revoked_at: revokedAt,
    expires_at: expiresAt,
    replaced_by: replacedBy,
    scopes,
    allowed_ips: allowedIps,
    spending: spending === null ? null : spendingInWords(spending),
  }
  noteEvents(tx, { partnerId, environment }, [{ type, subject: { object: 'api_key', id }, data }], at)
}
