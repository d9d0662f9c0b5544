import type { Environment, OperatorActionName } from '@kestrel/contract'

import { newId } from '../../core/ids.ts'
import { insertActivity } from '../../storage/activity.ts'
import type { Tx } from '../../storage/sql.ts'
import type { Deps } from '../deps.ts'
import type { Audited } from './audited.ts'

export interface OperatorAction {
  readonly partnerId: string
  readonly environment?: Environment
  readonly action: OperatorActionName
  readonly detail: string | null
  readonly audited?: Audited
}

/** An operator's action on a partner's account is in the partner's activity, like everything else. */
export function recordOperatorAction(deps: Pick<Deps, 'db' | 'clock'>, done: OperatorAction): Promise<void> {
  return deps.db.inTransaction(async (tx) => addOperatorAction(tx, deps, done))
}

/** The same within the transaction that does it. */
export function addOperatorAction(tx: Tx, deps: Pick<Deps, 'clock'>, done: OperatorAction): void {
  const { partnerId, environment = null, action, detail, audited = null } = done
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
    audited,
  }
  insertActivity(tx, [{ partnerId, ...entry }])
}
