// Every alarm that can be raised. An alarm that is not in here does not compile; docs/operations.md is made from it, and
// test/bank/runbook.test.ts carries out what it says.
import type { AlarmEntry } from './alarm-entry.ts'
import { OTHER_ALARMS } from './other-alarms.ts'
import { PAYOUT_ALARMS } from './payout-alarms.ts'
import { TRANSFER_ALARMS } from './transfer-alarms.ts'

export type AlarmName = keyof typeof TRANSFER_ALARMS | keyof typeof PAYOUT_ALARMS | keyof typeof OTHER_ALARMS

export const ALARM_CATALOGUE: Readonly<Record<AlarmName, AlarmEntry>> = {
  ...TRANSFER_ALARMS,
  ...PAYOUT_ALARMS,
  ...OTHER_ALARMS,
}
