import type { Environment } from '@kestrel/contract'

import { newId } from '../../core/ids.ts'
import { insertActivity } from '../../storage/activity.ts'
import type { Deps } from '../deps.ts'

/** What the operator did on a partner's account stands in the partner's activity, like everything else. */
export function recordOperatorAction(
  deps: Pick<Deps, 'db' | 'clock'>,
  done: { partnerId: string; environment?: Environment; action: string; detail: string | null },
): Promise<void> {
  const { partnerId, environment = null, action, detail } = done
  const at = deps.clock.now()
  const entry = {
    id: newId(at),
    at,
    environment,
    action,
    status: null,
    by: 'operator',
    detail,
    keyId: null,
    request: null,
  }
  return deps.db.inTransaction(async (tx) => insertActivity(tx, partnerId, [entry]))
}
