// The program's table of stages against what the database accepts: every combination of the columns that tell them.
import { PAYOUT_STATUSES } from '@kestrel/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { STAGES, STAGE_NAMES, type Stage, findStage } from '../../src/domain/payouts/progress.ts'
import { isInDoubt } from '../../src/domain/payouts/record/in-doubt.ts'
import { IS_IN_DOUBT } from '../../src/storage/payouts.ts'
import { type TestDatabase, cloneDatabase } from '../support/database.ts'
import { type Owner, ownerOf } from './owner.ts'

let database: TestDatabase
let owner: Owner
let own: Cell[]
beforeAll(async () => {
  database = await cloneDatabase()
  owner = await ownerOf(database.url)
  own = await accepted()
})
afterAll(async () => {
  await owner.end()
  await database.drop()
})

const AT = new Date('2026-07-01T12:00:00.000Z')
const MAYBE = [null, AT]
const CELLS = (['sending', 'unknown', 'accepted', 'not_sent', 'rejected'] as const).flatMap((sendState) =>
  PAYOUT_STATUSES.flatMap((status) =>
    (['none', 'due', 'done'] as const).flatMap((refundState) =>
      MAYBE.flatMap((completedAt) =>
        MAYBE.flatMap((surfacedAt) =>
          MAYBE.map((releasedAt) => ({ sendState, status, refundState, completedAt, surfacedAt, releasedAt })),
        ),
      ),
    ),
  ),
)
type Cell = (typeof CELLS)[number]

// Only the rules of the row itself: no key is taken, and no wallet is needed.
const TRY = `
  create temp table row_of_payouts (like payouts including defaults including constraints);
  create function pg_temp.is_accepted(cell jsonb) returns boolean language plpgsql as $$
  begin
    insert into row_of_payouts (
      partner_id, environment, id, idempotency_key, fingerprint, created_via, amount_pence, country, recipient_name,
      account_last4, recipient_sealed, recipient_fingerprint, gbp_per_usd, fee_pence, fee_in_transfer_pence,
      fee_on_invoice_pence, wallet_sends_micro, failure_reason, created_at, updated_at, rail,
      send_state, status, refund_state, completed_at, surfaced_at, released_at)
    values (
      gen_random_uuid(), 'live', gen_random_uuid(), 'order-0001', sha256('x'), 'api', 2500, 'GB', 'Amara Okafor',
      '5678', 'sealed', sha256('y'), 0.79, 124, 33, 91, 32070000, 'It did not go.', now(), now(), 'provider_production',
      cell->>'sendState', cell->>'status', cell->>'refundState', (cell->>'completedAt')::timestamptz,
      (cell->>'surfacedAt')::timestamptz, (cell->>'releasedAt')::timestamptz);
    return true;
  exception when check_violation then
    return false;
  end $$`

/** Tries each combination; what the database accepts is in the temporary table afterwards. */
async function accepted(): Promise<Cell[]> {
  await owner.query(TRY)
  const isAccepted = await tried(CELLS)
  return CELLS.filter((_, index) => isAccepted[index])
}

async function tried(cells: readonly object[]): Promise<boolean[]> {
  const rows = await owner.query<{ ok: boolean }>(
    `select pg_temp.is_accepted(cell) as ok from jsonb_array_elements($1::jsonb) with ordinality as each (cell, nth)
      order by nth`,
    [JSON.stringify(cells)],
  )
  return rows.map(({ ok }) => ok)
}

function hasStage(cell: Cell): boolean {
  const name = findStage(cell)
  if (name === null) return false
  const stage: Stage = STAGES[name]
  return stage.isVisible === (cell.surfacedAt !== null) && stage.isReleased.includes(cell.releasedAt !== null)
}

it('the database accepts a row exactly when the table of stages has a place for it', () => {
  expect(CELLS).toHaveLength(720)
  expect(own).toEqual(CELLS.filter(hasStage))
  expect(new Set(own.map(findStage))).toEqual(new Set(STAGE_NAMES))
})

it.each(['sendState', 'status', 'refundState'])('%s has no other words, whatever else a row says', async (column) => {
  const isAccepted = await tried(CELLS.map((cell) => ({ ...cell, [column]: 'lost' })))
  expect(isAccepted.filter(Boolean)).toEqual([])
})

it('SQL and the table of stages agree on which payouts are in doubt', async () => {
  const rows = await owner.query<Cell & { isInDoubt: boolean }>(
    `select send_state as "sendState", status, refund_state as "refundState", completed_at as "completedAt",
            ${IS_IN_DOUBT} as "isInDoubt" from row_of_payouts`,
  )
  expect(new Set(rows.map(findStage))).toEqual(new Set(STAGE_NAMES))
  expect(rows.filter((row) => row.isInDoubt !== isInDoubt(row))).toEqual([])
})
