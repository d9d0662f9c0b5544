import { appendFileSync } from 'node:fs'
import { join } from 'node:path'

import { type BesideBodies, unpackBodies } from '../../src/storage/packed-bodies.ts'
import { type Database, statement } from '../../src/storage/sql.ts'
import { BODIES, LOG_DIR } from './log-dir.ts'

const EVERYTHING = statement(
  '',
  `select concat_ws(' | ', query, headers, idempotency_key, request_body, answer_body) as row, packed, at,
     subject_id as "subjectId", idempotency_key as "idempotencyKey" from request_bodies`,
)

/** What a test left in the log of requests, for the look at all of it when the suite ends. */
export async function keepBodiesForLater(owner: Database): Promise<void> {
  const rows = await owner.query<BesideBodies & { row: string; packed: Buffer | null }>(EVERYTHING)
  const lines = rows.map(({ row, packed, ...beside }) => {
    const texts = packed === null ? [] : Object.values(unpackBodies(packed, beside))
    return `${[row, ...texts.filter((text) => text !== null)].join(' | ')}\n`
  })
  appendFileSync(join(LOG_DIR, `${BODIES}${process.pid}.txt`), lines.join(''))
}
