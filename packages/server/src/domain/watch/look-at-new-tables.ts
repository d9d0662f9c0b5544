// A table that grew faster than PostgreSQL looks at it gets bad plans: the worker has it look.
import { analyzeNewTables } from '../../storage/new-tables.ts'
import type { Deps } from '../deps.ts'

/** Returns whether there was one. */
export async function lookAtNewTables(deps: Pick<Deps, 'db'>): Promise<boolean> {
  return (await analyzeNewTables(deps.db)).length > 0
}
