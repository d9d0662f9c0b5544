// The world around the bank: its rate, its clock, and its reset.
import { Type } from 'typebox'

import { invalidParameters } from '../../core/bank-error.ts'
import { parseRate } from '../../core/rate.ts'
import { settleEverythingDue } from '../../domain/settle-due-transfers.ts'
import type { FaultBoard } from '../../faults/fault-board.ts'
import { advanceClock, setRate, wipeBank } from '../../storage/bank-state.ts'
import { inRepeatedTransaction } from '../../storage/database.ts'
import type { RequestJournal } from '../request-journal.ts'
import type { RouteContext } from '../route-context.ts'

// Ten years: enough for every deadline there is.
const FARTHEST_MS = 315_360_000_000
const Advance = Type.Object({ ms: Type.Integer({ minimum: 0, maximum: FARTHEST_MS }) })
const NewRate = Type.Object({ rate: Type.String() })

export function addWorldControls(
  { app, deps, nudge }: RouteContext,
  memory: { faults: FaultBoard; journal: RequestJournal },
): void {
  const { db, clock } = deps

  app.post<{ Body: { rate: string } }>('/rate', { schema: { body: NewRate } }, async ({ body }) => {
    const rate = parseRate(body.rate)
    if (rate === null) throw invalidParameters('body', ['rate'])
    await db.inTransaction((tx) => setRate(tx, rate))
    return { rate: rate.text }
  })

  app.post<{ Body: { ms: number } }>('/clock/advance', { schema: { body: Advance } }, async ({ body }) => {
    clock.follow(await inRepeatedTransaction(db, (tx) => advanceClock(tx, body.ms)))
    // When this answers, every transfer that the new time made due has moved.
    await settleEverythingDue(deps)
    nudge()
    return { now: clock.now() }
  })

  app.post('/reset', async () => {
    // It takes every table, and whoever moves a transfer meanwhile takes some of them in another order.
    await inRepeatedTransaction(db, wipeBank)
    clock.follow(0)
    memory.faults.clear()
    deps.readings.clear()
    deps.appearances.clear()
    memory.journal.clear()
    return { status: 'wiped' }
  })
}
