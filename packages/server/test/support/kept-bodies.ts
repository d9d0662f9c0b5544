import { appendFileSync } from 'node:fs'
import { join } from 'node:path'

import { type Database, statement } from '../../src/storage/sql.ts'
import { BODIES, LOG_DIR } from './log-dir.ts'

const EVERYTHING = statement(
  '',
  `select concat_ws(' | ', query, headers, idempotency_key, request_body, answer_body) as row from request_bodies`,
)

/** What a test left in the log of requests, for the look at all of it when the suite ends. */
export async function keepBodiesForLater(owner: Database): Promise<void> {
  const rows = await owner.query<{ row: string }>(EVERYTHING)
  appendFileSync(join(LOG_DIR, `${BODIES}${process.pid}.txt`), rows.map(({ row }) => `${row}\n`).join(''))
}
