import type { EventType } from '@kestrel/contract'

import type { ApiKeyRow } from '../../storage/api-keys.ts'
import { noteEvents } from '../../storage/note-events.ts'
import { type Spending, listSpending } from '../../storage/spending-limits.ts'
import type { Tx } from '../../storage/sql.ts'

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
    spending: spending === null ? null : inWords(spending),
  }
  noteEvents(tx, { partnerId, environment }, [{ type, subject: { object: 'api_key', id }, data }], at)
}

/** JSON has no whole numbers of this size. */
function inWords({ maxPerPayout, daily, monthly, spentToday, spentThisMonth }: Spending) {
  const word = (amount: bigint | null) => (amount === null ? null : String(amount))
  return {
    max_per_payout_pence: word(maxPerPayout),
    daily_pence: word(daily),
    monthly_pence: word(monthly),
    spent_today_pence: word(spentToday),
    spent_this_month_pence: word(spentThisMonth),
  }
}
