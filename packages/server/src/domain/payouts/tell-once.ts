// Something about a payout that a person has to look at. It is told once for each cause, however often it is met; it is
// told before the commit, so that a process which ends in between tells it again rather than never.
import type { Scope } from '../../core/scope.ts'
import type { Tx } from '../../storage/sql.ts'
import { keepToldAlarms } from '../../storage/told-alarms.ts'
import type { Deps } from '../deps.ts'

export interface Concern {
  /** The alarm, as the operator's handbook has it. */
  readonly what: string
  readonly payoutId: string
  /** What makes it another concern than the last one under the same name. */
  readonly detail?: Readonly<Record<string, string>>
}

export async function tellOnce(
  deps: Pick<Deps, 'onAlarm' | 'clock'>,
  tx: Tx,
  { partnerId, environment }: Scope,
  concerns: readonly Concern[],
): Promise<void> {
  if (concerns.length === 0) return
  const scope = { partnerId, environment }
  const told = concerns.map((concern) => ({ concern, about: concern.payoutId, cause: causeOf(concern) }))
  const untold = await keepToldAlarms(tx, scope, told, deps.clock.now())
  for (const { about, cause } of untold) {
    const { concern } = told.find((each) => each.about === about && each.cause === cause)!
    deps.onAlarm(concern.what, { ...scope, payoutId: concern.payoutId, ...concern.detail })
  }
}

function causeOf({ what, detail = {} }: Concern): string {
  return [what, ...Object.values(detail)].join(' | ')
}
