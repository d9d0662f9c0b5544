// A member whose own payouts are limited gives out no key that pays: it would be a way around the limit.
import type { Environment } from '@kestrel/contract'

import { AppError } from '../../core/errors.ts'
import { listSpending } from '../../storage/spending-limits.ts'
import type { Db } from '../../storage/sql.ts'
import { isLimited } from './spender-limits.ts'

export async function refuseLimitedMember(
  db: Db,
  member: { partnerId: string; environment: Environment; memberId: string },
  at: Date,
): Promise<void> {
  const [spending = null] = await listSpending(db, member, [member.memberId], at)
  if (!isLimited(spending)) return
  throw new AppError(
    'api_key_required',
    `Your own ${member.environment} payouts are limited, so another admin has to do this with keys that pay. Nothing was done.`,
  )
}
