// Doctor's findings about what is watched: the worker's pulse, open alarms, and the age of the modulus table.
import type { Config } from '../config/config.ts'
import { systemClock } from '../core/clock.ts'
import { momentInWords } from '../core/words.ts'
import type { Deps } from '../domain/deps.ts'
import { TABLE_IS_OLD_MS, chooseModulusTable, modulusTableDate } from '../domain/modulus/chosen-table.ts'
import { PULSE, type Watch, readWatch } from '../domain/watch/read-watch.ts'
import { type Finding, problem, reasonOf, warning, well } from './finding.ts'

/** A worker runs a round five times per second and notes it every five seconds. */
const LONGEST_SILENCE_MS = 60_000

export async function watchFindings(deps: Deps): Promise<Finding[]> {
  const watch = await readWatch(deps)
  return [workerFinding(watch), alarmFinding(watch)]
}

function workerFinding({ jobs }: Watch): Finding {
  const at = jobs.find(({ job }) => job === PULSE)?.lastRoundAt ?? null
  if (at === null) return warning('Worker', 'none has run on this database yet: payouts are not followed without one')
  const isAlive = systemClock.now().getTime() - at.getTime() <= LONGEST_SILENCE_MS
  if (isAlive) return well('Worker', 'came round within the last minute')
  return problem('Worker', `the last round was ${momentInWords(at)}: start one, payouts are not followed without it`)
}

function alarmFinding({ alarms }: Watch): Finding {
  if (alarms.length === 0) return well('Alarms', 'none is open')
  const which = alarms.map(({ what, open }) => (open === 1n ? what : `${what} (${open})`))
  return problem('Alarms', `${which.join('; ')}. See kestrel alarms list, and docs/operations.md`)
}

export function tableFinding({ modulusTable }: Config): Finding {
  const name = 'Modulus table'
  try {
    chooseModulusTable(modulusTable)
  } catch (error) {
    return problem(name, reasonOf(error))
  }
  const date = modulusTableDate()
  if (date === null) return warning(name, 'none: which accounts can exist is left to the bank (MODULUS_TABLE=none)')
  const day = date.toISOString().slice(0, 10)
  const isOld = systemClock.now().getTime() - date.getTime() > TABLE_IS_OLD_MS
  if (!isOld) return well(name, `is of ${day}`)
  return warning(name, `is of ${day}: set MODULUS_TABLE to a newer valacdos file of Vocalink’s, or to none`)
}
