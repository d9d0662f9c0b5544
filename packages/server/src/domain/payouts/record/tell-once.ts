// Something about a payout that a person has to look at. It is told once per cause, however often it is met.
import type { Scope } from '../../../core/scope.ts'
import type { Db, Tx } from '../../../storage/sql.ts'
import { keepToldAlarms, readToldAlarms } from '../../../storage/told-alarms.ts'
import type { Deps } from '../../deps.ts'
import type { AlarmName } from '../../watch/alarms/alarm-catalogue.ts'
import { ringOnce } from '../../watch/ring-once.ts'

export interface Concern {
  readonly what: AlarmName
  readonly payoutId: string
  /** What makes it different from an earlier concern with the same sentence. */
  readonly detail?: Readonly<Record<string, string>>
  /** What is told with it and makes it no other concern: figures and words that the bank may change at every read. */
  readonly said?: Readonly<Record<string, string>>
  /** How many of its details are told for one payout, where the bank may find a new one at every read; absent: all. */
  readonly atMost?: number
}

export async function tellOnce(
  deps: Pick<Deps, 'onAlarm' | 'clock'>,
  tx: Tx,
  { partnerId, environment }: Scope,
  concerns: readonly Concern[],
): Promise<void> {
  if (concerns.length === 0) return
  const scope = { partnerId, environment }
  const heard = await withinMeasure(tx, scope, concerns)
  if (heard.length === 0) return
  const told = heard.map((concern) => ({ concern, about: concern.payoutId, cause: causeOf(concern) }))
  const untold = await keepToldAlarms(tx, scope, told, deps.clock.now())
  for (const { about, cause } of untold) {
    const { concern } = told.find((each) => each.about === about && each.cause === cause)!
    ringOnce(deps, tx, {
      what: concern.what,
      about: { ...scope, payoutId: concern.payoutId, ...concern.detail, ...concern.said },
    })
  }
}

async function withinMeasure(tx: Tx, scope: Scope, concerns: readonly Concern[]): Promise<Concern[]> {
  const within: Concern[] = []
  for (const concern of concerns) {
    const { atMost = Infinity } = concern
    if (atMost === Infinity || (await toldBefore(tx, scope, concern)).length < atMost) within.push(concern)
  }
  return within
}

/** The details that were told before under this sentence, of alarms with one detail each. */
export async function toldBefore(
  db: Db,
  scope: Scope,
  { what, payoutId }: Pick<Concern, 'what' | 'payoutId'>,
): Promise<string[]> {
  const before = beginningOf({ what })
  const causes = await readToldAlarms(db, scope, payoutId)
  return causes.filter((cause) => cause.startsWith(before)).map((cause) => cause.slice(before.length))
}

const BETWEEN = ' | '

/** How the causes begin under which one sentence is told, whatever its detail. */
export function beginningOf({ what }: Pick<Concern, 'what'>): string {
  return `${what}${BETWEEN}`
}

export function causeOf({ what, detail = {} }: Concern): string {
  return [what, ...Object.values(detail)].join(BETWEEN)
}
