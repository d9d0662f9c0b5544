// A table that grew faster than PostgreSQL looks at it gets bad plans: the worker has it look.
import { analyzeNewTables } from '../../storage/new-tables.ts'
import type { Deps } from '../deps.ts'

/** A table that somebody else is busy with is passed over; the next round comes to it. */
export async function lookAtNewTables(deps: Pick<Deps, 'db'>): Promise<void> {
  await analyzeNewTables(deps.db)
}
