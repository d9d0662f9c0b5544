// Every statement that the program can send, for tests that have PostgreSQL plan each of them. The test itself replaces
// `statement` by one that notes what is made; this makes them all.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

import type { Pence } from '../../src/core/money.ts'
import type { ActivityCriteria } from '../../src/storage/activity.ts'
import type { PartnerSettings } from '../../src/storage/partner-settings.ts'
import { NO_CRITERIA, type PayoutCriteria } from '../../src/storage/payout-criteria.ts'
import type { NewPayout } from '../../src/storage/payout-reservations.ts'
import type { Db, Tx } from '../../src/storage/sql.ts'

const STORAGE = join(import.meta.dirname, '../../src/storage')

/** Loads all of storage, and asks for what is written when it is asked for. */
export async function makeEveryStatement(): Promise<void> {
  const files = readdirSync(STORAGE).filter((file) => !file.endsWith('.test.ts'))
  for (const file of files) await import(join(STORAGE, file))
  await callTheOnesThatAreWrittenWhenTheyAreAsked()
}

/** Whether it reads or writes rows, and so has a plan. */
export const isAboutRows = (text: string): boolean => /^\s*(with|select|insert|update|delete)\b/.test(text)

/** Searches, filters and settings are put together from what is asked for: each condition alone, and all at once. */
async function callTheOnesThatAreWrittenWhenTheyAreAsked(): Promise<void> {
  const { findPlaceAfter, listPayouts, listVersions } = await import('../../src/storage/payout-lists.ts')
  const { sumPayouts } = await import('../../src/storage/payout-sums.ts')
  const { findActivityPlaceAfter, listActivity, lookThroughActivity } = await import('../../src/storage/activity.ts')
  const { changeSettings } = await import('../../src/storage/partner-settings.ts')
  const { reserveNewPayouts } = await import('../../src/storage/reserve-new-payouts.ts')
  const { readRecipientHistory } = await import('../../src/storage/payout-recipients.ts')
  const nobody: Db = { query: () => Promise.resolve([]) }
  const scope = { partnerId: 'somebody', environment: 'sandbox' } as const
  for (const criteria of aloneAndTogether(CRITERIA)) {
    for (const place of [null, { createdAt: AT, id: 'x' }]) {
      await listPayouts(nobody, scope, { ...NO_CRITERIA, ...criteria, before: place, downTo: place, limit: 1 })
      await listVersions(nobody, scope, { ...NO_CRITERIA, ...criteria, before: place, downTo: place, limit: 1 })
      await findPlaceAfter(nobody, scope, { ...NO_CRITERIA, ...criteria }, { before: place, others: 1 })
    }
    await sumPayouts(nobody, scope, { ...NO_CRITERIA, ...criteria })
  }
  for (const criteria of aloneAndTogether(ACTIVITY)) {
    const filter = { ...NO_ACTIVITY, ...criteria, before: { at: AT, id: 'x' }, limit: 1 }
    await listActivity(nobody, 'somebody', filter)
    await lookThroughActivity(nobody, 'somebody', { ...filter, among: 1 })
    await findActivityPlaceAfter(nobody, 'somebody', filter, { before: filter.before, others: 1 })
  }
  // While keys are rotated, recipients are looked for under each of them.
  const rotated = [{ marks: MARKS, olderMarks: [MARKS], amount: 1n as Pence } as unknown as NewPayout]
  const times = { now: AT, leaseUntil: AT, duplicatesSince: AT }
  const [payout] = rotated
  const alone = [false, true].map((isLimited) => [{ partnerId: scope.partnerId, payout: { ...payout!, isLimited } }])
  const sent = { transferRef: 'x', bankState: null, nextCheckAt: AT, completesAt: AT, requestId: null }
  for (const asked of [...alone, ...alone.map((one) => [...one, ...one])]) {
    for (const batch of [asked, asked.map((each) => ({ ...each, sent }))]) {
      const inOneTrip = <Row>() => Promise.resolve(batch.map(() => ({})) as Row[])
      await reserveNewPayouts({ inOneTrip }, scope.environment, batch, times)
    }
  }
  await readRecipientHistory(nobody, scope, rotated, AT)
  for (const changes of aloneAndTogether(SETTINGS)) await changeSettings(nobody as Tx, 'somebody', changes)
}

/** Nothing, each by itself, and everything. */
function aloneAndTogether<T extends object>(all: T): Partial<T>[] {
  const each = Object.entries(all).map(([name, value]) => ({ [name]: value }) as Partial<T>)
  return [{}, ...each, all]
}

const AT = new Date(0)
const MARKS = { name: Buffer.alloc(16), account: Buffer.alloc(16) }
const CRITERIA: PayoutCriteria = {
  statuses: ['pending', 'failed'],
  createdFrom: AT,
  createdTo: AT,
  completedFrom: AT,
  completedTo: AT,
  endedFrom: AT,
  endedTo: AT,
  reference: 'x',
  idempotencyKey: 'x',
  failureCode: 'other',
  createdVia: 'api',
  amountFrom: 1n as Pence,
  amountTo: 1n as Pence,
  search: { id: null, words: ['a', 'b'], accountLast4: '1234', amount: 1n as Pence, idPrefix: 'x' },
}
const ACTIVITY: ActivityCriteria = {
  action: 'x',
  by: 'x',
  statusClass: '4xx',
  via: 'api',
  isChangesOnly: true,
  isWithoutLogReads: true,
  environment: 'live',
  from: AT,
  to: AT,
  search: '01a0f67a-3800-70ed-9995-31985d5d9dc9',
}
const NO_ACTIVITY: ActivityCriteria = {
  action: null,
  by: null,
  statusClass: null,
  via: null,
  isChangesOnly: false,
  isWithoutLogReads: false,
  environment: null,
  from: null,
  to: null,
  search: null,
}
const SETTINGS: PartnerSettings = {
  name: 'x',
  brandColor: null,
  billingEmail: 'x',
  contactEmail: 'x',
  lowBalance: null,
  billingName: null,
  billingAddress: [],
  vatNumber: null,
}
